#!/usr/bin/env -S python3 -B
"""attention_test.py EXPORTER MODELS: with `--keep Attention`, what spells it out is one node and computes the same."""

import os
import pathlib
import subprocess
import sys
import unittest
from collections import Counter

import numpy as np
import onnx
import onnx.reference
import onnxruntime

EXPORTER, MODELS = sys.argv[1], pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"]) / "model.onnx"
OPSETS = "23", "24", "25"  # from the first with Attention to the newest that ONNX Runtime has

WITH_WEIGHTS = {"qk_matmul_output_mode": 3}

# The note's text if nothing became Attention.
WHY_NOT = {
    "not_a_positive_scale": "the nearest is the MatMul of a Softmax at ",
    "not_along_keys": "but the softmax is not over the last axis",
    "not_hidden_enough": "but the number that hides a score is above -1e30",
    "not_joined_and_broadcast": "but the sizes of its queries, keys and values differ",
    "not_of_values_made_of_weights": "but its weights are used elsewhere",
    "not_one_scale": "but its scores are no product with a scale and a mask",
    "not_divided_after": "no part of the program matches that operator",
}

# The operators beside Attention, and its attributes beside the scale.
FUSED = {
    "plain": ({}, {}),
    "scaled_before": ({}, {}),
    "causal_by_tril": ({"Transpose": 0, "Reshape": 0}, {"is_causal": 1}),
    "causal_by_constant": ({}, {"is_causal": 1}),
    "causal_by_places": ({}, {"is_causal": 1}),
    "causal_by_weak_fill": ({}, {"is_causal": 1}),
    "causal_but_for_one": ({"Where": 0}, {}),
    "shared_heads": ({}, {"is_causal": 1, "softcap": 30}),
    "padded": ({"Expand": 1}, {}),
    "llama": ({"Transpose": 0, "Reshape": 0, "Expand": 0, "Tile": 0}, {}),
    "rotated_heads": ({"RotaryEmbedding": 0}, {"is_causal": 1}),
    "repeated_before_transposed": ({}, {}),
    "repeated_in_another_order": ({"Tile": 2}, {}),
    "repeated_for_a_call": ({}, {"is_causal": 1, "softmax_precision": 1}),
    "one_head_of_keys": ({}, {}),
    "shown_or_lowest": ({}, {}),
    "lowest_and_less_low": ({}, {}),
    "by_einsum": ({"Transpose": 0, "Einsum": 0, "MatMul": 0}, {}),
    "by_einsum_of_other_orders": ({"Transpose": 1, "Einsum": 0, "MatMul": 0}, {}),
    "hidden_by_infinity": ({}, {}),
    "joined_without_heads": ({"Transpose": 0, "Reshape": 0}, {}),
    "joined_with_a_mask": ({}, {}),
    "joined_but_for_the_mask": ({}, {}),
    "joined_by_torch": ({"Transpose": 7, "Reshape": 3}, {}),
    "joined_of_one_batch": ({}, {}),
    "joined_and_causal": ({"Where": 0}, {"is_causal": 1}),
    "joined_and_padded": ({}, {}),
    "weights_are_a_result": ({"Reshape": 0}, WITH_WEIGHTS),
    "weights_are_the_first_result": ({}, WITH_WEIGHTS | {"is_causal": 1, "softcap": 30}),
    "weights_of_bert": ({}, WITH_WEIGHTS),
    "weights_of_shared_heads": ({"Tile": 0, "Expand": 1}, WITH_WEIGHTS),
    "weights_averaged_by_torch": ({"ReduceMean": 1}, WITH_WEIGHTS),
    "weights_of_each_head_by_torch": ({}, WITH_WEIGHTS | {"is_causal": 1}),
    "weights_padded_by_torch": ({}, WITH_WEIGHTS),
    "weights_of_joined_heads": ({}, WITH_WEIGHTS),
    "weights_of_joined_scores": ({}, WITH_WEIGHTS),
    "weights_used_before": ({"ReduceMax": 2}, WITH_WEIGHTS),
    "weights_of_two_products": ({"MatMul": 1}, WITH_WEIGHTS),
    "weights_of_their_product": ({"MatMul": 1}, WITH_WEIGHTS),
}

# The heads of queries, and of keys and values, where the program divides and joins them: Attention of three axes does so.
JOINED = {
    "by_einsum": (4, 4), "causal_by_constant": (4, 4), "causal_by_tril": (4, 4), "joined_and_causal": (4, 4),
    "joined_but_for_the_mask": (4, 4), "joined_by_torch": (4, 4), "joined_of_one_batch": (4, 4),
    "joined_with_a_mask": (1, 1), "joined_without_heads": (1, 1), "llama": (4, 2), "padded": (4, 4),
    "weights_averaged_by_torch": (4, 4), "weights_of_bert": (4, 4), "weights_of_each_head_by_torch": (4, 4),
    "weights_of_joined_heads": (1, 1), "weights_of_shared_heads": (4, 2),
}

TRAINED = "weights_dropped"  # exported with --training

