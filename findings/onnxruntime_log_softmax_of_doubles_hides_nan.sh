#!/usr/bin/env bash
# ONNX Runtime 1.32.0: a row with a NaN or an infinity has no softmax. So all of it should be NaN, as it is in PyTorch
# and in ONNX's reference evaluator. Softmax gives that, and so does LogSoftmax of float32. LogSoftmax of float64 gives
# one NaN, where the odd element stands, and beside it numbers that are no logarithms of a probability.
#
#> float32 [0, nan, 1]: Softmax [nan nan nan], LogSoftmax [nan nan nan], the reference's [nan nan nan]
#> float32 [0, inf, 1]: Softmax [nan nan nan], LogSoftmax [nan nan nan], the reference's [nan nan nan]
#> float64 [0, nan, 1]: Softmax [nan nan nan], LogSoftmax [45.05   nan 46.05], the reference's [nan nan nan]
#> float64 [0, inf, 1]: Softmax [nan nan nan], LogSoftmax [-inf  nan -inf], the reference's [nan nan nan]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node
from onnx.reference import ReferenceEvaluator

np.seterr(all="ignore")
for kind, dtype in [(T.FLOAT, np.float32), (T.DOUBLE, np.float64)]:
    for odd in (np.nan, np.inf):
        x = np.array([[0, odd, 1]], dtype)
        said = []
        for op in ("Softmax", "LogSoftmax"):
            made = model([node(op, ["x"], ["y"], axis=1)], {"x": (kind, [1, 3])}, {"y": (kind, [1, 3])}, 18)
            said.append(f"{op} {in_onnx_runtime(made, {'x': x})[0][0].round(2)}")
        reference = ReferenceEvaluator(made).run(None, {"x": x})[0][0].round(2)
        print(f"{np.dtype(dtype).name} [0, {odd}, 1]: {', '.join(said)}, the reference's {reference}")
PYTHON
