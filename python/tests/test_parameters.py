"""The parameters of torch.onnx.export and our own; errors; what is left when an export ends early."""

import contextlib
import inspect
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock
import warnings
from concurrent.futures import ThreadPoolExecutor

import nets
import onnx
import onnxruntime
import torch
from torch import nn

import onnxport


def _asked_in_a_thread() -> None:
    with onnxport._asked.in_onnx_export():
        assert torch.onnx.is_in_onnx_export()
        time.sleep(0.001)


class Unknown(nn.Module):
    def forward(self, x):
        return torch.linalg.lstsq(x, x).solution


@torch.library.custom_op("onnxport_test::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@double.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


class Doubles(nn.Module):
    def forward(self, x):
        return double(x)


class Counter(nn.Module):
    """Writes to a buffer of its own, and to one of a module within."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("steps", torch.tensor([2]))
        self.inner = nn.Module()
        self.inner.register_buffer("total", torch.tensor([0.5, 1.0, 1.5]))

    def forward(self, x):
        self.steps += 1
        self.inner.total += x.sum(0)
        return x * self.steps + self.inner.total


def export_patched(*args: object, **kwargs: object) -> None:
    with onnxport.patch_torch():
        torch.onnx.export(*args, **kwargs)


class ParametersTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.module = nn.Linear(3, 4).eval()
        self.x = torch.rand(2, 3)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def export(self, **kwargs: object) -> onnxport.Model:
        return onnxport.export(self.module, (self.x,), **kwargs)  # type: ignore[arg-type]

    def usage(self, message: str, **kwargs: object) -> None:
        with self.assertRaisesRegex(onnxport.ExportError, message) as caught:
            self.export(**kwargs)
        self.assertEqual(caught.exception.kind, "usage")

    def test_all_parameters_of_torch_are_taken(self) -> None:
        theirs = inspect.signature(torch.onnx.export).parameters
        ours = inspect.signature(onnxport.export).parameters
        self.assertEqual(list(ours)[: len(theirs)], list(theirs))

    def test_options(self) -> None:
        self.assertEqual(self.export(opset_version=9).opset, 9)
        self.assertEqual(len(self.export(export_params=False).inputs), 3)
        proto = self.export(keep_initializers_as_inputs=True).model_proto
        self.assertEqual(len(proto.graph.input), 3)
        module = nn.Sequential(nn.Sequential(self.module, nn.ReLU()), nn.Softmax(-1)).eval()
        model = onnxport.export(module, (self.x,), export_modules_as_functions={nn.Sequential})
        self.assertEqual(len(model.model_proto.functions), 1)
        self.assertEqual(len(onnxport.export(module, (self.x,), optimize=False).remarks), 0)
        self.assertEqual(self.export(input_names=["a", "w", "b"]).inputs[0].name, "a")
        names = {weight.name for weight in self.export(input_names=["a", "w", "b"]).model_proto.graph.initializer}
        self.assertEqual(names, {"w", "b"})
        self.assertEqual(self.export(opset=11).opset, 11)
        self.usage("given twice", opset=11, opset_version=11)

    def test_weights_as(self) -> None:
        module, x = nn.Linear(64, 64).eval(), torch.randn(2, 64)
        kinds_of = [("int8", "int8"), ("int4:16", "int4"), ("int2", "int2"), ("nvfp4", "float4e2m1")]
        for wanted, kind in kinds_of:
            model = onnxport.export(module, (x,), opset_version=25, weights_as=wanted)
            kinds = {weight.name.rpartition(".")[2] for weight in model.model_proto.graph.initializer}
            self.assertLess({kind, f"{kind}_scale"}, kinds)
            self.assertIn("1 weights are stored as ", model.remarks[0])
        self.usage('"weights_as": .*int3.* is no type of weights; write one of int8', weights_as="int3")

    def test_compute_as(self) -> None:
        module, x = nn.Linear(4, 4).eval(), torch.randn(2, 4)
        for wanted in ("float16", "float16,io"):
            model = onnxport.export(module, (x,), compute_as=wanted)
            self.assertEqual(model.inputs[0].dtype, "float32" if wanted == "float16" else "float16")
            self.assertIn("nodes compute in float16", model.remarks[0])

    def test_state_as_io(self) -> None:
        """By our own name and in the place of torch.onnx.export: both models go on counting."""
        for number, export in enumerate((onnxport.export, export_patched)):
            module, path = Counter(), self.path(f"{number}.onnx")
            export(module, (self.x,), path, dynamic_shapes=({0: "batch"},), output_names=["y"], state_as_io=True)
            session = onnxruntime.InferenceSession(path)
            self.assertEqual([port.name for port in session.get_inputs()], ["x", "steps", "inner.total"])
            self.assertEqual([port.name for port in session.get_outputs()], ["y", "steps.next", "inner.total.next"])
            state = [module.steps.numpy().copy(), module.inner.total.numpy().copy()]
            for rows in (2, 1, 5):
                x = torch.rand(rows, 3)
                found, *state = session.run(None, dict(zip(["x", "steps", "inner.total"], [x.numpy(), *state])))
                torch.testing.assert_close(torch.from_numpy(found), module(x))
            self.assertEqual(state[0].tolist(), [5])
        self.assertIn("not kept", onnxport.export(Counter(), (self.x,)).remarks[0])

    def test_target(self) -> None:
        half, x = nn.Linear(3, 4).bfloat16(), self.x.bfloat16()
        for export in (onnxport.export, export_patched):
            with self.assertRaisesRegex(onnxport.ExportError, "would not run on ort-cpu") as caught:
                export(half, (x,), self.path("no.onnx"), target="ort-cpu")
            self.assertEqual([caught.exception.kind, len(caught.exception.diagnostics)], ["cannot_export", 1])
            self.assertIn("bfloat16", caught.exception.diagnostics[0].reason)
            self.assertEqual(os.listdir(self.folder), [])
            export(half, (x,), self.path("noted.onnx"), target="ort-cpu", target_notes=True)
            os.remove(self.path("noted.onnx"))
        noted = onnxport.export(half, (x,), target="ort-cpu", target_notes=True)
        self.assertIn("no kernel for", noted.remarks[-1])
        self.assertEqual(self.export(target="openvino").opset, 23)
        self.assertEqual(self.export(target="openvino", opset_version=18).opset, 18)
        self.usage("did you mean `ort-cpu`", target="ort-cpus")
        self.usage("`target_notes` needs `target`", target_notes=True)

    def test_mistakes(self) -> None:
        self.usage('"specs" is no option', specs="x.yaml")
        self.usage("ONNX_ATEN", operator_export_type="ONNX_ATEN")
        self.usage("strategy: write one of auto, export, trace", strategy="guess")
        self.usage('did you mean "opset"', opste=3)
        self.usage("99", opset_version=99)
        self.usage("not a text", input_names="x")
        self.usage("f: a path or something with `write`, not int", f=3)
        with self.assertRaisesRegex(onnxport.ExportError, "not int"):
            onnxport.export(3)

    def test_translations_of_others(self) -> None:
        """They cannot be called: no matter where they are not needed, else it is said."""
        table = {torch.ops.aten.linear.default: len, torch.ops.aten.bincount.default: len, sum: len}
        with self.assertWarnsRegex(UserWarning, "aten::linear has the exporter's own translation") as caught:
            self.export(custom_translation_table=table)
        self.assertNotIn("bincount", str(caught.warning))
        table = {torch.ops.onnxport_test.double.default: len}
        with self.assertRaisesRegex(onnxport.ExportError, "_table has onnxport_test::double, but.*map="):
            onnxport.export(Doubles(), (self.x,), strategy="export", custom_translation_table=table)

    def test_where_it_is_written(self) -> None:
        path = self.path("model.onnx")
        with open(path, "w", encoding="utf-8") as file:
            file.write("something else")
        model = self.export(f=path)
        buffer = io.BytesIO()
        self.export(f=buffer)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), buffer.getvalue())
        self.assertEqual(model.to_bytes(), buffer.getvalue())
        self.assertEqual(os.listdir(self.folder), ["model.onnx"])
        model.save(self.path("again.onnx"), include_initializers=False)
        self.assertEqual(len(onnx.load(self.path("again.onnx")).graph.input), 3)
        with self.assertRaises(onnxport.ExportError) as caught:
            self.export(f=self.path("missing/model.onnx"))
        self.assertEqual(caught.exception.kind, "cannot_write")

    def test_external_data(self) -> None:
        module = nn.Linear(64, 64)
        onnxport.export(module, (torch.rand(1, 64),), self.path("one.onnx"))
        self.assertEqual(len(os.listdir(self.folder)), 1)
        onnxport.export(module, (torch.rand(1, 64),), self.path("two.onnx"), external_data=True)
        self.assertEqual(len(os.listdir(self.folder)), 3)

    def test_reports_and_checks(self) -> None:
        self.export(report=self.path("report.json"), verify=True, dump_exported_program=True, artifacts_dir=self.folder)
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["result"], "exported")
        self.assertEqual(sum(name.endswith(".pt2") for name in os.listdir(self.folder)), 1)

    def test_a_report_is_no_other_file(self) -> None:
        os.mkdir(self.path("folder"))
        torch.jit.save(torch.jit.trace(self.module, self.x), self.path("model.pt"))
        os.symlink("model.pt", self.path("link"))
        os.link(self.path("model.pt"), self.path("hard"))
        os.symlink("nowhere", self.path("dangling"))
        with open(self.path("model.pt"), "rb") as file:
            before = file.read()
        for report in ("model.pt", "./model.pt", "hard", "link", "m.onnx", "folder/../m.onnx", "dangling", "missing/r.json"):
            with self.subTest(report=report), self.assertRaises(onnxport.ExportError) as caught:
                onnxport.export(self.path("model.pt"), f=self.path("m.onnx"), inputs=["input=f32[batch,3]"],
                                report=self.path(report))  # fmt: skip
            self.assertIn(caught.exception.kind, ("usage", "cannot_write"))
            if report in ("dangling", "missing/r.json"):  # which are seen when the report is written
                onnx.load(self.path("m.onnx"))
        with open(self.path("model.pt"), "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertFalse(os.path.exists(self.path("nowhere")))

    def test_no_name_steers_a_terminal(self) -> None:
        name = self.path("bad\nFORGED \x1b[2J\x07\x9b\u2028\u202e.pt2")
        with open(name, "wb") as file:
            file.write(b"nothing")
        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(name)
        self.assertTrue(str(caught.exception).isprintable(), repr(str(caught.exception)))

    def test_reports_take_no_place_of_another_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            net = nn.Linear(3, 4).eval()
            onnxport.export(net, (torch.rand(2, 3),), path)
            before = open(path, "rb").read()
            link = os.path.join(folder, "link.onnx")
            os.symlink(path, link)
            for other in (path, os.path.join(folder, ".", "net.onnx"), os.path.relpath(path), link):
                with self.assertRaisesRegex(onnxport.ExportError, "report: .* is `f`, too"):
                    onnxport.export(net, (torch.rand(2, 3),), path, report=other)
                with self.assertRaisesRegex(onnxport.ExportError, "report: .* is `model`, too"):
                    onnxport.export(path, report=other)
            self.assertEqual(open(path, "rb").read(), before)

    def test_errors_are_values(self) -> None:
        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(Unknown(), (torch.rand(2, 2),), self.path("no.onnx"), strategy="export")
        error = caught.exception
        self.assertIn(error.kind, ("cannot_export", "capture"))
        self.assertGreater(len(error.diagnostics), 0)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        self.assertEqual(os.listdir(self.folder), [])

    def test_files(self) -> None:
        torch.jit.save(torch.jit.trace(self.module, self.x), self.path("model.pt"))
        model = onnxport.export(self.path("model.pt"), f=self.path("model.onnx"), inputs=["input=f32[batch,3]"])
        self.assertEqual(model.inputs[0].shape, ("batch", 3))
        with self.assertRaisesRegex(onnxport.ExportError, "without arguments"):
            onnxport.export(self.path("model.pt"), (self.x,))
        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(self.path("missing.pt"))
        self.assertEqual(caught.exception.kind, "bad_input")
        self.assertEqual([found.code for found in caught.exception.diagnostics], ["E0301"])
        self.assertTrue(str(caught.exception).startswith("[E0301] cannot open"), str(caught.exception))

    def test_threads(self) -> None:
        module, args = nets.cases()["convolutions"]
        program = torch.export.export(module, args)
        wanted = onnxport.export(program).to_bytes()
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: onnxport.export(program).to_bytes(), range(12)))
        self.assertTrue(all(found == wanted for found in made))

    def test_progress(self) -> None:
        stages: list[str] = []
        self.export(f=self.path("m.onnx"), progress=lambda stage, done, total: stages.append(stage))
        self.assertIn("write", stages)

        def fail(stage: str, done: int, total: int) -> None:
            raise LookupError(stage)

        with self.assertRaises(LookupError):
            self.export(f=self.path("no.onnx"), progress=fail)
        self.assertEqual(os.listdir(self.folder), ["m.onnx"])

    def test_ctrl_c(self) -> None:
        def interrupt(stage: str, done: int, total: int) -> None:
            if stage == "passes":
                signal.raise_signal(signal.SIGINT)

        before = signal.getsignal(signal.SIGINT)
        with self.assertRaises(KeyboardInterrupt):
            self.export(f=self.path("no.onnx"), progress=interrupt)
        self.assertEqual(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(os.listdir(self.folder), [])

    def test_texts_of_errors_can_be_shown(self) -> None:
        bad = "bad\nFORGED \x1b[2J\x07\x9b\u2028\u202e"

        class Raises(nn.Module):
            def forward(self, x):
                raise ValueError(bad)

        class Reads(nn.Module):
            """torch.export cannot capture it, a trace can."""

            def forward(self, x):
                if x.is_contiguous() and torch.compiler.is_exporting():
                    raise ValueError(bad)
                return x + 1

        with self.assertRaises(onnxport.ExportError) as caught:
            onnxport.export(Raises(), (self.x,))
        error = caught.exception
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = onnxport.export(Reads(), (self.x,))
        self.assertTrue(any("bad" in remark for remark in model.remarks))
        texts = [str(error), error.headline, *(found.reason for found in error.diagnostics), *model.remarks]
        for text in [*texts, *(str(one.message) for one in said)]:
            self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
            self.assertNotIn("\nFORGED", text)

    def test_patch(self) -> None:
        before = torch.onnx.export
        with onnxport.patch_torch():
            torch.onnx.export(self.module, self.x, self.path("a.onnx"), dynamo=False, opset_version=11)
        self.assertIs(torch.onnx.export, before)
        self.assertEqual(onnx.load(self.path("a.onnx")).producer_name, "onnxport")
        patch = onnxport.patch_torch()
        self.assertIs(torch.onnx.export, onnxport.export)
        patch.undo()
        self.assertIs(torch.onnx.utils.export is onnxport.export, False)

    def test_modules_may_ask(self) -> None:
        class Asks(nn.Module):
            def forward(self, x):
                return x + 1 if torch.onnx.is_in_onnx_export() else x - 1

        function = torch.onnx.is_in_onnx_export
        # A PyTorch without the flag, too: it is no part of its interface.
        without = unittest.mock.patch.object(torch.onnx._internal.exporter, "_flags", types.SimpleNamespace())
        for flags in (contextlib.nullcontext(), without):
            with flags:
                added = onnxport.export(Asks(), (self.x,))
            torch.testing.assert_close(added(self.x)[0], self.x + 1)
            self.assertIs(torch.onnx.is_in_onnx_export, function)
            self.assertFalse(torch.onnx.is_in_onnx_export())
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: _asked_in_a_thread(), range(40)))
        self.assertIs(torch.onnx.is_in_onnx_export, function)
        self.assertFalse(torch.onnx.is_in_onnx_export())

    def test_without_torch(self) -> None:
        torch.jit.save(torch.jit.trace(self.module, self.x), self.path("model.pt"))
        program = f"""
import sys
sys.modules["torch"] = sys.modules["numpy"] = sys.modules["onnx"] = None
import onnxport
print(onnxport.export({self.path("model.pt")!r}, f={self.path("model.onnx")!r}).inputs)
try:
    onnxport.export(object())
except onnxport.ExportError as error:
    assert "PyTorch cannot be imported" in str(error), error
"""
        subprocess.run([sys.executable, "-B", "-c", program], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
