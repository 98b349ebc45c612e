"""How modules are captured, and which axes are free."""

import collections
import unittest
import warnings

import torch
from torch import nn
from torch.export import Dim

import onnxport


class Gather(nn.Module):
    def forward(self, x, named, several):
        return torch.cat([x, named["x"], several[0]], 1)


class Keywords(nn.Module):
    def forward(self, x, *, scale=None, times=2):
        return {"product": x * times if scale is None else x * scale, "sum": x + times}


class Fixed(nn.Module):
    def forward(self, x):
        return x + torch.ones(4, 1)


class Branch(nn.Module):
    """Depends on a value of its own alone; torch.export cannot capture it."""

    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.ones(()))

    def forward(self, x):
        return x + 1 if self.shift > 0 else x - 1


class Weighs(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.register_buffer("mean", torch.ones(4))

    def forward(self, named, x):
        return named["x"] * 2 + x * 3 + self.weight * 5 + self.mean * 7


class Raises(nn.Module):
    def forward(self, x):
        raise ValueError("a mistake of the user")


class Named(nn.Module):
    def forward(self, x):
        return x.max(1)


class Later(nn.Module):
    """A caller has a dict in another order."""

    def forward(self, ids, mask=None, *, past=None):
        return ids * 2, mask + past.sum()


class Cached(nn.Module):
    """A step of a decoder: the mask is as long as the cache and the new ones together."""

    def forward(self, ids, mask, past):
        past = torch.cat([past, ids.float().unsqueeze(-1).expand(-1, -1, 4)], 1)
        return (past * mask.unsqueeze(-1)).sum(1), past


class Causal(nn.Module):
    def forward(self, x):
        return x.cumsum(1) if x.shape[1] != 1 else x * 2


class Fours(nn.Module):
    """Takes multiples of 4; torch.export cannot capture it."""

    def forward(self, x):
        if x.shape[1] % 4 or float(x.sum()) < 0:
            raise ValueError("no multiple of 4")
        return x.unflatten(1, (-1, 4)).sum(-1)


class Halves(nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] % 2 == 0 else x - 1


Pair = collections.namedtuple("Pair", "left right")


class Pairs(nn.Module):
    def forward(self, x):
        return Pair(x + 1, {"both": [x, x * 2]})


class KnowsItsArguments(torch.onnx.ExportableModule):
    def forward(self, x, scale=None):
        return x * scale

    def example_arguments(self):
        return (torch.rand(2, 3),), {"scale": torch.rand(3)}

    def input_names(self):
        return ["image", "scale"]

    def output_names(self):
        return ["scaled"]

    def dynamic_shapes(self):
        return {"x": {0: "batch"}, "scale": None}


class Starred(nn.Module):
    def forward(self, x, *others, scale=None, **more):
        return x * scale + sum(others[:-1]) + others[-1]["last"] + more["shift"] + more["bias"]


class Scripted(nn.Module):
    def forward(self, x, n: int):
        for i in range(n):
            x = x + i
        return x


def shapes(ports: list) -> list:
    return [list(port.shape) for port in ports]


class Join(nn.Module):
    def forward(self, x, y):
        return x + y


class Keyed(nn.Module):
    def forward(self, d: dict[str, torch.Tensor]) -> torch.Tensor:
        return d["a=b"].sum(0) + d["a=[c]"]


class CaptureTest(unittest.TestCase):
    def check(self, model: onnxport.Model) -> None:
        for difference in model.verify():
            self.assertTrue(difference.ok, difference)

    def test_nested_arguments_and_names(self) -> None:
        x = torch.rand(9, 4)
        args = (x, {"x": x + 1}, [x + 2])
        free = ({0: "batch"}, {"x": {0: "batch"}}, [{0: "batch"}])
        model = onnxport.export(Gather(), args, dynamic_shapes=free, input_names=["a", "b", "c"], output_names=["y"])
        self.assertEqual([port.name for port in model.inputs + model.outputs], ["a", "b", "c", "y"])
        self.assertEqual(shapes(model.inputs + model.outputs), [["batch", 4]] * 3 + [["batch", 12]])
        self.assertEqual(model.remarks, [])
        self.check(model)
        self.assertEqual(model(*(torch.rand(3, 4),), {"x": torch.rand(3, 4)}, [torch.rand(3, 4)])[0].shape, (3, 12))

    def test_described_inputs_with_signs_in_their_keys(self) -> None:
        """The size of the other one stays known."""
        args = ({"a=b": torch.rand(2, 4), "a=[c]": torch.rand(4)},)
        model = onnxport.export(torch.jit.script(Keyed()), args, inputs=["d.a=b=f32[n=1..9,4]"])
        self.assertEqual([port.name for port in model.inputs], ["d.a=b", "d.a=[c]"])
        self.assertEqual(shapes(model.inputs), [["n", 4], [4]])

    def test_one_tensor_for_two_arguments(self) -> None:
        module = Weighs()
        x = torch.ones(4, requires_grad=True)
        other = {"x": torch.full((4,), 2.0)}, torch.full((4,), 10.0)
        for a, b in ((x, x), (module.weight, x), (x, module.mean), (module.mean, module.weight)):
            for strategy in ("export", "trace"):
                with self.subTest(strategy=strategy):
                    model = onnxport.export(module, ({"x": a}, b), strategy=strategy)
                    torch.testing.assert_close(model(*other)[0], module(*other).detach())

    def test_dims(self) -> None:
        batch = Dim("batch", min=2, max=64)
        model = onnxport.export(nn.Linear(3, 4), (torch.rand(5, 3),), dynamic_shapes={"input": {0: batch}})
        self.assertEqual(shapes(model.inputs), [["batch", 3]])
        self.assertEqual(model.report["axes"]["batch"]["max"], 64)
        self.assertEqual(model.remarks, [])

    def test_an_axis_that_is_one_in_the_example(self) -> None:
        axes = {"image": {0: "batch"}, "output": [0]}
        names = {"input_names": ["image"], "output_names": ["output"]}
        model = onnxport.export(nn.Conv2d(3, 4, 3), (torch.rand(1, 3, 8, 8),), dynamic_axes=axes, **names)
        self.assertEqual(shapes(model.inputs + model.outputs), [["batch", 3, 8, 8], ["batch", 4, 6, 6]])
        self.assertEqual(model(torch.rand(3, 3, 8, 8))[0].shape, (3, 4, 6, 6))

    def test_names_of_dynamic_axes(self) -> None:
        module = nn.Linear(3, 4)
        model = onnxport.export(module, (torch.rand(5, 3),), dynamic_axes={"input": [0]})
        self.assertEqual(shapes(model.inputs), [["input_dynamic_axes_1", 3]])
        with self.assertRaisesRegex(onnxport.ExportError, "no input is called 'inptu'; there are input"):
            onnxport.export(module, (torch.rand(5, 3),), dynamic_axes={"inptu": [0]})
        with self.assertRaisesRegex(onnxport.ExportError, "no argument is called 'x'; there are input"):
            onnxport.export(module, (torch.rand(5, 3),), dynamic_shapes={"x": {0: "batch"}})

    def test_axes_of_one_size_have_one_name(self) -> None:
        x = torch.rand(9, 4)
        free = ({0: "a"}, {"x": {0: "b"}}, [{0: "c"}])
        model = onnxport.export(Gather(), (x, {"x": x}, [x]), dynamic_shapes=free)
        self.assertEqual(shapes(model.inputs), [["a", 4]] * 3)
        self.assertIn("the axis `b` is called `a`, as it has the same size", model.remarks)

    def test_the_length_of_an_lstm(self) -> None:
        """torch.export makes it a number."""
        lstm = nn.LSTM(3, 4).eval()
        free = {"input": {0: "time", 1: "batch"}}
        model = onnxport.export(lstm, (torch.rand(7, 2, 3),), dynamic_shapes=free)
        self.assertEqual(shapes(model.inputs), [["time", "batch", 3]])
        x = torch.rand(11, 5, 3)
        torch.testing.assert_close(model(x)[0], lstm(x)[0].detach())
        self.assertTrue(any("torch.export" in remark for remark in model.remarks))
        self.assertFalse("warnings" in model.report)

    def test_an_axis_that_cannot_be_free(self) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, r"aten::ones \(1 call\): its 4") as caught:
            onnxport.export(Fixed(), (torch.rand(4, 3),), dynamic_shapes=({0: "batch"},))
        self.assertEqual(caught.exception.kind, "cannot_export")

    def test_why_axes_do_not_fit_a_program(self) -> None:
        axes = ({0: Dim("left")}, {0: Dim("right")})
        model = onnxport.export(Join(), (torch.rand(3), torch.rand(3)), dynamic_shapes=axes, strategy="export")
        self.assertEqual(shapes(model.inputs), [["left"], ["left"]])
        self.assertRegex(model.remarks[-1], "UserError: The values of right = .* must always be equal")

    def test_what_torch_export_cannot_capture_is_traced(self) -> None:
        x = torch.rand(4, 3)
        with self.assertWarnsRegex(UserWarning, "captured by torch.jit.trace") as warned:
            model = onnxport.export(Branch(), (x,), dynamic_shapes=({0: "batch"},))
        self.assertEqual(warned.filename, __file__)
        self.assertEqual(shapes(model.inputs), [["batch", 3]])
        self.check(model)
        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(Branch(), (x,), strategy="export")
        self.assertEqual(caught.exception.kind, "capture")
        self.assertEqual(caught.exception.diagnostics[0].code, "E0115")
        self.assertIsNotNone(caught.exception.__cause__)

    def test_starred_arguments(self) -> None:
        """Each of *args and **kwargs is an input, described in the tuple or dict that the function sees."""
        x = torch.rand(5, 3)
        args = (x, x + 1, x + 2, {"last": x + 3})
        kwargs = {"shift": x + 4, "scale": x + 5, "bias": torch.rand(3)}
        names = ["x", "others_0", "others_1", "others_2.last", "shift", "scale", "bias"]
        axes = [["n", 3]] * 6 + [[3]]
        n = {0: "n"}
        said = {"x": n, "others": (n, n, {"last": n}), "more": {"shift": n, "bias": None}, "scale": n}
        for how in (
            {"dynamic_shapes": said},
            {"dynamic_axes": {name: n for name in names[:-1]}},
            {"dynamic_axes": {name: n for name in names[:-1]}, "strategy": "trace"},
        ):
            model = onnxport.export(Starred(), args, kwargs=kwargs, **how)
            found = [port.name.replace("others_2_last", "others_2.last") for port in model.inputs]
            self.assertEqual((found, shapes(model.inputs)), (names, axes), how)
            self.check(model)

    def test_traces(self) -> None:
        args = (torch.rand(4, 3),)
        more = {"scale": torch.rand(3), "times": 3}
        model = onnxport.export(Keywords(), args, kwargs=more, strategy="trace", dynamic_shapes={"x": {0: "n"}})
        self.assertEqual(shapes(model.inputs), [["n", 3], [3]])
        self.check(model)
        module = nn.Sequential(nn.Linear(3, 4))
        model = onnxport.export(module, args, strategy="trace", dynamic_axes={"input": {0: "n"}}, input_names=["input"])
        names = [weight.name for weight in model.model_proto.graph.initializer]
        self.assertEqual(sorted(names), ["0.bias", "0.weight"])

    def test_results_with_fields(self) -> None:
        """torch.export.save cannot write them."""
        model = onnxport.export(Named(), (torch.rand(4, 3),))
        self.assertIsNotNone(model.exported_program)
        self.assertEqual(model.remarks, [])
        self.check(model)

    def test_results_of_a_type_of_the_module(self) -> None:
        model = onnxport.export(Pairs(), (torch.rand(4, 3),), strategy="export")
        self.assertEqual([port.name for port in model.outputs], ["left", "right.both.0", "right.both.1"])
        self.check(model)

    def test_modules_that_know_their_arguments(self) -> None:
        model = onnxport.export(KnowsItsArguments())
        self.assertEqual([port.name for port in model.inputs + model.outputs], ["image", "scale", "scaled"])
        self.assertEqual(shapes(model.inputs), [["batch", 3], [3]])
        with onnxport.patch_torch():
            self.assertIsInstance(KnowsItsArguments().to_onnx(), onnxport.Model)

    def test_compiled_modules(self) -> None:
        model = onnxport.export(torch.compile(nn.Linear(3, 4)), (torch.rand(2, 3),))
        self.assertEqual(model.inputs[0].name, "input")

    def test_axes_that_do_not_exist(self) -> None:
        module, args = nn.Linear(3, 4), (torch.rand(2, 3),)
        model = onnxport.export(module, args, dynamic_shapes={"input": {0: Dim.STATIC}})
        self.assertEqual(shapes(model.inputs), [[2, 3]])
        for said in ({"dynamic_shapes": {"input": {2: "n"}}}, {"dynamic_axes": {"input": {2: "n"}}}):
            with self.assertRaisesRegex(onnxport.ExportError, "axis 2 of 'input', which has 2"):
                onnxport.export(module, args, **said)
        with self.assertRaisesRegex(onnxport.ExportError, "dynamic_shapes: a dict or tuple"):
            onnxport.export(module, args, dynamic_shapes="batch")
        with self.assertWarnsRegex(UserWarning, "no input or output is called 'y'") as caught:
            onnxport.export(module, args, dynamic_axes={"y": {0: "n"}}, input_names=["x"])
        self.assertEqual(caught.filename, __file__)

    def test_keywords(self) -> None:
        args = (torch.rand(4, 3), {"scale": torch.rand(3), "times": 3})
        model = onnxport.export(Keywords(), args, dynamic_axes={"x": {0: "n"}}, input_names=["x"])
        self.assertEqual([port.name for port in model.outputs], ["product", "sum"])
        self.check(model)

    def test_keywords_of_old_callers_are_in_the_order_of_parameters(self) -> None:
        args = ({"past": torch.rand(3, 4), "mask": torch.rand(2), "ids": torch.ones(5, dtype=torch.int64)},)
        names = ["ids", "mask", "past"]
        for dynamo, wanted in ((False, [[5], [2], [3, 4]]), (True, [[3, 4], [2], [5]])):
            model = onnxport.export(Later(), args, input_names=names, dynamo=dynamo)
            self.assertEqual([port.name for port in model.inputs], names)
            self.assertEqual(shapes(model.inputs), wanted)

    def test_an_axis_that_is_a_sum(self) -> None:
        axes = {"ids": {1: "sequence"}, "mask": {1: "past+sequence"}, "past": {1: "past"}}
        args = (torch.ones(2, 3, dtype=torch.int64), torch.rand(2, 8), torch.rand(2, 5, 4))
        for strategy, mask in (("export", "past + sequence"), ("trace", "mask_axis1")):
            with self.subTest(strategy):
                model = onnxport.export(Cached(), args, dynamic_axes=axes, input_names=list(axes), strategy=strategy)
                self.assertEqual(shapes(model.inputs), [[2, "sequence"], [2, mask], [2, "past", 4]])
                self.check(model)
        with self.assertRaisesRegex(onnxport.ExportError, "past"):
            axes["mask"] = {1: "past + 1"}
            onnxport.export(Cached(), args, dynamic_axes=axes, input_names=list(axes), strategy="export")

    def test_axes_that_the_module_fixes(self) -> None:
        """torch.onnx.export(dynamo=False) only labels axes; here they are free, or numbers with a warning."""
        axes = {"image": {0: "batch", 1: "channels", 2: "height"}}
        args = (torch.rand(1, 3, 8, 8),)
        with self.assertWarnsRegex(UserWarning, r"axis 1 of `input` \(channels\) is 3") as warned:
            model = onnxport.export(nn.Conv2d(3, 4, 3), args, dynamic_axes=axes, input_names=["image"], dynamo=False)
        self.assertEqual(warned.filename, __file__)
        self.assertEqual(shapes(model.inputs), [["batch", 3, "height", 8]])
        with self.assertRaises(onnxport.ExportError):
            onnxport.export(nn.Conv2d(3, 4, 3), args, dynamic_axes=axes, input_names=["image"])
        axes = {"x": {0: "batch", 1: "new"}}
        with self.assertWarnsRegex(UserWarning, r"axis 1 of `x` \(new\) is 1"):
            model = onnxport.export(Causal(), (torch.rand(2, 1),), dynamic_axes=axes, input_names=["x"], dynamo=False)
        self.assertEqual(shapes(model.inputs), [["batch", 1]])

    def test_a_second_trace_of_multiples(self) -> None:
        free = {"x": {0: "batch", 1: "length"}}
        model = onnxport.export(Fours(), (torch.rand(2, 8),), dynamic_shapes=free, strategy="trace")
        self.assertEqual(shapes(model.inputs), [["batch", "length"]])
        x = torch.rand(3, 12)
        torch.testing.assert_close(model(x)[0], Fours()(x))

    def test_traces_name_inputs_after_parameters(self) -> None:
        args = (torch.rand(9, 4), {"x": torch.rand(9, 4)}, [torch.rand(9, 4)])
        model = onnxport.export(Gather(), args, strategy="trace")
        self.assertEqual([port.name for port in model.inputs], ["x", "named_x", "several_0"])

    def test_a_model_for_some_sizes_is_told(self) -> None:
        with self.assertWarnsRegex(UserWarning, "made this program for sizes with") as caught:
            onnxport.export(Halves(), (torch.rand(4),), dynamic_shapes={"x": {0: "n"}})
        self.assertEqual(caught.filename, __file__)

    def test_programs_have_names_of_axes(self) -> None:
        program = torch.export.export(nn.Linear(3, 4), (torch.rand(5, 3),), dynamic_shapes={"input": {0: Dim.DYNAMIC}})
        model = onnxport.export(program, dynamic_shapes={"input": {0: "rows"}})
        self.assertEqual(shapes(model.inputs), [["rows", 3]])

    def test_torchscript(self) -> None:
        model = onnxport.export(torch.jit.script(Scripted()), (torch.ones(2, 3), 3), dynamic_axes={"x": {0: "n"}})
        self.assertEqual(shapes(model.inputs), [["n", 3]])
        traced = torch.jit.trace(nn.Linear(3, 4), torch.rand(2, 3))
        model = onnxport.export(traced, torch.rand(2, 3), dynamic_axes={"input": {0: "batch"}})
        self.assertEqual(shapes(model.inputs), [["batch", 3]])
        self.check(model)

    def test_a_forward_that_raises(self) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, "ValueError: a mistake of the user") as caught:
            onnxport.export(Raises(), (torch.rand(2),))
        self.assertEqual(caught.exception.kind, "capture")
        self.assertIsInstance(caught.exception.__cause__, ValueError)

    def test_training(self) -> None:
        module = nn.Sequential(nn.Linear(3, 4), nn.Dropout())
        with self.assertWarnsRegex(UserWarning, "in training mode") as caught:
            model = onnxport.export(module, (torch.rand(2, 3),))
        self.assertEqual(caught.filename, __file__)
        self.assertIn("Dropout", [node.op_type for node in model.model_proto.graph.node])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = onnxport.export(module, (torch.rand(2, 3),), training=torch.onnx.TrainingMode.EVAL)
        self.assertNotIn("Dropout", [node.op_type for node in model.model_proto.graph.node])
        self.assertTrue(module[1].training)


if __name__ == "__main__":
    unittest.main()
