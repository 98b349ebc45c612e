#!/usr/bin/env bash
# ONNX Runtime 1.32.0: the output qk_matmul_output of an Attention with softcap has, by qk_matmul_output_mode=0, the
# scores before the cap, and in ONNX's reference evaluator those behind it. The modes 1, 2 and 3 agree.
#
#> mode 0 9.000 2.000
#> mode 1 2.000 2.000
#> mode 2 1.000 1.000
#> mode 3 1.000 1.000

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node
from onnx.reference import ReferenceEvaluator

one = (T.FLOAT, [1, 1, 1, 1])
feed = {"q": np.array(3, np.float32).reshape(1, 1, 1, 1), "mask": np.array([[-1]], np.float32)}
for mode in range(4):
    attributes = {"qk_matmul_output_mode": mode, "softcap": 2.0, "scale": 1.0}
    attention = node("Attention", ["q", "q", "q", "mask"], ["y", "", "", "scores"], **attributes)
    made = model([attention], {"q": one, "mask": (T.FLOAT, [1, 1])}, {"y": one, "scores": one}, 24)
    results = in_onnx_runtime(made, feed), ReferenceEvaluator(made).run(None, feed)
    print("mode", mode, *(f"{result[1].item():.3f}" for result in results))
PYTHON
