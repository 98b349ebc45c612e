#!/usr/bin/env bash
# ONNX Runtime 1.32.0 on a CPU computes Mul of float16 in float32, and keeps float32 between two of them, also without
# its optimizations. 300 * 300 / 1000 is 90 although 300 * 300 is infinity in float16, as ONNX's reference evaluator and
# a third output that needs the product show. So the same product is finite or infinite by who else asks for it.
#
#> optimized {'y': 90.0625}
#> plain {'y': 90.0625}
#> optimized {'y': 90.0625, 'square': inf}
#> plain {'y': 90.0625, 'square': inf}

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

nodes = [node("Mul", ["x", "x"], ["square"]), node("Mul", ["square", "thousandth"], ["y"])]
weights = {"thousandth": np.array([0.001], np.float16)}
for outputs in (["y"], ["y", "square"]):
    made = model(nodes, {"x": (T.FLOAT16, [1])}, {name: (T.FLOAT16, [1]) for name in outputs}, 14, weights)
    for optimized in (True, False):
        values = in_onnx_runtime(made, {"x": np.array([300], np.float16)}, optimized)
        print("optimized" if optimized else "plain", dict(zip(outputs, (float(v[0]) for v in values))))
PYTHON
