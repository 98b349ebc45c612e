#!/usr/bin/env -S python3 -B
"""training_test.py EXPORTER MODELS: models in training mode, as ONNX Runtime runs them."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

EXPORTER, MODELS = sys.argv[1:]
MODELS = pathlib.Path(MODELS)
OUT = pathlib.Path(os.environ["TEST_TMPDIR"]) / "model.onnx"
FORMS = ["{}.pt2", "{}_decomposed.pt2", "{}.pt"]


def exporter(archive, *words):
    shape = ",".join(map(str, np.load(MODELS / f"{archive.split('.')[0].removesuffix('_decomposed')}.npy").shape))
    words = [*words, "--input", f"x=f32[{shape}]"] if archive.endswith(".pt") else words
    OUT.unlink(missing_ok=True)
    return subprocess.run(
        [EXPORTER, "export", MODELS / archive, "-o", OUT, *words], capture_output=True, text=True, check=False
    )


def exported(archive, *words):
    done = exporter(archive, *words)
    assert done.returncode == 0, done.stderr
    model = onnx.load(OUT)
    onnx.checker.check_model(model, full_check=True)
    return model


def run(model, x):
    """Without the optimiser of ONNX Runtime, which drops dropout in any mode."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, {model.graph.input[0].name: x})


def first_value(name):
    """The initial value of a batch norm's state."""
    if name.endswith("num_batches_tracked"):
        return np.array(0, np.int64)
    return np.ones(4, np.float32) if name.endswith("running_var") else np.zeros(4, np.float32)


def nodes(model, op):
    return [node for node in model.graph.node if node.op_type == op]


class Training(unittest.TestCase):
    def test_batch_norms_use_the_batch_and_update_their_statistics(self):
        x = np.load(MODELS / "Norms.npy")
        expected = list(np.load(MODELS / "Norms.npz").values())
        for form in FORMS:
            for opset in [13, 14, 18, 22]:
                with self.subTest(f"{form} at {opset}"):
                    model = exported(form.format("Norms"), "--training", "--opset", str(opset))
                    for made, wanted in zip(run(model, x), expected, strict=True):
                        np.testing.assert_allclose(made, wanted, rtol=1e-4, atol=1e-5)
                    self.assertFalse(nodes(model, "BatchNormalization"), "its kernel writes to initializers")

    def test_fresh_batch_norms_give_the_same_each_time_and_leave_their_inputs_alone(self):
        x = np.load(MODELS / "Fresh.npy")
        expected = list(np.load(MODELS / "Fresh.npz").values())
        for form in FORMS:
            for words in [[], ["--state-as-io"]]:
                with self.subTest(f"{form} {words}"):
                    model = exported(form.format("Fresh"), "--training", *words)
                    session = onnxruntime.InferenceSession(model.SerializeToString())
                    fed = {"x": x} | {i.name: first_value(i.name) for i in session.get_inputs()[1:]}
                    before = {name: value.copy() for name, value in fed.items()}
                    for _ in range(3):
                        made = session.run(None, fed)[: len(expected)]
                        for a, b in zip(made, expected, strict=True):
                            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
                        for name, value in fed.items():
                            np.testing.assert_array_equal(value, before[name])

    def test_dropouts_stay_and_each_draws_anew(self):
        x = np.load(MODELS / "Dropouts.npy")
        for form in FORMS:
            with self.subTest(form):
                model = exported(form.format("Dropouts"), "--training")
                self.assertEqual(len(nodes(model, "Dropout")), 2)
                made = run(model, x)[0]
                self.assertTrue(made.any(), "two draws are not the same")
                weights = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
                for node in nodes(model, "Dropout"):
                    self.assertEqual(weights[node.input[1]], np.float32(0.25))
                    self.assertTrue(weights[node.input[2]])

    def test_training_mode_is_refused_unless_it_is_asked_for(self):
        for name in ["Norms", "Dropouts"]:
            for form in FORMS:
                with self.subTest(form.format(name)):
                    done = exporter(form.format(name))
                    self.assertEqual(done.returncode, 1)
                    self.assertIn("training mode", done.stderr)
                    self.assertIn("--training", done.stderr)
                    self.assertFalse(OUT.exists())

    def test_dropout_says_which_opset_it_needs(self):
        done = exporter("Dropouts.pt2", "--training", "--opset", "11")
        self.assertEqual(done.returncode, 1)
        self.assertIn("opset 12", done.stderr)

    def test_what_training_does_not_change_is_the_same(self):
        x = np.load(MODELS / "Recurrent.npy")
        expected = np.load(MODELS / "Recurrent.npz")["arr_0"]
        for form in ["{}.pt2", "{}.pt"]:
            with self.subTest(form):
                model = exported(form.format("Recurrent"))
                np.testing.assert_allclose(run(model, x)[0], expected, rtol=1e-4, atol=1e-5)
                first = OUT.read_bytes()
                exported(form.format("Recurrent"), "--training")
                self.assertEqual(OUT.read_bytes(), first)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
