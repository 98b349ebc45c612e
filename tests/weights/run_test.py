#!/usr/bin/env -S python3 -B
"""run_test.py EXPORTER FOLDER: weights that are inputs, renamed or put in later, in ONNX Runtime."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(3)
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


def applied(model, weights, *options, out="applied.onnx"):
    words = [EXPORTER, "apply-weights", model, "--weights", FOLDER / weights, "-o", OUT / out, *options]
    done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


class ApplyWeights(unittest.TestCase):
    def test_a_model_gets_other_weights(self):
        for model in MODELS:
            for options in [["--no-weights"], ["--no-fold"], ["--no-fold", "--external-data", "always"],
                            ["--no-fold", "--opset", "8"], ["--no-weights", "--opset", "8"]]:
                for weights in ["second.safetensors", "second_state.pt", "second.pt"]:
                    with self.subTest(model=model, options=options, weights=weights):
                        status, said = applied(exported(model, *options), weights)
                        self.assertEqual(status, 0, said)
                        np.testing.assert_allclose(run(OUT / "applied.onnx"), RUN["second"], rtol=1e-5, atol=1e-6)
                        inputs = names(onnx.load(OUT / "applied.onnx").graph.input)
                        self.assertEqual(inputs == ["x"], "8" not in options)

    def test_in_place(self):
        model = exported("first.pt2", "--no-weights")
        status, said = applied(model, "second.safetensors", out=model.name)
        self.assertEqual(status, 0, said)
        self.assertIn("7 weights are those of", said)
        np.testing.assert_allclose(run(model), RUN["second"], rtol=1e-5, atol=1e-6)

    def test_all_that_does_not_fit_is_told(self):
        misfit = "'fc.weight' is float16[4, 4] in the file, and float32[4, 4] in the model"
        reasons = {"first.pt": [misfit], "first.pt2": [misfit, "there is no 'shift' in the file"]}
        for name in MODELS:
            with self.subTest(model=name):
                model = exported(name, "--no-weights")
                before = model.read_bytes()
                status, said = applied(model, "wrong.safetensors", out=model.name)
                self.assertEqual(status, 1, said)
                for reason in reasons[name]:
                    self.assertIn(reason, said)
                self.assertEqual(model.read_bytes(), before)

    def test_without_metadata_what_passes_made_is_refused(self):
        model = exported("folded.pt2", "--no-metadata")
        own = tensors(model)
        self.assertEqual(len([name for name in own if "+" in name]), 2, own.keys())
        status, said = applied(model, "folded.safetensors", out="refused.onnx")
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"'fc.weight\S*\+norm.weight' may have been computed of 'fc.weight'.*--no-fold.*--weights")
        self.assertFalse((OUT / "refused.onnx").exists())

    def test_parts_that_the_file_lacks(self):
        model = exported("joined.pt2")
        self.assertIn("parts.0+parts.1+parts.2+parts.3+...", tensors(model))
        status, said = applied(model, "last_part.safetensors", out="refused.onnx")
        self.assertEqual(status, 1, said)
        self.assertRegex(said, r"parts.3\+...' is also made of parts.0, parts.1, parts.2, parts.3, parts.4, which the ")
        self.assertFalse((OUT / "refused.onnx").exists())
        status, said = applied(model, "shift.safetensors")
        self.assertEqual(status, 0, said)

    def test_numbers_of_weights_are_refused(self):
        model = exported("number.pt")
        entries = {entry.key: entry.value for entry in onnx.load(model).metadata_props}
        self.assertEqual(entries["onnxport.numbers"], '["scale"]')
        status, said = applied(model, "number.safetensors", out="refused.onnx")
        self.assertEqual(status, 1, said)
        self.assertIn("the number in 'scale' became part of the model", said)
        self.assertFalse((OUT / "refused.onnx").exists())
        status, said = applied(model, "number_rest.safetensors")
        self.assertEqual(status, 0, said)

    def test_a_file_of_something_else(self):
        model = exported("first.pt2")
        status, said = applied(model, "other.safetensors")
        self.assertEqual(status, 1, said)
        self.assertIn("none of its tensors is one: it has more", said)


class Safetensors(unittest.TestCase):
    def setUp(self):
        for old in OUT.glob("model.*"):
            old.unlink()

    def test_the_data_file_is_one(self):
        for model in MODELS:
            with self.subTest(model=model):
                path = exported(model, "--external-data", "safetensors", "--no-fold")
                np.testing.assert_allclose(run(path), RUN["first"], rtol=1e-5, atol=1e-6)
                locations = {entry.value for tensor in onnx.load(path, load_external_data=False).graph.initializer
                             for entry in tensor.external_data if entry.key == "location"}
                self.assertEqual(len(locations), 1)
                self.check_file(OUT / locations.pop(), tensors(path))

    def check_file(self, path, own):
        data = path.read_bytes()
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        self.assertEqual(header.pop("__metadata__"), {"format": "pt"})
        self.assertEqual((8 + size) % 8, 0)
        end = 0
        for name, entry in header.items():
            begin, stop = entry["data_offsets"]
            self.assertEqual(begin, end)  # no gaps
            end = stop
            self.assertEqual(entry["shape"], list(own[name].shape))
            np.testing.assert_array_equal(np.frombuffer(data[8 + size :][begin:stop], own[name].dtype), own[name].ravel())
        self.assertEqual(8 + size + end, len(data))
        self.assertLess({"norm.bias", "norm.running_var", "shift"}, set(header))

    def test_its_weights_can_be_given_to_another_model(self):
        path = exported("second.pt2", "--external-data", "safetensors", "--no-fold")
        data = next(OUT.glob("model.*.safetensors"))
        data.rename(OUT / "weights.safetensors")
        status, said = applied(exported("first.pt2", "--no-weights"), OUT / "weights.safetensors")
        self.assertEqual(status, 0, said)
        np.testing.assert_allclose(run(OUT / "applied.onnx"), RUN["second"], rtol=1e-5, atol=1e-6)

    def test_a_file_that_is_replaced_goes_and_no_other(self):
        exported("first.pt2", "--external-data", "safetensors")
        old = next(OUT.glob("model.*.safetensors"))
        other = OUT / ("model." + "0" * 32 + ".safetensors")
        other.write_text("of somebody else")
        words = [EXPORTER, "export", FOLDER / "second.pt2", "-o", OUT / "model.onnx", "--external-data", "safetensors"]
        subprocess.run(words, check=True)
        self.assertFalse(old.exists())
        self.assertTrue(other.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
