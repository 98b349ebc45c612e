"""Uses of an exported model, as programs use ONNXProgram."""

import dataclasses
import os
import tempfile
import unittest

import onnx
import onnx_ir
import torch
from torch import nn

import onnxport


class Sums(nn.Module):
    """Returns the sum of its inputs so far, times a scale."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.tensor([0.5, 1.0, 1.5]))

    def forward(self, x, *, scale):
        self.total += x.sum(0)
        return self.total * scale


class Held(nn.Module):
    """A script that keeps state in buffers, lists, tuples, dicts, and in a module within it."""

    last: dict[str, torch.Tensor]

    def __init__(self) -> None:
        super().__init__()
        self.inner = Sums()
        self.shifts = [torch.zeros(2, 3), torch.ones(2, 3)]
        self.pair = (torch.zeros(3), torch.zeros(2, 3))
        self.last = {"x": torch.zeros(2, 3)}
        self.register_buffer("steps", torch.tensor(3))

    def forward(self, x):
        y = self.inner(x, scale=torch.tensor(2.0)) + self.shifts[1] + self.last["x"]
        self.shifts[1] = self.shifts[0]
        self.shifts[0] = x * self.steps
        self.pair = (self.pair[0] + x[0], self.pair[1] * 2 + x)
        self.last["x"] = x + self.pair[1]
        self.steps += 1
        return y + self.pair[0]


class Plain(nn.Module):
    def __init__(self, factor: int = 1) -> None:
        super().__init__()
        self.factor = factor
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total.add_(x.sum(0), alpha=self.factor)
        return x + self.total


class ModelTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.module = nn.Sequential(nn.Linear(3, 4), nn.ReLU()).eval()
        self.x = torch.rand(2, 3)
        self.wanted = self.module(self.x).detach()
        self.model = onnxport.export(self.module, (self.x,), dynamic_shapes=({0: "batch"},))

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def test_all_that_theirs_has(self) -> None:
        theirs = {name for name in dir(torch.onnx.ONNXProgram) if not name.startswith("_")}
        self.assertEqual(theirs - set(dir(self.model)), set())

    def test_the_graph_may_be_changed(self) -> None:
        self.assertIsInstance(self.model.model, onnx_ir.Model)
        self.model.model.graph.outputs[0].name = "probabilities"
        self.model.rename_axes({self.model.model.graph.inputs[0].shape[0]: "rows"})
        self.model.save(self.path("changed.onnx"))
        proto = onnx.load(self.path("changed.onnx"))
        onnx.checker.check_model(proto, full_check=True)
        self.assertEqual(proto.graph.output[0].name, "probabilities")
        for port in (proto.graph.input[0], proto.graph.output[0], self.model.model_proto.graph.output[0]):
            self.assertEqual(port.type.tensor_type.shape.dim[0].dim_param, "rows")
        torch.testing.assert_close(self.model(self.x)[0], self.wanted)

    def test_how_a_changed_graph_is_saved(self) -> None:
        self.model.model  # noqa: B018
        self.model.save(self.path("beside.onnx"), external_data=True)
        self.assertEqual(sorted(os.listdir(self.folder)), ["beside.onnx", "beside.onnx.data"])
        self.model.save(self.path("kept.onnx"), keep_initializers_as_inputs=True)
        self.model.save(self.path("bare.onnx"), include_initializers=False)
        kept, bare = onnx.load(self.path("kept.onnx")).graph, onnx.load(self.path("bare.onnx")).graph
        self.assertEqual([len(kept.input), len(kept.initializer)], [3, 2])
        self.assertEqual([len(bare.input), len(bare.initializer)], [3, 0])
        self.assertEqual(len(self.model.model.graph.inputs), 1)

    def test_sums_of_axes_are_renamed(self) -> None:
        class Join(nn.Module):
            def forward(self, x, y):
                return torch.cat([x, y])

        model = onnxport.export(Join(), (self.x, self.x[:1]), dynamic_shapes=({0: "a"}, {0: "b"}))
        model.rename_axes({"a": "left", "b": "right"})
        self.assertEqual(str(model.model.graph.outputs[0].shape[0]), "left + right")

    def test_other_weights(self) -> None:
        other = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.model.apply_weights(other.state_dict())
        torch.testing.assert_close(self.model(self.x)[0], other(self.x).detach())
        with self.assertRaisesRegex(onnxport.ExportError, "no module is known"):
            self.model.verify()
        with self.assertRaisesRegex(onnxport.ExportError, r"weight '0.weight' is torch.float32\[4, 3\]"):
            self.model.apply_weights({"0.weight": torch.rand(2)})
        with self.assertWarnsRegex(UserWarning, "no weight 'weight'"):
            self.model.apply_weights({"weight": torch.rand(2)})

    def test_weights_for_a_model_of_none(self) -> None:
        with torch.device("meta"):
            module = nn.Linear(3, 4)
        program = torch.export.export(module, (self.x.to("meta"),))
        model = onnxport.export(program, export_params=False)
        model.apply_weights(self.module[0].state_dict())
        torch.testing.assert_close(model(self.x)[0], self.module[0](self.x).detach())

    def test_values(self) -> None:
        torch.testing.assert_close(self.model.call_reference(self.x)[0], self.wanted)
        hidden = self.model.model_proto.graph.node[0].output[0]
        found = self.model.compute_values([hidden], (self.x,))
        torch.testing.assert_close(found[0], self.module[0](self.x).detach())
        with self.assertRaisesRegex(onnxport.ExportError, "no value 'hidden'"):
            self.model.compute_values(["hidden"], (self.x,))

    def test_state(self) -> None:
        sums, scale = Sums().eval(), torch.tensor(2.0)
        model = onnxport.export(sums, (self.x,), kwargs={"scale": scale}, state_as_io=True)
        self.assertEqual(model.state, [onnxport.State("total", "total.next", "float32", (3,), "total")])
        self.assertEqual(self.model.state, [])
        first = sums.total
        differences = model.verify()
        self.assertEqual([found.output for found in differences], ["output", "total.next"])
        self.assertTrue(all(found.ok for found in differences), differences)
        self.assertIs(sums.total, first)
        self.assertEqual(first.tolist(), [0.5, 1.0, 1.5])
        sums.total += 3  # any state will do
        self.assertTrue(all(found.ok for found in model.verify(self.x + 1, kwargs={"scale": scale * 2})))
        found, total = model(self.x, scale, torch.zeros(3))
        torch.testing.assert_close(total, self.x.sum(0))
        torch.testing.assert_close(found, total * 2)

    def test_state_of_a_script(self) -> None:
        script, x = torch.jit.script(Held().eval()), torch.randn(2, 3)
        model = onnxport.export(script, (x,), state_as_io=True)
        names = [state.first_value for state in model.state]
        self.assertEqual(sorted(names), ["inner.total", "last.x", "pair.0", "pair.1", "shifts.0", "shifts.1", "steps"])
        script(x)  # any state will do
        before = [script.inner.total, script.last["x"], *script.pair, *script.shifts, script.steps]
        values = [tensor.clone() for tensor in before]
        differences = model.verify()
        self.assertEqual(len(differences), 8)
        self.assertTrue(all(found.ok for found in differences), differences)
        after = [script.inner.total, script.last["x"], *script.pair, *script.shifts, script.steps]
        for tensor, value in zip(after, values, strict=True):
            torch.testing.assert_close(tensor, value, rtol=0, atol=0)
        self.assertEqual([tensor.data_ptr() for tensor in after], [tensor.data_ptr() for tensor in before])

    def test_state_of_a_trace(self) -> None:
        traced = torch.jit.trace(Plain().eval(), (self.x,), check_trace=False)
        model = onnxport.export(traced, (self.x,), state_as_io=True)
        self.assertEqual([state.first_value for state in model.state], ["total"])
        self.assertTrue(all(found.ok for found in model.verify()))

    def test_state_of_a_script_that_goes_astray(self) -> None:
        script = torch.jit.script(Plain().eval())
        model = onnxport.export(script, (self.x,), state_as_io=True)
        model._example = dataclasses.replace(model._example, call=torch.jit.script(Plain(2).eval()))
        self.assertEqual([found.ok for found in model.verify()], [False, False])

    def test_state_that_goes_astray(self) -> None:
        """Three runs see what one does not: a state that is the same after the first."""
        sums = Sums().eval()
        model = onnxport.export(sums, (self.x,), kwargs={"scale": torch.tensor(2.0)}, state_as_io=True)
        first = sums.total.clone()
        sums.forward = lambda x, scale: sums.total.copy_(first + x.sum(0)) * scale
        self.assertFalse(any(found.ok for found in model.verify()))

    def test_state_that_cannot_be_followed(self) -> None:
        class Writes(nn.Module):
            def forward(self, x):
                return x.add_(1) * 2

        model = onnxport.export(Writes(), (self.x,), state_as_io=True)
        with self.assertRaisesRegex(onnxport.ExportError, "writes to are not followed .x."):
            model.verify()
        program = torch.export.export(Sums(), (self.x,), {"scale": torch.tensor(2.0)})
        with self.assertRaisesRegex(onnxport.ExportError, "of the torch.nn.Module"):
            onnxport.export(program, state_as_io=True).verify()

    def test_sessions(self) -> None:
        seen = []
        found = self.model.initialize_inference_session(lambda model: seen.append(model) or "theirs")
        self.assertEqual(found, "theirs")
        self.assertEqual(len(seen), 1)
        self.model.release()
        torch.testing.assert_close(self.model(self.x)[0], self.wanted)


if __name__ == "__main__":
    unittest.main()
