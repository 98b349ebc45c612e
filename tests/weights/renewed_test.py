#!/usr/bin/env -S python3 -B
"""renewed_test.py EXPORTER FOLDER: apply-weights gives what an export of the program with these weights gives."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import unittest

import onnx

EXPORTER = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
# The small weight of "bits" is computed with while it is exported: see below.
ARCHIVES = sorted(path.name for path in FOLDER.glob("*.pt*") if not path.name.endswith((".state.pt", "bits.pt2")))
OPTIONS = [
    [],
    ["--no-fold"],
    ["--opset", "13"],
    ["--external-data", "always"],
    ["--compute-as", "float16"],
    ["--weights-as", "int8"],
    ["--opset", "21", "--weights-as", "int4"],
    ["--opset", "21", "--weights-as", "int4:16,asymmetric"],
    ["--parameter-names", "p_0,..."],
    ["--keep-initializers-as-inputs"],
    ["--functions"],
    ["--external-data", "safetensors"],
    ["--opset", "24", "--weights-as", "nvfp4", "--compute-as", "bfloat16"],
]


def run(*words):
    done = subprocess.run([EXPORTER, *words], check=False, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def exported(archive, *options, out="model.onnx"):
    status, said = run("export", FOLDER / archive, "-o", OUT / out, *options)
    if status != 0:
        raise AssertionError(said)
    return OUT / out


def applied(model, weights, *options):
    return run("apply-weights", model, "--weights", weights, "-o", OUT / "applied.onnx", *options)


def contents(path):
    """All of a model, with a hash of its weights' bytes; only the order of fields, which says nothing, is lost."""
    model = onnx.load(path)
    raw = {tensor.name: hashlib.sha256(tensor.raw_data).hexdigest() for tensor in model.graph.initializer}
    return raw, model.SerializeToString(deterministic=True)


def stated(path):
    entries = {entry.key: entry.value for entry in onnx.load(path, load_external_data=False).metadata_props}
    return entries.get("onnxport.weights", "")


