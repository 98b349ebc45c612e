#!/usr/bin/env bash
# Rounding to float8e8m0, whose numbers are powers of 2: ONNX's default rounds up (1.1 becomes 2), where PyTorch
# rounds to the nearest. With round_mode="nearest" and saturate=0, ONNX Runtime 1.32.0 makes NaN of 0, and ONNX's
# reference evaluator 2^-127; of -1 the one makes NaN and the other 1.
#
#> [ 1.1  1.4  1.6  0.  -1. ] by default
#>   ONNX Runtime [2.000000e+00 2.000000e+00 2.000000e+00 5.877472e-39 5.877472e-39]
#>   reference    [2.000000e+00 2.000000e+00 2.000000e+00 5.877472e-39 1.000000e+00]
#> [ 1.1  1.4  1.6  0.  -1. ] {'round_mode': 'nearest', 'saturate': 0}
#>   ONNX Runtime [ 1.  1.  2. nan nan]
#>   reference    [1.000000e+00 1.000000e+00 2.000000e+00 5.877472e-39 1.000000e+00]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node
from onnx.reference import ReferenceEvaluator

x = np.array([1.1, 1.4, 1.6, 0, -1], np.float32)
for rounding in ({}, {"round_mode": "nearest", "saturate": 0}):
    nodes = [node("Cast", ["x"], ["small"], to=T.FLOAT8E8M0, **rounding), node("Cast", ["small"], ["y"], to=T.FLOAT)]
    made = model(nodes, {"x": (T.FLOAT, ["n"])}, {"y": (T.FLOAT, ["n"])}, 25)
    print(x, rounding or "by default")
    print("  ONNX Runtime", in_onnx_runtime(made, {"x": x})[0])
    print("  reference   ", ReferenceEvaluator(made).run(None, {"x": x})[0])
PYTHON
