#!/usr/bin/env -S python3 -B
"""transformers_test.py EXPORTER MODELS: onnxruntime.transformers.optimizer finds in our model of an encoder what it finds in
one that is made for it. It looks for sums whose shapes its own inference (symbolic_shape_infer) knows, and does nothing
where that stops at a node."""

import collections
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference
from onnxruntime.transformers import optimizer

EXPORTER, MODELS = sys.argv[1:]
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
OPSETS = [14, 17, 18, 20, 23]


def exported(opset):
    out = OUT / f"encoder{opset}.onnx"
    command = [EXPORTER, "export", f"{MODELS}/encoder.pt2", "-o", out, "--opset", str(opset)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return str(out)


def outputs(model):
    feeds = {"ids": np.arange(12).reshape(2, 6), "mask": np.array([[True] * 6, [True] * 4 + [False] * 2])}
    settings = onnxruntime.SessionOptions()
    # ONNX Runtime 1.32's own optimizations fail on what its tool for transformers makes, of torch.onnx's models, too.
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model, settings).run(None, feeds)


class Transformers(unittest.TestCase):
    def test_every_shape_is_inferred(self):
        for opset in OPSETS:
            with self.subTest(opset=opset):
                model = SymbolicShapeInference.infer_shapes(onnx.load(exported(opset)), auto_merge=True)
                self.assertIsNotNone(model)
                known = {value.name for value in model.graph.value_info if value.type.tensor_type.HasField("shape")}
                made = {name for node in model.graph.node for name in node.output}
                self.assertEqual(made - known, set())

    def test_sums_before_layer_norms_are_fused(self):
        for opset in OPSETS:
            with self.subTest(opset=opset):
                path = exported(opset)
                found = optimizer.optimize_model(path, model_type="bert", num_heads=4, hidden_size=32).model
                kinds = collections.Counter(node.op_type for node in found.graph.node)
                self.assertEqual(kinds["SkipLayerNormalization"], 4)  # two in each of two blocks
                self.assertEqual(kinds["LayerNormalization"], 1)
                for got, want in zip(outputs(found.SerializeToString()), outputs(path), strict=True):
                    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
