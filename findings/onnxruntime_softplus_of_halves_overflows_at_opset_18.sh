#!/usr/bin/env bash
# ONNX Runtime 1.32.0 has no kernel for Softplus of float16. At opset 17 and below, and at 19 and above, it takes
# that of float32 in its place: Softplus(128) is 128. At opset 18 alone, with the same node, it takes the nodes of ONNX's
# function of it, whose Exp overflows from 89 on: Softplus(128) is inf. Mish, which contains it, is right at 18 as well.
#
#> Softplus at opset 17 [0.0, 2.127, 88.0, 128.0]
#> Softplus at opset 18 [0.0, 2.127, 88.0, inf]
#> Softplus at opset 19 [0.0, 2.127, 88.0, 128.0]
#> Softplus at opset 22 [0.0, 2.127, 88.0, 128.0]
#> Mish at opset 18 [-0.0, 1.944, 88.0, 128.0]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

x = np.array([-128, 2, 88, 128], np.float16)
for op, opset in (("Softplus", 17), ("Softplus", 18), ("Softplus", 19), ("Softplus", 22), ("Mish", 18)):
    made = model([node(op, ["x"], ["y"])], {"x": (T.FLOAT16, [4])}, {"y": (T.FLOAT16, [4])}, opset)
    print(op, "at opset", opset, in_onnx_runtime(made, {"x": x})[0].astype(np.float64).round(3).tolist())
PYTHON
