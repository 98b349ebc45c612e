"""Programs that were written for torch.onnx meet the same classes, arguments and defaults."""

import gc
import logging
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

import onnx_ir
import torch
from torch import nn
from torch.onnx import verification

import onnxport
from onnxport import _containers


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.fft.fft(x) * x


class Past(nn.Module):
    def forward(self, x, mask=None, **kwargs):
        return x + kwargs["past"] * kwargs["scale"]


class Pair(nn.Module):
    def forward(self, x, y):
        return x + y


class Draws(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(3)

    def forward(self, x):
        return x + torch.randn(2, 3, generator=self.generator)


@torch.library.custom_op("onnxport_dropin::scale", mutates_args=())
def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


@scale.register_fake
def _(x, factor):
    return torch.empty_like(x)


class Scales(nn.Module):
    def forward(self, x):
        return scale(x, 2.0)


class Box:
    """PyTorch knows nothing of it."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.inner = {"tensors": [tensor]}


class TakesBox(nn.Module):
    def forward(self, x, box):
        return x + box.inner["tensors"][0]


class Cache:
    """Stands for transformers' DynamicCache."""

    def __init__(self, keys: list[torch.Tensor], values: list[torch.Tensor]) -> None:
        self.keys, self.values = keys, values


def _parts(cache: Cache) -> dict[str, list[torch.Tensor]]:
    return {"key_cache": cache.keys, "value_cache": cache.values}


torch.utils._pytree.register_pytree_node(
    Cache,
    lambda cache: torch.utils._pytree._dict_flatten(_parts(cache)),
    lambda values, names: Cache(*values),
    serialized_type_name="test.Cache",
    flatten_with_keys_fn=lambda cache: torch.utils._pytree._dict_flatten_with_keys(_parts(cache)),
)


class TakesCache(nn.Module):
    def forward(self, x, **kwargs):
        cache = kwargs["cache"]
        return [torch.cat([old, x]) for old in [*cache.keys, *cache.values]]


class DropInTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.module = nn.Linear(3, 4).eval()
        self.x = torch.rand(2, 3)

    def usage(self, message: str, module: nn.Module, args: tuple, **options: object) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, message) as caught:
            onnxport.export(module, args, **options)
        self.assertEqual(caught.exception.kind, "usage")

    def test_a_model_is_an_onnx_program(self) -> None:
        path = os.path.join(self.folder, "a.onnx")
        with onnxport.patch_torch():
            model = torch.onnx.export(self.module, (self.x,))
        self.assertIsInstance(model, torch.onnx.ONNXProgram)
        self.assertIsInstance(model, onnxport.Model)
        self.assertEqual(str(type(model)), "<class 'onnxport.Model'>")
        model.save(destination=path)
        self.assertTrue(os.path.exists(path))
        self.assertTrue(all(found.max_abs_diff < 1e-5 for found in verification.verify_onnx_program(model)))
        self.assertIsInstance(model.exported_program, torch.export.ExportedProgram)
        self.assertIsInstance(model.model, onnx_ir.Model)
        self.assertIsInstance(onnxport.export(path.replace("a.onnx", self.saved())), torch.onnx.ONNXProgram)

    def saved(self) -> str:
        torch.export.save(torch.export.export(self.module, (self.x,)), os.path.join(self.folder, "a.pt2"))
        return "a.pt2"

    def test_an_error_is_one_of_torch_onnx(self) -> None:
        with self.assertRaises(torch.onnx.errors.OnnxExporterError) as caught:
            onnxport.export(self.module, (self.x,), opset_version=99)
        self.assertIsInstance(caught.exception, onnxport.ExportError)
        self.assertEqual(str(type(caught.exception)), "<class 'onnxport.ExportError'>")
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertIsInstance(again, torch.onnx.errors.OnnxExporterError)

    def test_classes_need_no_torch(self) -> None:
        program = f"""
import sys, onnxport
model = onnxport.export({os.path.join(self.folder, self.saved())!r})
assert "torch" not in sys.modules and type(model) is onnxport.Model, type(model)
"""
        subprocess.run([sys.executable, "-B", "-c", program], check=True)

    def test_complex_is_real(self) -> None:
        x = torch.rand(4, dtype=torch.complex64)
        model = onnxport.export(Spectrum().eval(), (x,))
        self.assertEqual([model.inputs[0].shape, model.outputs[0].shape], [(4, 2), (4, 2)])
        self.assertTrue(model.verify()[0].ok)
        with self.assertRaisesRegex(onnxport.ExportError, "no complex inputs"):
            onnxport.export(Spectrum().eval(), (x,), complex="refused")

    def test_names_in_kwargs(self) -> None:
        given = {"past": self.x, "scale": torch.ones(1, 3)}
        flat = {"x": {0: "b"}, "past": {0: "b"}}
        nested = {"x": {0: "b"}, "kwargs": {"past": {0: "b"}}}
        for shapes in (flat, nested):
            model = onnxport.export(Past().eval(), (self.x,), kwargs=given, dynamic_shapes=shapes, strategy="export")
            self.assertEqual([port.shape for port in model.inputs], [("b", 3), ("b", 3), (1, 3)])
            self.assertTrue(model.verify()[0].ok)
        self.usage("no argument is called 'mask'; there are x, past, scale", Past().eval(), (self.x,), kwargs=given,
                   dynamic_shapes={"mask": {0: "b"}})  # fmt: skip

    def test_not_all_arguments_are_described(self) -> None:
        model = onnxport.export(Pair().eval(), (self.x, self.x[:1]), dynamic_shapes={"x": {0: "b"}}, strategy="export")
        self.assertEqual([port.shape for port in model.inputs], [("b", 3), (1, 3)])

    def test_caches(self) -> None:
        given = {"cache": Cache([self.x] * 2, [self.x + 1] * 2)}
        free = {0: "past"}
        for options in (
            {"dynamic_axes": {"cache": free, "x": {0: "new"}}},
            {"dynamic_axes": {f"cache.{kind}_cache.{i}": free for kind in ("key", "value") for i in range(2)} | {"x": {0: "new"}}},
            {"dynamic_shapes": {"x": {0: "new"}, "cache": [free] * 4}},
            {"dynamic_shapes": {"x": {0: "new"}, "cache": [[free] * 2] * 2}},
        ):
            model = onnxport.export(TakesCache().eval(), (self.x,), kwargs=given, strategy="export", **options)
            self.assertEqual([port.shape for port in model.inputs], [("new", 3), *[("past", 3)] * 4])
            self.assertEqual(model.outputs[0].shape, ("new + past", 3))

    def test_tensors_in_other_objects_are_no_constants(self) -> None:
        for strategy in ("auto", "trace"):
            self.usage("does not look into .*Box", TakesBox().eval(), (self.x, Box(self.x)), strategy=strategy)

    def test_the_cache_of_transformers_is_looked_into(self) -> None:
        try:
            from transformers import DynamicCache
        except ImportError:
            self.skipTest("no transformers")
        cache = DynamicCache()
        cache.update(torch.rand(1, 2, 5, 8), torch.rand(1, 2, 5, 8), 0)
        _containers.register_caches(((), {"past_key_values": cache}))
        self.assertEqual([tuple(part.shape) for part in torch.utils._pytree.tree_leaves(cache)], [(1, 2, 5, 8)] * 2)

    def test_within_autocast(self) -> None:
        module = nn.Sequential(nn.Linear(3, 4), nn.ReLU()).eval()
        for strategy in ("export", "trace"):
            with torch.autocast("cpu", dtype=torch.float16):
                model = onnxport.export(module, (self.x,), strategy=strategy)
                self.assertEqual(module(self.x).dtype, torch.float16)
            self.assertEqual([model.inputs[0].dtype, model.outputs[0].dtype], ["float32", "float16"])
            self.assertTrue(model.verify()[0].ok)
            self.assertEqual(module(self.x).dtype, torch.float32)
            self.assertNotIn("forward", module.__dict__)

    def test_axes_that_are_not_understood(self) -> None:
        one = (self.x,)
        self.usage(r"'batch' does not say of which axis; write \{0: 'batch'\}", self.module, one, dynamic_axes={"input": "batch"})
        self.usage(r"'batch' does not say of which axis; write \{0: 'batch'\}", self.module, one,
                   dynamic_shapes={"input": "batch"})  # fmt: skip
        self.usage("describes 2 arguments, and there are 1: input", self.module, one, dynamic_shapes=({0: "b"}, {0: "b"}))
        self.usage("5 does not say of which axis", self.module, one, dynamic_shapes={"input": 5})
        self.usage(r"0 is an axis.*write \(\{0: 'batch'\},\) with a comma", self.module, one, dynamic_shapes={0: "batch"})
        with self.assertWarnsRegex(UserWarning, "dynamic_axes is not read, as dynamic_shapes is given"):
            onnxport.export(self.module, one, dynamic_shapes=({0: "b"},), dynamic_axes={"input": {0: "c"}})

    def test_too_many_names(self) -> None:
        self.usage("input_names has 4 names, and the model 1 input; .* 2 parameters", self.module, (self.x,),
                   input_names=["a", "b", "c", "d"])  # fmt: skip

    def test_a_generator_in_a_trace(self) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, "ONNX has no torch.Generator.*without `generator`"):
            onnxport.export(Draws().eval(), (self.x,), strategy="trace")

    def test_operators_of_ones_own(self) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, "map={'onnxport_dropin::scale': 'my.domain.scale'} or fallthrough"):
            onnxport.export(Scales().eval(), (self.x,))
        for operator in ("onnxport_dropin::scale", torch.ops.onnxport_dropin.scale.default, torch.ops.onnxport_dropin.scale, scale):
            model = onnxport.export(Scales().eval(), (self.x,), map={operator: "mine.Scale"})
            self.assertEqual(model.model_proto.graph.node[0].domain, "mine")

    def test_an_array_is_no_tensor(self) -> None:
        self.usage("ndarray is no tensor.*torch.as_tensor", self.module, (self.x.numpy(),))

    def test_nothing_is_said_of_an_ordinary_export(self) -> None:
        lstm = nn.Sequential(nn.LSTM(3, 4, batch_first=True)).eval()
        for options in (
            {"dynamic_shapes": ({0: "batch", 1: "time"},)},
            {"dynamic_shapes": [("batch", "time", None)]},
            {"dynamic_axes": {"input": [0, 1]}},
        ):
            with warnings.catch_warnings(record=True) as said, self.assertNoLogs("torch.export"):
                warnings.simplefilter("always")
                model = onnxport.export(lstm, (torch.rand(2, 5, 3),), **options)
            self.assertEqual([str(one.message) for one in said], [])
            self.assertEqual(model.inputs[0].shape[2], 3)

    def test_equal_axes_in_kwargs_are_no_doubt(self) -> None:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            onnxport.export(Past().eval(), (self.x,), kwargs={"past": self.x, "scale": torch.ones(1, 3)},
                            dynamic_shapes={"x": {0: "b"}, "past": {0: "b"}})  # fmt: skip
        self.assertEqual([str(one.message) for one in said], [])

    def test_what_people_look_for(self) -> None:
        self.assertEqual(onnxport.__version__, onnxport.version())
        self.assertEqual({name for name in dir(onnxport) if not name.startswith("__")}, set(onnxport.__all__))
        with self.assertRaises(AttributeError):
            onnxport.exprot  # noqa: B018
        with self.assertLogs("onnxport", logging.INFO) as said:
            model = onnxport.export(self.module, (self.x,), os.path.join(self.folder, "a.onnx"), dynamic_shapes=({0: "b"},))
        self.assertRegex(said.output[0], r"a\.onnx: 1 node, opset 18, input: float32\[b, 3\], \d+ bytes, [\d.]+ s$")
        shown = model._repr_html_()
        for text in ("input</td><td>float32[b, 3]", "<td>b</td><td>axis 0 of input, 0 and more", "1 node, 2 weights"):
            self.assertIn(text, shown)

    def test_texts_of_a_model_are_no_html(self) -> None:
        model = onnxport.export(self.module, (self.x,), input_names=["<b>x"])
        self.assertIn("&lt;b&gt;x", model._repr_html_())

    def test_folders_go_without_a_warning(self) -> None:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = onnxport.export(self.module, (self.x,), dynamic_shapes=({0: "b"},), strategy="trace")
            folders = [model._owner.name]
            model.model  # noqa: B018
            folders.append(model._edited._files.name)
            self.assertTrue(all(map(os.path.isdir, folders)))
            del model
            gc.collect()
        self.assertFalse(any(map(os.path.isdir, folders)))
        self.assertEqual([one for one in said if one.category is ResourceWarning], [])


if __name__ == "__main__":
    unittest.main()