# They have products of their own beside it.
PROJECTED = {"padded", "rotated_heads", "causal_by_tril", "causal_by_constant", "llama", "joined_but_for_the_mask", "joined_by_torch",
             "joined_of_one_batch", "joined_and_causal", "joined_and_padded", "weights_of_bert",
             "weights_of_shared_heads", "weights_averaged_by_torch", "weights_of_each_head_by_torch",
             "weights_padded_by_torch", "weights_of_two_products", "weights_of_their_product"}


def export(name, opset, *words):
    OUT.unlink(missing_ok=True)
    command = [EXPORTER, "export", MODELS / f"{name}.pt2", "-o", OUT, "--opset", opset, *words]
    subprocess.run(command, capture_output=True, text=True, check=True)
    return onnx.load(OUT)


def kinds(model):
    return Counter(node.op_type for node in model.graph.node)


class Attention(unittest.TestCase):
    @staticmethod
    def projections(name):
        return {"MatMul"} if name in PROJECTED else set()

    def check(self, name, model):
        """Against PyTorch, at the sizes of the example and at others."""
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        for output in session.get_outputs():  # by ONNX's inference
            self.assertNotIn(0, output.shape, f"{name}, {output.name}")
        runs = session, onnx.reference.ReferenceEvaluator(model)
        for path in MODELS.glob(f"{name}.*.npz"):
            data = np.load(path)
            feeds = {port.name: data[f"in{i}"] for i, port in enumerate(model.graph.input)}
            for run in runs:
                for i, got in enumerate(run.run(None, feeds)):
                    message = f"{path.name}, {run}, output {i}"
                    np.testing.assert_allclose(got, data[f"out{i}"], rtol=1e-4, atol=1e-5, err_msg=message)

    def test_what_spells_it_out_is_one_node(self):
        for name, (beside, attributes) in FUSED.items():
            for opset in OPSETS:
                with self.subTest(name, opset=opset):
                    model = export(name, opset, "--keep", "Attention")
                    found = kinds(model)
                    self.assertEqual(found["Attention"], 1, found)
                    self.assertFalse({"Softmax", "MatMul"} & set(found) - self.projections(name), found)
                    self.assertEqual("Trilu" in found, name == "causal_but_for_one", found)
                    for op, count in beside.items():
                        self.assertEqual(found[op], count, found)
                    node, = (node for node in model.graph.node if node.op_type == "Attention")
                    has = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
                    self.assertGreater(has.pop("scale"), 0)
                    heads = has.pop("q_num_heads", None), has.pop("kv_num_heads", None)
                    self.assertEqual(heads, JOINED.get(name, (None, None)))
                    self.assertEqual(has, attributes)
                    self.check(name, model)

    def test_keys_and_values_are_not_repeated(self):
        for name in ("shared_heads", "repeated_before_transposed", "repeated_for_a_call"):
            model = export(name, "23", "--keep", "Attention")
            heads = {value.name: value.type.tensor_type.shape.dim[1].dim_value
                     for value in [*model.graph.value_info, *model.graph.input]
                     if len(value.type.tensor_type.shape.dim) == 4}
            node, = (node for node in model.graph.node if node.op_type == "Attention")
            self.assertEqual([heads[name] for name in node.input[:3]], [4, 2, 2], name)
            self.assertFalse({"Expand", "Tile"} & set(kinds(model)), name)

    def test_a_rotation_takes_joined_heads_too(self):
        for opset in OPSETS:
            model = export("rotated_heads", opset, "--keep", "Attention", "--keep", "RotaryEmbedding")
            found = kinds(model)
            self.assertEqual((found["RotaryEmbedding"], found["Attention"]), (2, 1), found)
            heads = [(a.name, a.i) for node in model.graph.node for a in node.attribute if a.name.endswith("num_heads")]
            self.assertEqual(sorted(heads), [("kv_num_heads", 2), ("num_heads", 2), ("num_heads", 4), ("q_num_heads", 4)])
            self.check("rotated_heads", model)

    def test_what_is_only_like_it_stays(self):
        names = sorted(path.stem for path in MODELS.glob("not_*.pt2"))
        self.assertGreater(len(names), 8)
        for name in names:
            with self.subTest(name):
                model = export(name, "23", "--keep", "Attention")
                self.assertNotIn("Attention", kinds(model))
                self.check(name, model)

    def test_the_note_says_what_did_not_fit(self):
        for name, why in WHY_NOT.items():
            command = [EXPORTER, "export", MODELS / f"{name}.pt2", "-o", OUT, "--opset", "23", "--keep", "Attention"]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
            self.assertIn("nothing became Attention: ", said, name)
            self.assertIn(why, said, name)

    def test_weights_that_training_changes_stay(self):
        model = export(TRAINED, "23", "--keep", "Attention", "--training")
        self.assertLessEqual({"Softmax", "Dropout"}, set(kinds(model)))

    def test_every_program_is_looked_at(self):
        names = {path.stem for path in MODELS.glob("*.pt2")}
        self.assertEqual(names - set(FUSED), {TRAINED} | {name for name in names if name.startswith("not_")})

    def test_without_it_all_is_spelled_out(self):
        self.assertNotIn("Attention", kinds(export("plain", "23")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
