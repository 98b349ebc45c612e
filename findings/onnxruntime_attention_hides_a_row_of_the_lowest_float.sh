#!/usr/bin/env bash
# ONNX Runtime 1.32.0: Attention of opset 23 and 24 gives 0 for a query whose added mask is the lowest float32 for every
# key. From opset 25 on it gives the mean of the values. ONNX's reference evaluator always gives the mean, and
# Attention, too, for the number next to the lowest.
#
#> 23 -3.4028235e+38 [0. 0.]
#> 23 -3.4028233e+38 [3. 3.]
#> 24 -3.4028235e+38 [0. 0.]
#> 24 -3.4028233e+38 [3. 3.]
#> 25 -3.4028235e+38 [3. 3.]
#> 25 -3.4028233e+38 [3. 3.]
#> 28 -3.4028235e+38 [3. 3.]
#> 28 -3.4028233e+38 [3. 3.]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

lowest = np.finfo(np.float32).min
one = (T.FLOAT, [1, 1, 2, 1])
feed = {"q": np.ones((1, 1, 2, 1), np.float32), "v": np.array([2, 4], np.float32).reshape(1, 1, 2, 1)}
for opset in (23, 24, 25, 28):
    attention = node("Attention", ["q", "q", "v", "mask"], ["y"])
    made = model([attention], {"q": one, "v": one, "mask": (T.FLOAT, [2, 2])}, {"y": one}, opset)
    for number in (lowest, np.nextafter(lowest, np.float32(0))):
        mask = np.full((2, 2), number, np.float32)
        print(opset, number, in_onnx_runtime(made, feed | {"mask": mask})[0].ravel())
PYTHON
