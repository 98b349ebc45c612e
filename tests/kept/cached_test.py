#!/usr/bin/env -S python3 -B
"""cached_test.py EXPORTER MODELS: attention with a cache in operators of com.microsoft, and what it computes."""

import os
import pathlib
import subprocess
import sys
import unittest
from collections import Counter

import numpy as np
import onnx
import onnxruntime

EXPORTER, MODELS = sys.argv[1], pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"]) / "model.onnx"
FUSED = "Causal", "Rotated", "SpelledOut", "SeesTheNext", "Masked", "NotMasked", "OnePlace"
HIDES_WHAT_COMES_LATER = "Causal", "Rotated", "SpelledOut", "OnePlace"
WORDS = "--domain", "com.microsoft", "--keep", "Attention", "--keep", "RotaryEmbedding"


def export(name, *words):
    OUT.unlink(missing_ok=True)
    command = [EXPORTER, "export", MODELS / f"{name}.pt2", "-o", OUT, "--opset", "23", *words]
    subprocess.run(command, capture_output=True, text=True, check=True)
    return onnx.load(OUT)


def kinds(model):
    return Counter(node.op_type for node in model.graph.node)


class Cached(unittest.TestCase):
    def check(self, name, model):
        """Against PyTorch, at other sizes than those of the example."""
        data = np.load(MODELS / f"{name}.npz")
        feeds = {port.name: data[f"in{i}"] for i, port in enumerate(model.graph.input)}
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        for i, got in enumerate(session.run(None, feeds)):
            np.testing.assert_allclose(got, data[f"out{i}"], rtol=1e-4, atol=1e-5, err_msg=name)

    def test_a_growing_cache_is_one_operator(self):
        for name in FUSED:
            with self.subTest(name):
                model = export(name, *WORDS)
                found = kinds(model)
                self.assertEqual(found["GroupQueryAttention"], 1, found)
                self.assertFalse({"Concat", "Softmax", "Attention", "Neg"} & set(found), found)
                # Rows that may see nothing are put in place of others, as [batch, heads, places, features].
                self.assertEqual(found["Transpose"], 2 if name in ("SeesTheNext", "Masked") else 0, found)
                self.assertEqual(found["RotaryEmbedding"], 2 if name == "Rotated" else 0)
                node, = (node for node in model.graph.node if node.op_type == "GroupQueryAttention")
                has = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
                self.assertEqual((has["num_heads"], has["kv_num_heads"]), (4, 2))
                hides = name in HIDES_WHAT_COMES_LATER
                self.assertEqual(has.get("causal", 1), int(hides))
                self.assertEqual(len(node.input), 7 if hides or name == "NotMasked" else 11)
                self.assertEqual(list(node.output)[1:], [port.name for port in model.graph.output][2:])
                self.assertEqual(has.get("softcap", 0), 20 if name == "SpelledOut" else 0)
                self.check(name, model)

    def test_a_sum_and_its_norm_are_one_operator(self):
        """The first norm has no sum in front of it."""
        model = export("Causal", *WORDS)
        found = kinds(model)
        self.assertEqual((found["SkipSimplifiedLayerNormalization"], found["RMSNormalization"]), (1, 1), found)
        plain = kinds(export("Causal"))
        self.assertEqual(plain["RMSNormalization"], 2)
        self.assertNotIn("SkipSimplifiedLayerNormalization", plain)

    def test_what_is_only_like_it_stays(self):
        for name in ("NotSeveral", "NotBehind"):
            with self.subTest(name):
                model = export(name, *WORDS)
                self.assertNotIn("GroupQueryAttention", kinds(model))
                self.check(name, model)

    def test_nothing_of_it_without_the_domain(self):
        model = export("Causal", "--keep", "Attention")
        self.assertEqual({node.domain for node in model.graph.node}, {""})
        self.assertEqual(kinds(model)["Attention"], 1)
        self.check("Causal", model)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
