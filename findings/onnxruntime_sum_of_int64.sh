#!/usr/bin/env bash
# ONNX Runtime 1.32.0 adds int64 in float64: a ReduceSum is exact up to 2^53 only. ONNX's reference evaluator is
# exact. A sum of int32 stays at the largest int32 where integers wrap around.
#
#> 9007199254740992 + 1 = 9007199254740992
#> 2147483647 + 1 = 2147483647

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

for kind, values in [(T.INT64, np.array([2**53, 1])), (T.INT32, np.array([2**31 - 1, 1], np.int32))]:
    made = model([node("ReduceSum", ["x"], ["y"], keepdims=0)], {"x": (kind, ["n"])}, {"y": (kind, [])}, 13)
    print(" + ".join(map(str, values)), "=", in_onnx_runtime(made, {"x": values})[0])
PYTHON
