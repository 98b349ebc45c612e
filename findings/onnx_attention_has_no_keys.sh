#!/usr/bin/env bash
# ONNX 1.23.2 infers that the weights of an Attention have 0 keys if the number of keys is a free axis and there is no
# past. ONNX Runtime 1.32.0 believes it, and its optimizations make a constant of the wrong shape. Without them it is
# right.
#
#> inferred [1, 2, 3, 0]
#> optimized [1 2 3 0]
#> plain [1 2 3 5]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
import onnx
from models import T, in_onnx_runtime, model, node

nodes = [
    node("Attention", ["q", "k", "v"], ["y", "", "", "weights"], qk_matmul_output_mode=3),
    node("Shape", ["weights"], ["shape"]),
]
keys = (T.FLOAT, [1, 2, "keys", 4])
made = model(nodes, {"q": (T.FLOAT, [1, 2, 3, 4]), "k": keys, "v": keys}, {"shape": (T.INT64, [4])}, 23)
inferred = {value.name: value for value in onnx.shape_inference.infer_shapes(made).graph.value_info}
print("inferred", [dim.dim_value for dim in inferred["weights"].type.tensor_type.shape.dim])
feed = {"q": np.ones((1, 2, 3, 4), np.float32), "k": np.ones((1, 2, 5, 4), np.float32)}
feed["v"] = feed["k"]
for optimized in (True, False):
    print("optimized" if optimized else "plain", in_onnx_runtime(made, feed, optimized)[0])
PYTHON
