#!/usr/bin/env -S python3 -B
"""weights_test.py EXPORTER FOLDER: weights that are stored as integers, beside numpy and PyTorch, in ONNX Runtime."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(3)
EXPORTER = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])

# How far outputs may be from PyTorch's, relative to the largest: 8 bits are 1/254 of a channel's range, 4 bits 1/14 of a
# group's, and layers add up.
BOUNDS = {"int8": 0.03, "int4": 0.5}
MODELS = {"resnet": ".pt2", "bert": ".pt2", "lstm": ".pt2", "loops": ".pt", "matrices": ".pt2"}
INPUTS = {"loops": ["--input", "x=f32[n,40]", "--input", "steps=i64[]"]}


def run_exporter(*words):
    return subprocess.run([EXPORTER, *words], check=False, stderr=subprocess.PIPE, text=True)


def exported(name, *options, opset=21):
    out = OUT / f"{name}.onnx"
    source = FOLDER / (name + MODELS.get(name, ".pt2"))
    done = run_exporter("export", source, "-o", out, "--opset", str(opset), *INPUTS.get(name, []), *options)
    assert done.returncode == 0, done.stderr
    return out, done.stderr


def run(path, name):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(path)
    saved = np.load(FOLDER / f"{name}.npz")
    feeds = {port.name: saved[f"in{i}"] for i, port in enumerate(session.get_inputs())}
    expected = [saved[key] for key in saved.files if key.startswith("out")]
    return session.run(None, feeds), expected


def tensors(path):
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}


def dequantize_nodes(path):
    return [node for node in onnx.load(path).graph.node if node.op_type == "DequantizeLinear"]


def attribute(node, name):
    return next((entry.i for entry in node.attribute if entry.name == name), None)


def scale_of(extent, steps):
    """As the exporter states it, in float32."""
    scale = np.maximum(extent / np.float32(steps), np.float32(2.0**-126))
    return np.where(extent == 0, np.float32(1), scale).astype(np.float32)


def by_channel(weight, axis):
    others = tuple(i for i in range(weight.ndim) if i != axis)
    scale = scale_of(np.abs(weight).max(axis=others), 127)
    shape = [-1 if i == axis else 1 for i in range(weight.ndim)]
    return np.rint(weight / scale.reshape(shape)).astype(np.int8), scale, None


def by_group(weight, axis, group, asymmetric):
    integers, scales, zeros = [], [], []
    for begin in range(0, weight.shape[axis], group):
        part = np.take(weight, range(begin, min(begin + group, weight.shape[axis])), axis)
        least, largest = (np.minimum(part.min(axis, keepdims=True), np.float32(0)),
                          np.maximum(part.max(axis, keepdims=True), np.float32(0)))  # fmt: skip
        if asymmetric:
            scale = scale_of(largest - least, 15)
            zero = np.clip(np.rint(-least / scale), 0, 15)
            integers.append(np.clip(np.rint(part / scale) + zero, 0, 15))
            zeros.append(zero)
        else:
            scale = scale_of(np.maximum(largest, -least), 7)
            integers.append(np.clip(np.rint(part / scale), -7, 7))
        scales.append(scale)
    join = lambda parts: np.concatenate(parts, axis)
    return join(integers), join(scales), join(zeros) if asymmetric else None


class Numbers(unittest.TestCase):
    """Integers, scales and zero points, bit for bit, of the weights as they are in the model without the option."""

    def check(self, name, *options, opset=21):
        plain = tensors(exported(name, opset=opset)[0])
        path, said = exported(name, *options, opset=opset)
        quantized = tensors(path)
        nodes = dequantize_nodes(path)
        self.assertGreater(len(nodes), 0)
        self.assertIn(f"{len(nodes)} weights are stored as integers", said)
        for node in nodes:
            stem = re.sub(r"\.(int8|int4|uint4)$", "", node.input[0])
            weight = plain.pop(stem).astype(np.float32)
            axis, group = attribute(node, "axis"), attribute(node, "block_size")
            if group is None:
                integers, scale, zero = by_channel(weight, axis)
            else:
                integers, scale, zero = by_group(weight, axis, group, len(node.input) == 3)
            np.testing.assert_array_equal(quantized[node.input[0]].astype(np.int8), integers, stem)
            self.assertEqual(quantized[node.input[1]].tobytes(), scale.tobytes(), stem)
            if zero is not None:
                np.testing.assert_array_equal(quantized[node.input[2]].astype(np.int8), zero, stem)
        return path, plain

    def test_int8(self):
        for name in MODELS:
            for opset in (13, 21):
                with self.subTest(name=name, opset=opset):
                    self.check(name, "--weights-int8", opset=opset)

    def test_int4(self):
        for name in MODELS:
            for options in (["--weights-int4"], ["--weights-int4=20"], ["--weights-int4=7", "--weights-asymmetric"]):
                with self.subTest(name=name, options=options):
                    self.check(name, *options)

    def test_groups_of_one(self):
        # Of an element and a scale for each nothing becomes smaller, but of two.
        with self.assertRaises(AssertionError):
            self.check("bert", "--weights-int4=1")
        self.check("bert", "--weights-int4=2")

    def test_tied_weights_stay_tied(self):
        path, _ = self.check("bert", "--weights-int8")
        names = [node.input[0] for node in dequantize_nodes(path)]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len([name for name in tensors(path) if "tokens" in name or "head.weight" in name]), 2)

    def test_external_data(self):
        for options in (["--weights-int8"], ["--weights-int4"]):
            for where in ("always", "safetensors"):
                with self.subTest(options=options, where=where):
                    self.check("bert", *options, "--external-data", where)


class Outputs(unittest.TestCase):
    def test_they_are_near_those_of_floats(self):
        for name in MODELS:
            for kind, bound in BOUNDS.items():
                for more in ([], ["--no-fold"], ["--functions"] if name != "loops" else []):
                    with self.subTest(name=name, kind=kind, more=more):
                        outputs, expected = run(exported(name, f"--weights-{kind}", *more)[0], name)
                        for output, wanted in zip(outputs, expected, strict=True):
                            self.assertEqual(output.shape, wanted.shape)
                            if wanted.size:
                                self.assertLess(np.abs(output - wanted).max(), bound * np.abs(wanted).max())

    def test_the_model_is_smaller(self):
        size = exported("bert")[0].stat().st_size
        for kind, part in (("int8", 0.27), ("int4", 0.17)):
            path, said = exported("bert", f"--weights-{kind}")
            after, before = map(int, re.search(r"bits: (\d+) bytes in place of (\d+)", said).groups())
            self.assertLess(after, part * before)
            self.assertLess(path.stat().st_size, size - 0.95 * (before - after))


class Refusals(unittest.TestCase):
    def refused(self, *words, status):
        done = run_exporter("export", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_opsets(self):
        source = FOLDER / "bert.pt2"
        said = self.refused(source, "-o", OUT / "no.onnx", "--weights-int8", "--opset", "12", status=2)
        self.assertIn("int8 needs opset 13", said)
        said = self.refused(source, "-o", OUT / "no.onnx", "--weights-int4", "--opset", "20", status=2)
        self.assertIn("int4 needs opset 21", said)

    def test_options_that_do_not_go_together(self):
        source = FOLDER / "bert.pt2"
        said = self.refused(source, "--weights-int8", "--no-weights", "-o", OUT / "no.onnx", status=2)
        self.assertIn("--no-weights", said)
        said = self.refused(source, "--weights-keep", "head", "-o", OUT / "no.onnx", status=2)
        self.assertIn("--weights-keep goes with", said)
        said = self.refused(source, "--weights-int8", "--weights-keep", "haed", "-o", OUT / "no.onnx", status=2)
        self.assertIn("no weight or module is called `haed`", said)
        self.refused(source, "--weights-int4=x", "-o", OUT / "no.onnx", status=2)

    def test_numbers_that_are_none(self):
        for kind in ("int8", "int4"):
            out = OUT / f"far_{kind}.onnx"
            said = self.refused(FOLDER / "far.pt2", "-o", out, f"--weights-{kind}", "--opset", "21", status=1)
            self.assertRegex(said, r"weight `bad.weight\S*` has a number that is NaN.*--weights-keep bad.weight")
            self.assertFalse(out.exists())
            path, said = exported("far", f"--weights-{kind}", "--weights-keep", "bad")
            self.assertRegex(said, r"stay floats: bad.weight\S* \(to be kept\)")
            self.assertEqual(len(dequantize_nodes(path)), 1)

    def test_other_weights_are_refused(self):
        path, _ = exported("bert", "--weights-int8")
        data = exported("bert", "--no-fold", "--external-data", "safetensors")[0]
        weights = next(OUT.glob("bert.*.safetensors")).rename(OUT / "weights.safetensors")
        self.assertTrue(data.exists())
        path, _ = exported("bert", "--weights-int8")
        done = run_exporter("apply-weights", path, "--weights", weights, "-o", OUT / "applied.onnx")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"up.weight\S*int8' was computed of '\S*up.weight' while the model was exported")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
