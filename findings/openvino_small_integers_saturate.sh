#!/usr/bin/env bash
# OpenVINO 2026.4.1 on a CPU: arithmetic of uint8 and int8 saturates (255 + 2 is 255), where that of int16, uint16
# and int32 wraps around. ONNX leaves overflow open; NumPy, PyTorch and ONNX Runtime wrap around for all of them.
#
#> uint8 Add 255 2 = 255
#> uint8 Mul 255 2 = 255
#> int8 Add 127 2 = 127
#> int8 Mul 127 2 = 127
#> uint16 Add 65535 2 = 1
#> uint16 Mul 65535 2 = 65534
#> int16 Add 32767 2 = -32767
#> int16 Mul 32767 2 = -2
#> int32 Add 2147483647 2 = -2147483647
#> int32 Mul 2147483647 2 = -2

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 openvino==2026.4.1 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_openvino, model, node

for kind, dtype in [(T.UINT8, np.uint8), (T.INT8, np.int8), (T.UINT16, np.uint16), (T.INT16, np.int16), (T.INT32, np.int32)]:
    largest = np.array([np.iinfo(dtype).max], dtype)
    for op in ("Add", "Mul"):
        sides = {"a": (kind, [1]), "b": (kind, [1])}
        made = model([node(op, ["a", "b"], ["y"])], sides, {"y": (kind, [1])}, 14)
        print(np.dtype(dtype), op, largest[0], 2, "=", in_openvino(made, {"a": largest, "b": np.array([2], dtype)})[0][0])
PYTHON
