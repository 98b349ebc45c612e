#!/usr/bin/env bash
# ONNX Runtime 1.32.0 and ONNX's reference evaluator differ in the output qk_matmul_output of an Attention. By
# qk_matmul_output_mode=0 the one gives the scores before the softcap and the other those behind it. By mode 2, up to
# opset 24, a place that a mask of bools hides is the lowest float32 in the one and -inf in the other. The modes 1
# and 3 agree.
#
#> mode 0 [9 3] [2 1.81]
#> mode 1 [2 1.81] [2 1.81]
#> mode 2 [2 -3.403e+38] [2 -inf]
#> mode 3 [1 0] [1 0]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node
from onnx.reference import ReferenceEvaluator

q = np.array([3, 1], np.float32).reshape(1, 1, 2, 1)
feed = {"q": q, "mask": np.array([[True, False], [True, True]])}
for mode in range(4):
    attributes = {"qk_matmul_output_mode": mode, "softcap": 2.0, "scale": 1.0}
    attention = node("Attention", ["q", "q", "q", "mask"], ["y", "", "", "scores"], **attributes)
    inputs = {"q": (T.FLOAT, [1, 1, 2, 1]), "mask": (T.BOOL, [2, 2])}
    made = model([attention], inputs, {"y": inputs["q"], "scores": (T.FLOAT, [1, 1, 2, 2])}, 24)
    results = in_onnx_runtime(made, feed), ReferenceEvaluator(made).run(None, feed)
    print("mode", mode, *("[{:.4g} {:.4g}]".format(*result[1].ravel()[:2]) for result in results))
PYTHON
