#!/usr/bin/env bash
# ONNX Runtime 1.32.0 runs opsets up to 28, and Swish, which came with opset 24 and has not changed, at opset 24
# alone. SwiGLU of opset 28 is made of it, and has no kernel either. CausalConvWithState and LinearAttention, which
# are newer, run.
#
#> Swish at opset 24 runs
#> Swish at opset 25 NOT_IMPLEMENTED
#> Swish at opset 26 NOT_IMPLEMENTED
#> Swish at opset 27 NOT_IMPLEMENTED
#> Swish at opset 28 NOT_IMPLEMENTED
#> SwiGLU NOT_IMPLEMENTED
#> CausalConvWithState runs
#> LinearAttention runs

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node


def tell(title, made, feed):
    try:
        in_onnx_runtime(made, feed)
        print(title, "runs")
    except Exception as error:
        print(title, "NOT_IMPLEMENTED" if "NOT_IMPLEMENTED" in str(error) else error)


x = np.ones((1, 2, 3), np.float32)
same = {"x": (T.FLOAT, [1, 2, 3])}, {"y": (T.FLOAT, [1, 2, 3])}
for opset in range(24, 29):
    tell(f"Swish at opset {opset}", model([node("Swish", ["x"], ["y"])], *same, opset), {"x": x})
tell("SwiGLU", model([node("SwiGLU", ["x", "x"], ["y"])], *same, 28), {"x": x})
convolution = node("CausalConvWithState", ["x", "w"], ["y", "state"])
state = same[1] | {"state": (T.FLOAT, [1, 2, 1])}
tell("CausalConvWithState", model([convolution], same[0], state, 27, {"w": np.ones((2, 1, 2), np.float32)}), {"x": x})
linear = node("LinearAttention", ["x", "x", "x"], ["y", "state"], q_num_heads=1, kv_num_heads=1, update_rule="linear")
state = same[1] | {"state": (T.FLOAT, [1, 1, 3, 3])}
tell("LinearAttention", model([linear], same[0], state, 27), {"x": x})
PYTHON
