#!/usr/bin/env bash
# ONNX Runtime 1.32.0: ReduceMax gives NaN if the NaN comes first and passes over it elsewhere; ArgMax, alike, names the
# NaN or not. A MaxPool of nothing but NaN gives the lowest float32, which stood in no input.
#
#> [nan  1.  2.] ReduceMax nan, ArgMax 0, MaxPool 2
#> [ 1. nan  2.] ReduceMax 2.0, ArgMax 2, MaxPool 2
#> [nan nan nan] ReduceMax nan, ArgMax 0, MaxPool -3.403e+38

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

nan = np.float32("nan")
highest = model([node("ReduceMax", ["x"], ["y"], keepdims=0)], {"x": (T.FLOAT, ["n"])}, {"y": (T.FLOAT, [])}, 18)
place = model([node("ArgMax", ["x"], ["y"], keepdims=0)], {"x": (T.FLOAT, ["n"])}, {"y": (T.INT64, [])}, 13)
pool = model([node("MaxPool", ["x"], ["y"], kernel_shape=[3])], {"x": (T.FLOAT, [1, 1, 3])}, {"y": (T.FLOAT, [1, 1, 1])}, 12)
for values in ([nan, 1, 2], [1, nan, 2], [nan, nan, nan]):
    x = np.array(values, np.float32)
    results = [in_onnx_runtime(made, {"x": x})[0].item() for made in (highest, place)]
    results.append(in_onnx_runtime(pool, {"x": x.reshape(1, 1, 3)})[0].item())
    print(x, "ReduceMax {}, ArgMax {}, MaxPool {:.4g}".format(*results))
PYTHON
