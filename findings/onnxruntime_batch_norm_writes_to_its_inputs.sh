#!/usr/bin/env bash
# ONNX Runtime 1.32.0: BatchNormalization with training_mode=1 writes the new statistics into the memory of the old
# ones unless they are outputs of the model. If these come from the caller, the caller's arrays change. If they are
# initializers, each run starts from the last one's numbers. Equal initializers share memory, so the bias changes with
# the mean if both began as zeros, and the result itself drifts from run to run.
#
#> initializers: y = [-0.9 -0.1  1.1  2.5]
#> initializers: y = [-0.81  0.71  1.19  3.85]
#> initializers: y = [-0.73  1.44  1.27  5.06]
#> fed: mean is now [0.1 1.2]

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, model, node, session

names = ["scale", "bias", "mean", "var"]
fresh = lambda: {name: np.full(2, name in ("scale", "var"), np.float32) for name in names}
nodes = [node("BatchNormalization", ["x", *names], ["y", "new_mean", "new_var"], training_mode=1)]
x = np.array([[0, 10], [2, 14]], np.float32)
output = {"y": (T.FLOAT, ["n", 2])}

made = model(nodes, {"x": (T.FLOAT, ["n", 2])}, output, 15, fresh())
running = session(made)
for _ in range(3):
    print("initializers: y =", running.run(None, {"x": x})[0].round(2).ravel())

made = model(nodes, {"x": (T.FLOAT, ["n", 2]), **{name: (T.FLOAT, [2]) for name in names}}, output, 15)
fed = fresh()
session(made).run(None, {"x": x, **fed})
print("fed: mean is now", fed["mean"].round(2))
PYTHON
