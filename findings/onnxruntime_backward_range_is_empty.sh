#!/usr/bin/env bash
# ONNX Runtime 1.32.0 makes an empty tensor of a Gather by a Range that counts down to -1. Its optimizations turn the
# two into a Slice whose end, -1, then means the last element. Without optimizations the rows come backwards, as ONNX
# says.
#
#> optimized []
#> plain [3. 2. 1. 0.]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

nodes = [
    node("Shape", ["x"], ["shape"]),
    node("Squeeze", ["shape"], ["n"]),
    node("Sub", ["n", "one"], ["last"]),
    node("Range", ["last", "before", "before"], ["index"]),
    node("Gather", ["x", "index"], ["y"], axis=0),
]
weights = {"one": np.array(1), "before": np.array(-1)}
made = model(nodes, {"x": (T.FLOAT, ["n"])}, {"y": (T.FLOAT, ["m"])}, 18, weights)
for optimized in (True, False):
    print("optimized" if optimized else "plain", in_onnx_runtime(made, {"x": np.arange(4, dtype=np.float32)}, optimized)[0])
PYTHON
