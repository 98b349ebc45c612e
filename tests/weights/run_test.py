#!/usr/bin/env -S python3 -B
"""run_test.py EXPORTER FOLDER: weights that are inputs, renamed or put in later, in ONNX Runtime."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime

EXPORTER = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
RUN = np.load(FOLDER / "run.npz")
SECOND = np.load(FOLDER / "second_state.npz")
ORDER = (FOLDER / "order.txt").read_text().split()  # parameters, then buffers
MODELS = ["first.pt2", "first.pt"]
OPSETS = [8, 18]  # before and after initializers could be no inputs


def exported(model, *options):
    out = OUT / "model.onnx"
    words = [EXPORTER, "export", FOLDER / model, "-o", out, "--input", "x=f32[batch,4]", *options]
    subprocess.run(words, check=True)
    return out


def run(model, **inputs):
    onnx.checker.check_model(onnx.load(model))
    session = onnxruntime.InferenceSession(model)
    return session.run(None, {"x": RUN["x"], **inputs})[0]


def tensors(model):
    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in onnx.load(model).graph.initializer}


def names(ports):
    return [port.name for port in ports]


class KeepInitializersAsInputs(unittest.TestCase):
    def test_weights_are_defaults(self):
        for model in MODELS:
            for opset in OPSETS:
                with self.subTest(model=model, opset=opset):
                    path = exported(model, "--keep-initializers-as-inputs", "--no-fold", "--opset", str(opset))
                    graph = onnx.load(path).graph
                    weights = [name for name in names(graph.input) if name in SECOND]
                    self.assertEqual(len(weights), 7)
                    # Below opset 9 constants are inputs, too.
                    self.assertEqual(len(graph.input) == 1 + len(weights), opset > 8)
                    np.testing.assert_allclose(run(path), RUN["first"], rtol=1e-5, atol=1e-6)
                    if opset < 9:
                        continue  # ONNX Runtime takes no others there
                    given = {name: SECOND[name] for name in weights}
                    np.testing.assert_allclose(run(path, **given), RUN["second"], rtol=1e-5, atol=1e-6)

    def test_passes_keep_working(self):
        for model in MODELS:
            with self.subTest(model=model):
                path = exported(model, "--keep-initializers-as-inputs")
                given = {name: SECOND[name] for name in names(onnx.load(path).graph.input) if name in SECOND}
                np.testing.assert_allclose(run(path, **given), RUN["second"], rtol=1e-5, atol=1e-6)

    def test_without_it_they_are_none(self):
        graph = onnx.load(exported("first.pt2")).graph
        self.assertEqual(names(graph.input), ["x"])


class ParameterNames(unittest.TestCase):
    def test_first_ones(self):
        for model in MODELS:
            with self.subTest(model=model):
                path = exported(model, "--parameter-names", "one,two", "--no-fold")
                weights = names(onnx.load(path).graph.initializer)
                self.assertLess({"one", "two", "norm.bias", "norm.running_var", "shift"}, set(weights))
                np.testing.assert_allclose(run(path), RUN["first"], rtol=1e-5, atol=1e-6)

    def test_numbers(self):
        for model in MODELS:
            with self.subTest(model=model):
                path = exported(model, "--parameter-names", "learned_0,...", "--no-fold")
                numbered = tensors(path)
                own = tensors(exported(model, "--no-fold"))
                used = [name for name in ORDER if name in own]
                self.assertEqual(len(used), 7)
                for number, name in enumerate(used):
                    np.testing.assert_array_equal(numbered[f"learned_{number}"], own[name], name)
                self.assertNotIn("learned_7", numbered)

    def test_inputs(self):
        path = exported("first.pt2", "--parameter-names", "w_1,...", "--no-weights")
        inputs = names(onnx.load(path).graph.input)
        self.assertEqual(inputs, ["x"] + [f"w_{i}" for i in range(1, 8)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
