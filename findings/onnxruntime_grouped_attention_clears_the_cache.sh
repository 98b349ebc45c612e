#!/usr/bin/env bash
# ONNX Runtime 1.32.0: com.microsoft.GroupQueryAttention gives a cache as long as the one it got, with 0 behind the new
# place. Here place 3 of 6 is written, and places 4 and 5 are cleared.
#
#> [5. 5. 5. 1. 0. 0.]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, node
from onnx import helper

inputs = ["q", "k", "v", "past_k", "past_v", "before", "total"]
attention = node("GroupQueryAttention", inputs, ["y", "k2", "v2"], domain="com.microsoft", num_heads=1, kv_num_heads=1)
one, cache, number = (T.FLOAT, [1, 1, 8]), (T.FLOAT, [1, 1, 6, 8]), (T.INT32, [1])
value = helper.make_tensor_value_info
graph = helper.make_graph(
    [attention],
    "finding",
    [value(name, *kind) for name, kind in zip(inputs, [one, one, one, cache, cache, number, number])],
    [value("y", *one), value("k2", *cache), value("v2", *cache)],
)
opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
made = helper.make_model(graph, opset_imports=opsets, ir_version=10)
feed = {name: np.ones((1, 1, 8), np.float32) for name in "qkv"}
feed |= {name: np.full((1, 1, 6, 8), 5, np.float32) for name in ("past_k", "past_v")}
feed |= {"before": np.array([3], np.int32), "total": np.array([4], np.int32)}
print(in_onnx_runtime(made, feed)[1][0, 0, :, 0])
PYTHON
