#!/usr/bin/env bash
# OpenVINO 2026.4.1: a pool with ceil_mode=1 has one more window where that would begin behind the input. ONNX drops
# it (since 1.16), and so do PyTorch and ONNX Runtime. MaxPool gives the lowest float32 there.
#
#> [[[2.0, 5.0, -3.4028234663852886e+38]]]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 openvino==2026.4.1 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_openvino, model, node

attributes = {"kernel_shape": [2], "strides": [3], "ceil_mode": 1}
made = model([node("MaxPool", ["x"], ["y"], **attributes)], {"x": (T.FLOAT, [1, 1, 6])}, {"y": (T.FLOAT, [1, 1, "m"])}, 12)
print(in_openvino(made, {"x": np.arange(1, 7, dtype=np.float32).reshape(1, 1, 6)})[0].tolist())
PYTHON
