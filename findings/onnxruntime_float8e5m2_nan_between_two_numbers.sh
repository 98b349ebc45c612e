#!/usr/bin/env bash
# ONNX Runtime 1.32.0: a Cast with saturate=0 of what rounds up beyond float8e5m2's largest number, 57344, is NaN up
# to 65535 and infinity from 65536 on. ONNX's table says infinity for all of them, as its reference evaluator and
# PyTorch do.
#
#> 61439 -> 57344.0
#> 61440 -> nan
#> 65535 -> nan
#> 65536 -> inf
#> 1000000000 -> inf

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

nodes = [node("Cast", ["x"], ["small"], to=T.FLOAT8E5M2, saturate=0), node("Cast", ["small"], ["y"], to=T.FLOAT)]
made = model(nodes, {"x": (T.FLOAT, ["n"])}, {"y": (T.FLOAT, ["n"])}, 24)
x = np.array([61439, 61440, 65535, 65536, 1e9], np.float32)
for value, result in zip(x, in_onnx_runtime(made, {"x": x})[0]):
    print(f"{value:.0f} -> {result}")
PYTHON
