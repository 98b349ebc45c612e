"""Right or refused: what a capture of one example may have decided for all others."""

import unittest
import unittest.mock
import warnings

import torch
from torch import nn
from torch.export import Dim

import onnxport


class BySize(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 4 else x * 3


class AtMost(nn.Module):
    """Takes no more than four rows: the range is the module's own."""

    def forward(self, x):
        if x.shape[0] > 4:
            raise ValueError("too many rows")
        return x * 3


class ByValue(nn.Module):
    def forward(self, x):
        y = x.sum()
        return x + 1 if y > 0 else x - 1


class ByList(nn.Module):
    def forward(self, x):
        return x * x.sum(1).tolist()[0] if x.mean().item() > -9 else x


class ByBuffer(nn.Module):
    """Reads numbers, and none of them depends on an input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("times", torch.tensor(3))

    def forward(self, x):
        if x.shape[0] % 2 == 0:
            x = x + 1
        return x * int(self.times) if bool(self.times > 0) else x


class Chooses(nn.Module):
    """An element that a tensor names: a trace follows it."""

    def forward(self, x, i):
        return x[i]


class Optional(nn.Module):
    def forward(self, x, flag: bool = True, y=None):
        return x - y if flag else y - x


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(()))

    def forward(self, x):
        self.rows.add_(x.shape[0])
        return x * 2 if x.shape[0] > 4 else x * 3


class CountsAll(nn.Module):
    """Its state is no buffer."""

    def __init__(self):
        super().__init__()
        self.seen = (torch.zeros(()),)

    def forward(self, x):
        self.seen = (self.seen[0] + x.shape[0],)
        return x + self.seen[0]


class Fills(nn.Module):
    """Has room for two runs of few rows."""

    def __init__(self):
        super().__init__()
        self.register_buffer("at", torch.zeros((), dtype=torch.int64))
        self.register_buffer("held", torch.zeros(4, 3))

    def forward(self, x):
        torch._check(x.shape[0] <= 4)
        places = self.at + torch.arange(x.shape[0])
        self.held.index_copy_(0, places, x)
        self.at.add_(x.shape[0])
        return self.held + 0


class PromisesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.x = torch.rand(2, 3)

    def refusal(self, module: nn.Module, **options) -> onnxport.ExportError:
        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(module.eval(), (self.x,), **options)
        return caught.exception

    def warned(self, module: nn.Module, args: tuple, **options) -> list[str]:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            onnxport.export(module.eval(), args, **options)
        return [str(one.message) for one in found]

    def test_a_promised_axis_is_not_narrowed(self) -> None:
        for dim in ("b", Dim("b"), Dim("b", max=9)):
            error = self.refusal(BySize(), dynamic_shapes=({0: dim},))
            self.assertEqual([found.code for found in error.diagnostics], ["E0105"])
            text = str(error)
            self.assertIn("axis 0 of `x` (b): torch.export made the program for sizes 0 to 4", text)
        text = str(self.refusal(BySize(), dynamic_axes={"x": {0: "b"}}))
        self.assertIn("the module takes 5, too", text)

    def test_a_range_that_is_asked_for(self) -> None:
        for module, dim in ((BySize(), Dim("b", max=4)), (AtMost(), "b")):
            model = onnxport.export(module.eval(), (self.x,), dynamic_shapes=({0: dim},))
            self.assertEqual(model.report["axes"]["b"]["max"], 4)

    def test_a_narrowed_axis_without_a_name_is_a_warning(self) -> None:
        said = [text for text in self.warned(BySize(), (self.x,), dynamic_shapes=({0: Dim.AUTO},)) if "sizes 0 to 4" in text]
        self.assertEqual(len(said), 1)

    def test_a_program_has_the_ranges_that_its_code_made(self) -> None:
        free = ({0: Dim.AUTO},)
        program = torch.export.export(BySize().eval(), (self.x,), dynamic_shapes=free)
        said = self.warned_of(program)
        self.assertEqual(len(said), 1)
        self.assertTrue(said[0].startswith("[W0600] axis 0 of input 'x' is 2..4 in the program"), said[0])
        with self.assertRaisesRegex(onnxport.ExportError, "'b' promises all sizes; write 'b=2..4'"):
            onnxport.export(program, dynamic_shapes=({0: "b"},))
        self.assertEqual(self.warned_of(program, dynamic_shapes=({0: Dim("b", max=4)},)), [])
        asked = torch.export.export(BySize().eval(), (self.x,), dynamic_shapes=({0: Dim("b", max=4)},))
        self.assertEqual(self.warned_of(asked), [])
        self.assertEqual(self.warned_of(asked, dynamic_shapes=({0: "b"},)), [])

    def warned_of(self, program: torch.export.ExportedProgram, **options) -> list[str]:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            onnxport.export(program, **options)
        return [str(one.message) for one in found]

    def test_an_axis_that_is_free_again_is_no_doubt(self) -> None:
        said = self.warned(nn.LSTM(6, 8), (torch.rand(5, 2, 6),), dynamic_shapes=({0: Dim.AUTO},))
        self.assertEqual([text for text in said if text.startswith("[W0600]")], [])

    def test_what_a_convolution_needs_is_no_loss(self) -> None:
        args = (torch.rand(2, 3, 9),)
        self.assertEqual(self.warned(nn.Conv1d(3, 4, 3), args, dynamic_shapes=({0: "b", 2: "t"},)), [])

    def test_values_that_a_trace_would_freeze(self) -> None:
        for module in (ByValue(), ByList()):
            error = self.refusal(module)
            self.assertEqual(error.kind, "capture")
            self.assertEqual(error.diagnostics[0].sites[0].file, __file__)
            self.assertIn('strategy="trace"', str(error))
        model = onnxport.export(ByValue().eval(), (self.x,), strategy="trace")
        self.assertTrue(model.verify()[0].ok)

    def test_what_a_trace_may_read(self) -> None:
        from onnxport import _capture, _axes

        for module, args in ((ByBuffer(), (self.x,)), (Chooses(), (self.x, torch.tensor(1)))):
            request = _capture.Request(module, args, {}, _axes.leaves_of(module.forward, args, {}))
            self.assertEqual(_capture.by_trace(request).frozen, [])

    def test_verify_runs_in_the_exported_mode(self) -> None:
        norm = nn.BatchNorm1d(3)
        args = {"training": torch.onnx.TrainingMode.EVAL, "dynamic_shapes": ({0: "b"},)}
        model = onnxport.export(norm, (torch.rand(4, 3) * 5,), **args)
        self.assertTrue(model.verify()[0].ok)
        self.assertTrue(norm.training)
        trained = onnxport.export(norm, (torch.rand(4, 3) * 5,), training=torch.onnx.TrainingMode.TRAINING)
        norm.eval()
        trained.verify()
        self.assertFalse(norm.training)
        self.assertEqual(norm.num_batches_tracked, 0)
        torch.testing.assert_close(norm.running_mean, torch.zeros(3))

    def test_verify_tries_other_sizes(self) -> None:
        model = onnxport.export(BySize().eval(), (self.x,), dynamic_shapes=({0: Dim.AUTO},))
        found = model.verify()[0]
        self.assertFalse(found.ok)
        self.assertIn("with x.0=", found.reason)
        self.assertTrue(model.verify(self.x)[0].ok)

    def test_verify_tries_other_sizes_with_state(self) -> None:
        module = Counts().eval()
        model = onnxport.export(module, (self.x,), dynamic_shapes=({0: Dim.AUTO},), state_as_io=True)
        self.assertIn("with x.0=", model.verify()[0].reason)
        self.assertEqual(module.rows, 0)
        self.assertTrue(all(one.ok for one in model.verify(self.x)))
        scripted = torch.jit.script(CountsAll())
        model = onnxport.export(scripted, (self.x,), dynamic_shapes=({0: "b"},), state_as_io=True)
        call = onnxport.Model._run_as_module
        with unittest.mock.patch.object(onnxport.Model, "_run_as_module", autospec=True, side_effect=call) as run:
            self.assertTrue(all(one.ok for one in model.verify()))
        self.assertGreater(len({call.args[1][0].shape for call in run.call_args_list}), 1)
        self.assertEqual(scripted.seen[0], 0)

    def test_verify_with_state_ends_where_pytorch_does(self) -> None:
        module = Fills().eval()
        model = onnxport.export(module, (self.x,), dynamic_shapes=({0: Dim.AUTO},), state_as_io=True)
        self.assertTrue(all(one.ok for one in model.verify()))
        self.assertEqual(module.at, 0)

    def test_verify_leaves_random_numbers_as_they_are(self) -> None:
        torch.manual_seed(7)
        before = torch.random.get_rng_state()
        noisy = nn.Dropout(0.5).train()
        model = onnxport.export(noisy, (torch.ones(8, 8),), dynamic_shapes=({0: "b"},),
                                training=torch.onnx.TrainingMode.TRAINING)  # fmt: skip
        torch.random.set_rng_state(before)
        model.verify()
        self.assertTrue(torch.equal(torch.random.get_rng_state(), before))

    def test_verify_tells_randomness(self) -> None:
        model = onnxport.export(nn.Dropout(0.5).train(), (torch.rand(8, 8),), training=torch.onnx.TrainingMode.TRAINING)
        self.assertIn("random", model.verify()[0].reason)

    def test_examples_carry_no_marks(self) -> None:
        onnxport.export(nn.Linear(3, 4).eval(), (self.x,), dynamic_shapes=({0: "b"},))
        self.assertEqual(self.x.__dict__, {})
        self.refusal(BySize(), dynamic_shapes=({0: Dim("b")},))
        self.assertEqual(self.x.__dict__, {})
        self.assertEqual(onnxport.export(nn.Linear(3, 4).eval(), (self.x,)).inputs[0].shape, (2, 3))

    def test_arguments_are_paired_by_the_signature(self) -> None:
        model = onnxport.export(Optional().eval(), (self.x, True, self.x + 1))
        self.assertEqual([port.name for port in model.inputs], ["x", "y"])
        wanted = (torch.full((2, 3), 2.0),)
        torch.testing.assert_close(model(y=torch.ones(2, 3), x=torch.full((2, 3), 3.0), flag=True), wanted)
        with self.assertRaisesRegex(onnxport.ExportError, "not given: y"):
            model(self.x, True)
        bare = onnxport.export(nn.Linear(3, 4).eval(), (self.x,), export_params=False)
        with self.assertRaisesRegex(onnxport.ExportError, "3 inputs"):
            bare(self.x)


if __name__ == "__main__":
    unittest.main()
