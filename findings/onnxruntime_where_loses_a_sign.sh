#!/usr/bin/env bash
# ONNX Runtime 1.32.0: a Where that takes -0.0 from its second input gives 0.0; from its third input the sign stays.
#
#> [0.0, -0.0]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

made = model([node("Where", ["c", "x", "y"], ["z"])], {"c": (T.BOOL, [2]), "x": (T.FLOAT, [2]), "y": (T.FLOAT, [2])}, {"z": (T.FLOAT, [2])}, 16)
zeros = np.array([-0.0, -0.0], np.float32)
print(in_onnx_runtime(made, {"c": np.array([True, False]), "x": zeros, "y": zeros})[0].tolist())
PYTHON
