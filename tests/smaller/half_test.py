#!/usr/bin/env -S python3 -B
"""half_test.py EXPORTER FOLDER: models that compute in 16 bits, beside PyTorch's float32, in ONNX Runtime."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto
from onnx.reference import ReferenceEvaluator

onnxruntime.set_default_logger_severity(3)
EXPORTER = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])

# How far outputs may be from PyTorch's in float32, relative to the largest. A float16 is off by 2^-11, a bfloat16 by
# 2^-8, and layers add up.
BOUNDS = {"float16": 0.004, "bfloat16": 0.05}
TYPES = {"float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16}
MODELS = {"resnet": ".pt2", "bert": ".pt2", "lstm": ".pt2", "loops": ".pt"}
INPUTS = {"loops": ["--input", "x=f32[n,40]", "--input", "steps=i64[]"]}
OPSETS = [13, 18, 21]


def exported(name, *options, opset=18):
    out = OUT / f"{name}.onnx"
    source = FOLDER / (name + MODELS.get(name, ".pt2"))
    words = [EXPORTER, "export", source, "-o", out, "--opset", str(opset), *INPUTS.get(name, []), *options]
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return out, done.stderr


def checked(path):
    """The model, whose types fit each other by ONNX's own inference."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    return model


def run(path, name, by_reference=False):
    session = ReferenceEvaluator(str(path)) if by_reference else onnxruntime.InferenceSession(path)
    saved = np.load(FOLDER / f"{name}.npz")
    feeds = {}
    for i, port in enumerate(onnx.load(path).graph.input):
        value = saved[f"in{i}"]
        feeds[port.name] = value.astype(np.float16) if elem_types([port]) == [TensorProto.FLOAT16] else value
    expected = [saved[key] for key in saved.files if key.startswith("out")]
    return session.run(None, feeds), expected


def elem_types(ports):
    return [port.type.tensor_type.elem_type for port in ports]


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from nodes(attribute.g)


class Half(unittest.TestCase):
    def check(self, name, kind, *options, opset):
        path, said = exported(name, f"--compute-as={kind}", *options, opset=opset)
        self.assertRegex(said, rf"\d+ nodes compute in {kind}, \d+ in float32")
        model = checked(path)
        stored = [tensor.data_type for tensor in model.graph.initializer]
        self.assertIn(TYPES[kind], stored)
        if name == "loops" and kind == "bfloat16":
            return model  # neither of the two runs it: the reference evaluator leaves out a Loop without a condition
        # ONNX Runtime's CPU has no products of bfloat16.
        outputs, expected = run(path, name, by_reference=kind == "bfloat16")
        for output, wanted in zip(outputs, expected, strict=True):
            self.assertEqual(output.dtype, np.float32)
            self.assertLess(np.abs(output - wanted).max(), BOUNDS[kind] * np.abs(wanted).max())
        return model

    def test_outputs_are_near_those_of_float32(self):
        for name in MODELS:
            for kind in TYPES:
                for opset in OPSETS:
                    with self.subTest(name=name, kind=kind, opset=opset):
                        self.check(name, kind, opset=opset)

    def test_recurrent_layers_run_in_onnx_runtime(self):
        """It has no kernels of float16 for them, and computes them in float32 between casts."""
        for name in ("lstm", "gru", "rnn"):
            for opset in OPSETS:
                with self.subTest(name=name, opset=opset):
                    self.check(name, "float16", "--target", "ort-cpu", opset=opset)

    def test_without_other_passes_and_with_functions(self):
        for name in ("resnet", "bert", "lstm"):
            for options in (["--no-fold"], ["--functions"], ["--weights-as=int8"]):
                with self.subTest(name=name, options=options):
                    bound = BOUNDS["float16"] if "--weights-as=int8" not in options else 0.03
                    path, _ = exported(name, "--compute-as=float16", *options, opset=18)
                    checked(path)
                    outputs, expected = run(path, name)
                    self.assertLess(np.abs(outputs[0] - expected[0]).max(), bound * np.abs(expected[0]).max())

    def test_inputs_and_outputs(self):
        for name in ("resnet", "lstm"):
            with self.subTest(name=name):
                path, _ = exported(name, "--compute-as=float16,io")
                graph = checked(path).graph
                self.assertEqual(elem_types(graph.input), [TensorProto.FLOAT16])
                self.assertEqual(elem_types(graph.output), [TensorProto.FLOAT16])
                outputs, expected = run(path, name)
                self.assertLess(np.abs(outputs[0] - expected[0]).max(), 0.005 * np.abs(expected[0]).max())

    def test_weights_take_half(self):
        def stored(path):
            return sum(len(tensor.raw_data) for tensor in onnx.load(path).graph.initializer)

        for name in ("resnet", "bert"):
            self.assertLess(stored(exported(name, "--compute-as=float16")[0]), 0.52 * stored(exported(name)[0]))

    def test_no_cast_meets_another(self):
        for name in MODELS:
            graph = checked(exported(name, "--compute-as=float16")[0]).graph
            casts = {node.output[0]: node for node in nodes(graph) if node.op_type == "Cast"}
            for node in casts.values():
                self.assertNotIn(node.input[0], casts, f"{name}: {node.name}")

    def test_names_stay_in_float32(self):
        path, _ = exported("bert", "--compute-as=float16", "--float32", "blocks.0", "--float32", "Gather")
        stored = {tensor.name: tensor.data_type for tensor in onnx.load(path).graph.initializer}
        self.assertTrue(any(name.startswith("blocks.1") and name.endswith(".float16") for name in stored))
        self.assertFalse(any(name.startswith("blocks.0") and name.endswith(".float16") for name in stored))

    def test_weights_beyond_are_told_and_stay(self):
        path, said = exported("far", "--compute-as=float16")
        self.assertRegex(said, r"weight `good.weight\S*` has 70000, beyond float16: it stays float32")
        checked(path)
        outputs, expected = run(path, "far")
        self.assertLess(np.abs(outputs[0] - expected[0]).max(), 0.004 * np.abs(expected[0]).max())
        _, said = exported("far", "--compute-as=bfloat16")
        self.assertNotIn("weight `good", said)

    def test_mistakes(self):
        source = FOLDER / "bert.pt2"
        for options, reason in [
            (["--compute-as=bfloat16", "--opset", "12"], "bfloat16 needs opset 13"),
            (["--float32", "Gemm"], "--float32 goes with"),
            (["--compute-as=float16", "--float32", "blocks.7"], "no operator or module of the model is called `blocks.7`"),
            (["--compute-as=float16,in"], "'float16,in' is neither float16 nor bfloat16"),
        ]:
            words = [EXPORTER, "export", source, "-o", OUT / "no.onnx", *options]
            done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
