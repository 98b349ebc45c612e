#!/usr/bin/env bash
# ONNX Runtime 1.32.0: MaxPool of float32 gives the lowest finite float for a window of NaNs and for one of -inf.
# MaxPool of float16 gives -inf for both, and ReduceMax gives NaN and -inf. Float64 keeps a NaN that comes first in its
# window, and loses one that comes later. PyTorch gives NaN, and -inf.
#
#> float32 [-3.4028234663852886e+38, -3.4028234663852886e+38, 1.0, 1.0]
#> float16 [-inf, -inf, 1.0, 1.0]
#> float64 [-inf, nan, nan, 1.0]
#> ReduceMax nan -inf

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

inf, nan = np.inf, np.nan
windows = np.array([[[-inf, -inf, nan, nan, nan, 1, 1, nan]]])
for name, dtype in (("float32", T.FLOAT), ("float16", T.FLOAT16), ("float64", T.DOUBLE)):
    pool = node("MaxPool", ["x"], ["y"], kernel_shape=[2], strides=[2])
    made = model([pool], {"x": (dtype, [1, 1, 8])}, {"y": (dtype, [1, 1, 4])}, 18)
    print(name, in_onnx_runtime(made, {"x": windows.astype(name)})[0].ravel().tolist())
made = model([node("ReduceMax", ["x"], ["y"], axes=[2])], {"x": (T.FLOAT, [1, 1, 2])}, {"y": (T.FLOAT, [1, 1, 1])}, 13)
halves = [windows[:, :, at : at + 2].astype(np.float32) for at in (2, 0)]
print("ReduceMax", *(in_onnx_runtime(made, {"x": half})[0].item() for half in halves))
PYTHON
