#!/usr/bin/env -S python3 -B
"""state_test.py EXPORTER MODELS: several runs of a model that is given back its state, against several calls."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime

EXPORTER, MODELS = sys.argv[1:]
MODELS = pathlib.Path(MODELS)
FOLDER = pathlib.Path(os.environ["TEST_TMPDIR"])
OUT = FOLDER / "model.onnx"
PROGRAMS = ["{}.pt2", "{}_decomposed.pt2"]
FORMS = [*PROGRAMS, "{}.pt"]
INPUTS = {"Cache": ["x=f32[1,1,8]", "position=i64[1]"], "Written": ["x=f32[2,3]", "cache=f32[2,3]"]}
PREFIX = "onnxport.state."
STATISTICS = ["running_mean", "running_var", "num_batches_tracked"]


def exporter(archive, *words):
    name = archive.split(".")[0]
    if archive.endswith(".pt"):
        words = [*words, *(word for text in INPUTS.get(name, ["x=f32[2,3]"]) for word in ("--input", text))]
    OUT.unlink(missing_ok=True)
    return subprocess.run(
        [EXPORTER, "export", MODELS / archive, "-o", OUT, *words], capture_output=True, text=True, check=False
    )


def exported(archive, *words):
    done = exporter(archive, "--state-as-io", *words)
    assert done.returncode == 0, done.stderr
    model = onnx.load(OUT)
    onnx.checker.check_model(model, full_check=True)
    return model


def pairs_of(model):
    return {p.key.removeprefix(PREFIX): p.value for p in model.metadata_props if p.key.startswith(PREFIX)}


class State(unittest.TestCase):
    def follow(self, name, archive, *words):
        """Runs the model as often as the module was called; what its state is then."""
        model = exported(archive, *words)
        session = onnxruntime.InferenceSession(model.SerializeToString())
        arrays = np.load(MODELS / f"{name}.npz")
        pairs = pairs_of(model)
        inputs = [i.name for i in session.get_inputs()]
        outputs = [o.name for o in session.get_outputs()]
        state = {key: arrays[f"first.{key}"] for key in pairs}
        own = [key for key in inputs if key not in pairs]
        self.assertEqual(inputs, own + list(pairs), "state comes last")
        self.assertEqual(outputs[len(outputs) - len(pairs) :], list(pairs.values()))
        for call in range(sum(key.startswith("y_") and key.endswith("_0") for key in arrays)):
            given = {key: arrays[f"x_{call}_{i}"] for i, key in enumerate(own)}
            made = dict(zip(outputs, session.run(None, given | state), strict=True))
            for i, key in enumerate(outputs[: len(outputs) - len(pairs)]):
                np.testing.assert_allclose(made[key], arrays[f"y_{call}_{i}"], rtol=1e-4, atol=1e-5)
            for key, following in pairs.items():
                self.assertEqual(made[following].dtype, state[key].dtype)
                state[key] = made[following]
        for key, value in state.items():
            np.testing.assert_allclose(value, arrays[f"last.{key}"], rtol=1e-4, atol=1e-5)
        return model, state

    def test_several_runs_are_several_calls(self):
        cases = [
            ("Cache", ["k", "v"], []),
            ("Counter", ["steps", "sums"], []),
            ("Halves", ["last"], []),
            ("Norms", [f"{n}.{b}" for n in ["norm", "average"] for b in STATISTICS], ["--training"]),
            ("Cell", ["h"], []),
            ("Overwritten", ["seen"], []),
        ]
        for name, buffers, words in cases:
            for form in FORMS:
                with self.subTest(form.format(name)):
                    model, state = self.follow(name, form.format(name), *words)
                    self.assertEqual(sorted(state), sorted(buffers))
                    self.assertEqual(pairs_of(model), {key: f"{key}.next" for key in state})
                    self.assertFalse({w.name for w in model.graph.initializer} & set(state))

    def test_branches_loops_lists_and_tuples_of_a_script(self):
        for name, buffers in [
            ("Branches", ["total", "loops"]),
            ("Held", ["shifts.0", "shifts.1", "pair.0", "pair.1"]),
        ]:
            with self.subTest(name):
                _, state = self.follow(name, f"{name}.pt")
                self.assertEqual(sorted(state), sorted(buffers))

    def test_old_and_new_opsets(self):
        for opset in ["13", "16", "22"]:
            with self.subTest(opset):
                self.follow("Cache", "Cache.pt2", "--opset", opset)

    def test_without_simplifications(self):
        for form in FORMS:
            self.follow("Counter", form.format("Counter"), "--no-fold")

    def test_an_input_that_is_written_to_has_an_output(self):
        arrays = np.load(MODELS / "Written.npz")
        for form in FORMS:
            with self.subTest(form):
                model = exported(form.format("Written"))
                self.assertEqual(pairs_of(model), {"cache": "cache.next"})
                session = onnxruntime.InferenceSession(model.SerializeToString())
                made = session.run(None, {"x": arrays["x_0_0"], "cache": arrays["x_0_1"]})
                np.testing.assert_allclose(made[0], arrays["y_0_0"], rtol=1e-4, atol=1e-5)
                np.testing.assert_allclose(made[1], arrays["written_0"], rtol=1e-4, atol=1e-5)

    def test_the_report_says_where_first_values_are(self):
        report = FOLDER / "report.json"
        exported("Cache.pt2", "--report", str(report))
        said = json.loads(report.read_text())
        self.assertEqual(
            said["state"],
            [
                {"dtype": "float32", "shape": [1, 6, 8], "input": key, "output": f"{key}.next", "first_value": key}
                for key in ["k", "v"]
            ],
        )
        self.assertTrue(said["options"]["state_as_io"])

    def test_weights_without_elements_come_last(self):
        model = exported("Cache.pt2", "--no-weights")
        self.assertEqual([i.name for i in model.graph.input][:4], ["x", "position", "k", "v"])
        self.assertIn("qkv.weight", [i.name for i in model.graph.input][4:])

    def test_without_the_option_the_note_names_it(self):
        for archive in ["Counter.pt2", "Counter_decomposed.pt2", "Counter.pt", "Cell.pt"]:
            with self.subTest(archive):
                done = exporter(archive)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("is not kept", done.stderr)
                self.assertIn("--state-as-io", done.stderr)
                self.assertEqual(pairs_of(onnx.load(OUT)), {})

    def test_a_remark_names_ten_and_how_many_more(self):
        done = exporter("many.pt2", "--state-as-io")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("'b09'", done.stderr)
        self.assertNotIn("'b10'", done.stderr)
        self.assertIn(" and 3 more", done.stderr)
        self.assertEqual(len(pairs_of(onnx.load(OUT))), 13)

    def test_what_a_model_cannot_keep_is_refused(self):
        for kind, reason in [
            ("number", "`n` of the module is int before the call"),
            ("shared", "shares memory with"),
            ("grows", "one shape"),
            ("one", "may be one tensor after the call"),
        ]:
            with self.subTest(kind):
                done = exporter(f"refused_{kind}.pt", "--state-as-io")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertNotIn("make.py", done.stderr, "it is no line's fault")
                self.assertFalse(OUT.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
