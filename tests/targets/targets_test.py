#!/usr/bin/env -S python3 -B
"""targets_test.py EXPORTER MODELS: `--target`, as a user gives it."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import onnx
import onnxruntime

EXPORTER, MODELS = sys.argv[1:]
MODELS = pathlib.Path(MODELS)
FOLDER = pathlib.Path(os.environ["TEST_TMPDIR"])
OUT = FOLDER / "model.onnx"


def run(*words):
    return subprocess.run([EXPORTER, *words], capture_output=True, text=True, check=False)


def export(name, *words):
    OUT.unlink(missing_ok=True)
    return run("export", MODELS / f"{name}.pt2", "-o", OUT, *words)


class Targets(unittest.TestCase):
    def test_what_would_not_run_is_told_with_its_places(self):
        done = export("bfloat16", "--target", "ort-cpu")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse(OUT.exists())
        self.assertIn("would not run on ort-cpu (ONNX Runtime on CPU)", done.stderr)
        self.assertIn("MatMul (2 calls): ONNX Runtime on CPU has no kernel for MatMul of bfloat16", done.stderr)
        self.assertIn("compute in float32", done.stderr)
        self.assertRegex(done.stderr, r"first .*make\.py:\d+ ")
        self.assertIn("x @ self.second.weight", done.stderr)
        self.assertIn("Relu", done.stderr)

    def test_it_is_true(self):
        self.assertEqual(export("bfloat16").returncode, 0)
        with self.assertRaisesRegex(Exception, "MatMul"):
            onnxruntime.InferenceSession(OUT)
        self.assertEqual(export("float32", "--target", "ort-cpu").returncode, 0)
        onnxruntime.InferenceSession(OUT)

    def test_notes_in_place_of_an_error(self):
        done = export("bfloat16", "--target", "ort-cpu", "--target-notes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: MatMul (2 calls): ONNX Runtime on CPU has no kernel for MatMul of bfloat16", done.stderr)
        self.assertIn("x = self.first(x))", done.stderr)
        self.assertTrue(OUT.exists())

    def test_the_newest_opset_that_the_target_takes(self):
        for target, opset in [("tensorrt", 24), ("openvino", 23), ("coreml", 20)]:
            with self.subTest(target):
                report = FOLDER / "report.json"
                done = export("float32", "--target", target, "--report", str(report))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(onnx.load(OUT).opset_import[0].version, opset)
                options = json.loads(report.read_text())["options"]
                self.assertEqual((options["opset"], options["target"]), (opset, target))
        self.assertEqual(export("float32", "--target", "tensorrt", "--opset", "18").returncode, 0)
        self.assertEqual(onnx.load(OUT).opset_import[0].version, 18)
        done = export("float32", "--target", "tensorrt", "--opset", "8")
        self.assertEqual(done.returncode, 1)
        self.assertIn("TensorRT takes opsets 9 to 24, not 8", done.stderr)

    def test_the_newest_opset_with_the_operator_of_quantized_weights(self):
        done = export("wide", "--target", "ort-cpu", "--weights-as=int8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(onnx.load(OUT).opset_import[0].version, 27)
        onnxruntime.InferenceSession(OUT)
        done = export("wide", "--target", "ort-cpu", "--weights-as=int8", "--opset", "28")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no such operator at opset 28, but up to opset 27", done.stderr)
        self.assertEqual(export("wide", "--target", "ort-cpu").returncode, 0)
        self.assertEqual(onnx.load(OUT).opset_import[0].version, 28)

    def test_weights_of_few_bits(self):
        # The export says whether ONNX Runtime loads the model.
        takes = {"int8": True, "int4": True, "int2": True, "mxfp4": False, "nvfp4": False}
        for kind, expected in takes.items():
            with self.subTest(kind):
                done = export("wide", "--target", "ort-cpu", f"--weights-as={kind}")
                self.assertEqual(done.returncode, 0 if expected else 1, done.stderr)
                if expected:
                    onnxruntime.InferenceSession(OUT)
                    continue
                self.assertIn("no kernel for DequantizeLinear of float4e2m1; store weights in another type", done.stderr)
                self.assertIn("(float32, or --weights-as); it takes uint8, int8", done.stderr)
                self.assertEqual(export("wide", "--opset", "25", f"--weights-as={kind}").returncode, 0)
                with self.assertRaisesRegex(Exception, "NOT_IMPLEMENTED"):
                    onnxruntime.InferenceSession(OUT)
        for kind, expected in {"int4": 0, "nvfp4": 0, "mxfp4": 1}.items():
            done = export("wide", "--target", "tensorrt", f"--weights-as={kind}")
            self.assertEqual(done.returncode, expected, done.stderr)
            self.assertEqual("TensorRT has no kernel for DequantizeLinear of float8e8m0; store weights" in done.stderr, expected == 1)

    def test_zero_points(self):
        for zero, expected in {0: 0, 3: 1}.items():
            done = export(f"rounded_{zero}", "--target", "tensorrt")
            self.assertEqual(done.returncode, expected, done.stderr)
            for op, point in {"QuantizeLinear": "y_zero_point", "DequantizeLinear": "x_zero_point"}.items():
                told = f"TensorRT takes {op} only with zeros as `{point}`; quantize symmetrically" in done.stderr
                self.assertEqual(told, expected == 1, done.stderr)

    def told(self, name, *words):
        """The reason why the model cannot run in openvino; empty if it can."""
        done = export(name, "--target", "openvino", *words)
        refused = "would not run" in done.stderr
        self.assertEqual(done.returncode, 1 if refused else 0, done.stderr)
        return done.stderr if refused else ""

    # OpenVINO's results there are in findings/openvino_*.sh.
    def test_where_openvino_gives_other_numbers(self):
        self.assertIn("Add (1 call): OpenVINO on CPU gives the largest or smallest uint8", self.told("bytes"))
        self.assertIn("compute in int32", self.told("bytes"))
        for name in ("overlapping", "apart"):  # of known sizes the windows are written without ceil_mode
            self.assertEqual(self.told(name), "")
        self.assertIn("where `repeats` is known before the model runs", self.told("repeated"))
        self.assertEqual(self.told("repeated", "--input", "rows=f32[4,2]"), "")
        for name in ("bytes", "repeated"):
            self.assertEqual(export(name, "--target", "ort-cpu").returncode, 0)

    def test_what_openvino_takes_in_part(self):
        self.assertEqual(self.told("wide", "--weights-as=int4"), "")
        self.assertIn("takes DequantizeLinear only of whole blocks, and 64 is no multiple of 48",
                      self.told("wide", "--weights-as=int4:48"))
        self.assertIn("takes no functions of a model; leave --functions out", self.told("wide", "--functions"))

    def test_functions_without_a_kernel(self):
        done = export("gated", "--target", "ort-cpu", "--keep", "SwiGLU", "--opset", "28")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("SwiGLU (1 call): ONNX Runtime on CPU has no such operator", done.stderr)
        self.assertEqual(export("gated", "--keep", "SwiGLU", "--opset", "28").returncode, 0)
        with self.assertRaisesRegex(Exception, "NOT_IMPLEMENTED"):
            onnxruntime.InferenceSession(OUT)

    def test_the_same_bytes(self):
        self.assertEqual(export("float32", "--opset", "18").returncode, 0)
        plain = OUT.read_bytes()
        self.assertEqual(export("float32", "--opset", "18", "--target", "ort-cpu").returncode, 0)
        self.assertEqual(OUT.read_bytes(), plain)

    def test_free_axes(self):
        done = export("float32", "--target", "qnn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("give them sizes, as --input 'x=f32[1,4]' does", done.stderr)

    def test_names(self):
        done = export("float32", "--target", "ort-cpus")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean `ort-cpu`?", done.stderr)
        done = run("targets")
        self.assertEqual(done.returncode, 0)
        for name in ["ort-cpu", "ort-web", "openvino", "tensorrt", "coreml", "qnn"]:
            self.assertRegex(done.stdout, rf"(?m)^{name} +\d+-\d+ +\S.*\n +\S.*, 20\d\d-\d\d-\d\d$")
        told = json.loads(run("targets", "--json").stdout)
        self.assertEqual([row["name"] for row in told], sorted(row["name"] for row in told))
        self.assertTrue(all(row["source"] and row["date"] and row["title"] for row in told))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