class Renewed(unittest.TestCase):
    def check(self, archive, options):
        state = FOLDER / f"{archive.rsplit('.', 1)[0]}.state.pt"
        model = exported(archive, *options)
        before = contents(model)
        wanted = contents(exported(archive, *options, "--weights", state, out="wanted.onnx"))
        self.assertNotEqual(before[0], wanted[0])
        status, said = applied(model, state, *(options if "safetensors" in options else []))
        self.assertEqual(status, 0, said)
        got = contents(OUT / "applied.onnx")
        self.assertEqual(got[0], wanted[0])
        self.assertEqual(got[1], wanted[1])

    def test_same_as_an_export_with_these_weights(self):
        self.assertGreater(len(ARCHIVES), 40)
        for archive in ARCHIVES:
            for options in OPTIONS:
                with self.subTest(archive=archive, options=options):
                    self.check(archive, options)

    def test_any_weights_by_default(self):
        """Nothing is stated of weights that are the program's."""
        for archive in ["linear.pt2", "conv.pt2", "einsum.pt"]:
            self.assertEqual(stated(exported(archive)), "")
        self.assertLess(len(stated(exported("matmul.pt2"))), 130)

    def test_views(self):
        self.check("bits.pt2", ["--no-fold"])
        self.check("more_bits.pt2", ["--no-fold"])

    def test_names_of_a_tied_weight(self):
        for archive in ["tied.pt2", "tied.pt", "twice.pt2", "twice.pt"]:
            name = archive.partition(".")[0]
            for options in [[], ["--no-weights"], ["--no-fold"], ["--opset", "21", "--weights-as", "int4"]]:
                model = exported(archive, *options)
                seen = set()
                for file in [f"{name}_first", f"{name}_last", f"{name}_both"]:
                    with self.subTest(archive=archive, options=options, file=file):
                        status, said = applied(model, FOLDER / f"{file}.safetensors")
                        self.assertEqual(status, 0, said)
                        seen.add(str(contents(OUT / "applied.onnx")))
                self.assertEqual(len(seen), 1)
                self.refuse(model, f"{name}_apart", r"'[a-z.0]*weight' are one weight in the model, and two in the file")

    def refuse(self, model, file, *reasons):
        before = model.read_bytes()
        status, said = run("apply-weights", model, "--weights", FOLDER / f"{file}.safetensors", "-o", model)
        self.assertEqual(status, 1, said)
        for reason in reasons:
            self.assertRegex(said, reason)
        self.assertEqual(model.read_bytes(), before)

    def test_what_does_not_fit_is_refused_together(self):
        model = exported("conv_norm.pt2")
        self.refuse(model, "norm_misfits", r"'0.weight' is float16\[16, 3, 3, 3\] in the file, and float32\[16, 3, 3, 3\]",
                    r"'1.bias' is float32\[4\] in the file, and float32\[16\] in the model")
        self.refuse(model, "norm_part", r"'0.weight\+1.weight' is also made of 1.weight, 1.running_mean, 1.running_var, 0.bias")
        self.refuse(model, "norm_negative", r"'0.weight\+1.weight' cannot be made of these weights.*--no-fold")
        self.refuse(exported("linear.pt2", "--compute-as", "float16"), "beyond", r"'weight.float16' cannot be made of these")
        self.refuse(exported("bits.pt2", "--no-fold"), "bits_half", r"'w' is float16\[3, 32\] in the file, and float32")
        self.refuse(exported("bits.pt2"), "bits_half", r"the elements of 'w' became part of the model")
        self.refuse(exported("indices.pt"), "indices_other", r"the elements of 'at' became part of the model")

    def test_numbers_that_cannot_be_quantized(self):
        model = exported("linear.pt2", "--weights-as", "int8")
        self.refuse(model, "infinite", r"weight `weight.int8\S*` has a number that is NaN, infinite or beyond")

    def test_damaged_recipes_are_refused(self):
        model = exported("matmul.pt2")
        good = onnx.load(model)
        entry = next(entry for entry in good.metadata_props if entry.key == "onnxport.weights")
        recipe = json.loads(entry.value)
        stored = "0.weight.T"
        texts = {"{": 3, "[]": 3, "[" * 100000: 3, '{"made": {"0.weight.T": {}}}': 3, '{"made": {"0.weight.T": "x"}}': 3}
        for how in [{"transpose": [0, 0]}, {"transpose": "x"}, {"transpose": [1]}, {"transpose": [1, 2]},
                    {"transpose": [1, 0], "part": 1}, {"cast": "float16"}, {"cast": "x"}, {"view": ["float32", [-1, -32]]},
                    {"view": ["float32", [2**40, 2**40]]}, {"weight_norm": 7}, {"batch_norm": {"axis": 0}}, {"later": 1},
                    {"pieces": {"type": ["float32", [32, 64]], "ranges": [[1, 0, 8192]]}},
                    {"pieces": {"type": ["float32", [32, 64]], "ranges": [[0, 1, 8192]]}},
                    {"pieces": {"type": ["float32", [32, 64]], "ranges": [[0, -8, 8192]]}},
                    {"pieces": {"type": ["float32", [32, 64]], "ranges": [[0, 0, 4]]}},
                    {"quantize": {"type": "int4", "axis": 9, "group": 4}}, {"quantize": {"type": "int4", "axis": 0}},
                    {"quantize": {"type": "int4", "axis": 0, "group": 2**62}}]:
            texts[json.dumps({**recipe, "made": {stored: {"of": ["0.weight"], **how}}})] = 1
        for text, wanted in texts.items():
            with self.subTest(text=text[:200]):
                entry.value = text
                onnx.save(good, OUT / "damaged.onnx")
                status, said = applied(OUT / "damaged.onnx", FOLDER / "matmul.state.pt")
                self.assertEqual(status, wanted, said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
