#!/usr/bin/env bash
# OpenVINO 2026.4.1 on a CPU takes and gives float64 and int64, and computes them in float32 and int32: 1 + 1e-10 is
# 1, and 2^40 + 1 is 1. The types that it reports for the outputs are the wide ones.
#
#> float64 1.0 + 1e-10 = 1.0 which is wrong
#> int64 1099511627776 + 1 = 1 which is wrong

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 openvino==2026.4.1 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_openvino, model, node

for kind, a, b in [(T.DOUBLE, np.array([1.0]), np.array([1e-10])), (T.INT64, np.array([2**40]), np.array([1]))]:
    made = model([node("Add", ["a", "b"], ["y"])], {"a": (kind, [1]), "b": (kind, [1])}, {"y": (kind, [1])}, 14)
    result = in_openvino(made, {"a": a, "b": b})[0]
    print(result.dtype, a[0], "+", b[0], "=", result[0], "exactly" if result == a + b else "which is wrong")
PYTHON
