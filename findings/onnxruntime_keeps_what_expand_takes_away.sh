#!/usr/bin/env bash
# ONNX Runtime 1.32.0: an Expand of an axis of one element to none gives a tensor without elements. With the basic
# optimizations, which are on by default, it is removed where no axis grows, and the element stays: the result has
# another shape. The input of a model in its place, or another axis that grows, and it is as it should be.
#
#> Expand of [2, 1] to {0} (2, 0), optimized (2, 1)
#> Expand of [2, 1] to {2, 0} (2, 0), optimized (2, 1)
#> Expand of ['n', 'm'] to {0} (2, 0), optimized (2, 1)
#> Expand of [1, 1] to {3, 0} (3, 0), optimized (3, 0)
#> Tile of [2, 1] by {1, 0} (2, 0), optimized (2, 0)

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
import onnxruntime
from models import T, model, node

Level = onnxruntime.GraphOptimizationLevel


def shapes(op, dims, numbers):
    nodes = [node("Abs", ["x"], ["a"]), node(op, ["a", "numbers"], ["b"]), node("Neg", ["b"], ["y"])]
    made = model(
        nodes, {"x": (T.FLOAT, dims)}, {"y": (T.FLOAT, [None, None])}, 13, {"numbers": np.array(numbers, np.int64)}
    )
    x = np.ones([dim if isinstance(dim, int) else {"n": 2, "m": 1}[dim] for dim in dims], np.float32)
    for level in (Level.ORT_DISABLE_ALL, Level.ORT_ENABLE_BASIC):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        session = onnxruntime.InferenceSession(made.SerializeToString(), options)
        yield session.run(None, {"x": x})[0].shape


for op, dims, numbers in (
    ("Expand", [2, 1], [0]),
    ("Expand", [2, 1], [2, 0]),
    ("Expand", ["n", "m"], [0]),
    ("Expand", [1, 1], [3, 0]),
    ("Tile", [2, 1], [1, 0]),
):
    plain, optimized = shapes(op, dims, numbers)
    text = "{" + ", ".join(map(str, numbers)) + "}"
    print(f"{op} of {dims} {'to' if op == 'Expand' else 'by'} {text} {plain}, optimized {optimized}")
PYTHON
