#!/usr/bin/env -S python3 -B
"""kept_test.py EXPORTER MODELS FUSED.MD: with `--keep OPERATOR` a model has that node, and computes what it computes without."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnx.reference
import onnxruntime

EXPORTER, MODELS, FUSED = sys.argv[1:]
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
OPSET = "23"  # the first with Attention


def export(name, *words):
    """The model, or None, and what the command says."""
    out = OUT / "model.onnx"
    out.unlink(missing_ok=True)
    command = [EXPORTER, "export", pathlib.Path(MODELS) / f"{name}.pt2", "-o", out, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (onnx.load(out) if out.exists() else None), done.stderr, done.returncode


def operators(model):
    return [node.op_type for node in model.graph.node]


def outputs(model, *arrays):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, dict(zip((i.name for i in session.get_inputs()), arrays)))


def attention(q, k, v, mask):
    """In float64; a row without any place to look at is 0."""
    scores = q.astype(np.float64) @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    scores = np.where(mask, np.exp(scores - scores.max(-1, keepdims=True)), 0)
    total = scores.sum(-1, keepdims=True)
    return np.divide(scores, total, out=np.zeros_like(scores), where=total > 0) @ v


class Kept(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(0)
        self.q, self.k, self.v = (random.standard_normal(shape, dtype=np.float32)
                                  for shape in [(3, 3, 5, 8), (3, 3, 6, 8), (3, 3, 6, 4)])

    def test_a_masked_call_is_one_node(self):
        model, said, _ = export("Masked", "--opset", OPSET, "--keep", "Attention")
        self.assertEqual(operators(model).count("Attention"), 1, said)
        self.assertNotIn("Softmax", operators(model))
        mask = np.array([[i + j < 6 and i != 2 for j in range(6)] for i in range(5)])  # row 2 sees nothing
        got, = outputs(model, self.q, self.k, self.v, mask)
        np.testing.assert_allclose(got, attention(self.q, self.k, self.v, mask), rtol=1e-5, atol=1e-6)
        self.assertTrue((got[:, :, 2] == 0).all())

    def test_a_causal_call_is_one_node(self):
        model, said, _ = export("Causal", "--opset", OPSET, "--keep", "Attention")
        self.assertEqual(operators(model), ["Attention"], said)
        got, = outputs(model, self.q, self.q, self.q)
        lower = np.tril(np.ones((5, 5), dtype=bool))
        np.testing.assert_allclose(got, attention(self.q, self.q, self.q, lower), rtol=1e-5, atol=1e-6)

    def test_without_it_attention_is_spelled_out(self):
        model, _, _ = export("Causal", "--opset", OPSET)
        self.assertNotIn("Attention", operators(model))
        self.assertIn("Softmax", operators(model))

    def test_an_opset_without_it_is_refused(self):
        model, said, status = export("Causal", "--opset", "22", "--keep", "Attention")
        self.assertEqual((model, status), (None, 2), said)
        self.assertIn("no operator `Attention` at opset 22", said)
        self.assertIn("but from opset 23 on", said)
        self.assertIn("--keep", said)

    def test_a_deprecated_operator_is_refused(self):
        model, said, status = export("Causal", "--opset", "18", "--keep", "Upsample")
        self.assertEqual((model, status), (None, 2), said)
        self.assertIn("--keep: `Upsample` is deprecated at opset 18", said)
        self.assertIn("up to opset 9", said)

    def test_a_misspelt_operator_has_its_nearest_name(self):
        for wanted, nearest in [("Attenton", "Attention"), ("attention", "Attention"), ("RMSNormalisation", "RMSNormalization")]:
            model, said, status = export("Causal", "--opset", OPSET, "--keep", wanted)
            self.assertEqual((model, status), (None, 2), said)
            self.assertIn(f"no operator `{wanted}` at opset {OPSET}", said)
            self.assertIn(f"did you mean `{nearest}`?", said)

    def test_help_and_documents_name_what_ops_lists(self):
        listed = subprocess.run([EXPORTER, "ops", "--keep", "--json"], capture_output=True, text=True, check=True).stdout
        names = {row["name"]: str(row["first_opset"]) for row in json.loads(listed)}
        self.assertIn("Attention", names)
        table = pathlib.Path(FUSED).read_text().split("| `--keep` | from opset |")[1].split("\n\n")[0]
        rows = [[cell.strip(" `") for cell in row.split(" | ")][:2] for row in table.splitlines()[2:]]
        self.assertEqual(dict([name.strip("| `"), opset] for name, opset in rows), names)
        said = subprocess.run([EXPORTER, "export", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn("`exporter ops --keep`", " ".join(said.split()))
        early = subprocess.run([EXPORTER, "ops", "--keep", "--opset", "22"], capture_output=True, text=True, check=True)
        self.assertEqual(early.stdout.split()[0], "DequantizeLinear")

    def test_a_program_without_such_a_call_is_told(self):
        model, said, status = export("NoAttention", "--opset", OPSET, "--keep", "Attention")
        self.assertEqual((operators(model), status), (["Relu"], 0), said)
        self.assertIn("nothing became Attention", said)

    def test_a_cache_is_written_by_one_node(self):
        model, said, _ = export("Caches", "--opset", "24", "--keep", "TensorScatter")
        self.assertEqual(operators(model).count("TensorScatter"), 3, said)
        self.assertFalse({"ScatterElements", "ScatterND", "Concat"} & set(operators(model)))
        new = np.random.default_rng(1).standard_normal((2, 3, 1, 4), dtype=np.float32)
        for at in range(8):
            whole = np.zeros((2, 3, 8, 4), np.float32)
            whole[:, :, at:at + 1] = new
            for got in outputs(model, new, np.array([at])):
                np.testing.assert_array_equal(got, whole + 1, err_msg=f"at {at}")

    def test_without_it_a_cache_is_scattered(self):
        model, _, _ = export("Caches", "--opset", "24")
        self.assertEqual({"ScatterElements", "ScatterND", "Concat"} - set(operators(model)), set())
        self.assertNotIn("TensorScatter", operators(model))

    def test_a_rotation_is_one_node(self):
        """As transformers writes it, by halves, and in turns, of queries and keys with other heads, at batches known only at run time."""
        for name in ("Rotated", "RotatedHalves", "RotatedInTurns", "RotatedPairs", "RotatedUnbound", "RotatedComplex"):
            with self.subTest(name):
                model, said, _ = export(name, "--opset", OPSET, "--keep", "RotaryEmbedding")
                self.assertEqual(operators(model).count("RotaryEmbedding"), 2, said)
                self.assertNotIn("Neg", operators(model))
                plain, _, _ = export(name, "--opset", OPSET)
                self.assertNotIn("RotaryEmbedding", operators(plain))
                random = np.random.default_rng(2)
                for batch in (1, 3):
                    q, k = (random.standard_normal((batch, heads, 5, 8), dtype=np.float32) for heads in (4, 2))
                    places = random.integers(0, 50, (batch, 5))
                    for got, expected in zip(outputs(model, q, k, places), outputs(plain, q, k, places)):
                        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)

    def test_other_rotations_stay(self):
        """Halves that are put back in turns, angles for single heads, halves that differ, and pairs that are turned the other way."""
        for name, why in [("RotatedAcross", "it is not made of the two halves of one value, in its order"),
                          ("RotatedByHead", "the two angles of a pair are not known to be equal"),
                          ("RotatedUnlike", "the two angles of a pair are not known to be equal"),
                          ("RotatedBack", "it turns pairs the other way")]:
            model, said, _ = export(name, "--opset", OPSET, "--keep", "RotaryEmbedding")
            self.assertNotIn("RotaryEmbedding", operators(model), name)
            self.assertRegex(said, rf"nothing became RotaryEmbedding: the nearest is the \w+ at \S+make.py:\d+, but {re.escape(why)}")

    def test_a_window_that_looks_back_is_one_node(self):
        """The reference evaluator runs it, at lengths below the window, too; ONNX Runtime 1.32 has no such opset."""
        random = np.random.default_rng(4)
        for name, count in [("LooksBack", 2), ("LooksBackOverZeros", 1), ("LooksBackAndIsCut", 1)]:
            with self.subTest(name):
                model, said, _ = export(name, "--opset", "27", "--keep", "CausalConvWithState")
                self.assertEqual(operators(model), ["CausalConvWithState"], said)
                self.assertEqual(len(model.graph.node[0].output), count)
                plain, _, _ = export(name, "--opset", "25")
                self.assertIn("Conv", operators(plain))
                for length in (2, 7):
                    arrays = [random.standard_normal((3, 6, size), dtype=np.float32) for size in (length, 3)]
                    feeds = dict(zip((port.name for port in model.graph.input), arrays))
                    got = onnx.reference.ReferenceEvaluator(model).run(None, feeds)
                    for one, expected in zip(got, outputs(plain, *arrays)):
                        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-5)

    def test_other_windows_stay(self):
        too_short = "its input has not as many kept places or zeros in front as its window has before its last one"
        for name, why in [("LooksAhead", too_short), ("LooksAtOthers", "it is not one of each channel by itself"),
                          ("LooksBackOverOnes", too_short), ("LooksFurtherBack", too_short)]:
            model, said, _ = export(name, "--opset", "27", "--keep", "CausalConvWithState")
            self.assertIn("Conv", operators(model), name)
            self.assertRegex(said, rf"nothing became CausalConvWithState: the nearest is the Conv at \S+, but {why}")

    def test_a_gated_unit_is_one_node(self):
        model, said, _ = export("Gated", "--opset", "28", "--keep", "SwiGLU")
        self.assertEqual(operators(model), ["SwiGLU"], said)
        x, y = (np.random.default_rng(3).standard_normal((2, 5), dtype=np.float32) for _ in range(2))
        # ONNX Runtime 1.32 has neither it nor the Swish that it is made of.
        got, = onnx.reference.ReferenceEvaluator(model).run(None, {"x": x, "y": y})
        np.testing.assert_allclose(got, x / (1 + np.exp(-x)) * y, rtol=1e-5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
