#!/usr/bin/env bash
# ONNX Runtime 1.32.0 computes Pow of integers in float64 and converts the result: 3^39 loses its last digits,
# 65537^2 of int32 becomes the lowest int32 instead of wrapping around.
#
#> 3^39 = 4052555153018976256, exactly 4052555153018976267
#> 65537^2 = -2147483648, exactly 4295098369

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

for kind, dtype, base, exponent in [(T.INT64, np.int64, 3, 39), (T.INT32, np.int32, 65537, 2)]:
    made = model([node("Pow", ["x", "y"], ["z"])], {"x": (kind, []), "y": (kind, [])}, {"z": (kind, [])}, 13)
    result = in_onnx_runtime(made, {"x": np.array(base, dtype), "y": np.array(exponent, dtype)})[0]
    print(f"{base}^{exponent} = {result}, exactly {base**exponent}")
PYTHON
