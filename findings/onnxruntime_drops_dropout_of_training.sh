#!/usr/bin/env bash
# ONNX Runtime 1.32.0: its optimizations remove a Dropout between two other nodes although its training_mode is true and
# its ratio 0.5. One between an input and an output of the model stays.
#
#> alone optimized: some are 0
#> alone plain: some are 0
#> between optimized: none is 0
#> between plain: some are 0

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
from models import T, in_onnx_runtime, model, node

weights = {"ratio": np.array(0.5, np.float32), "training": np.array(True)}
sides = {"x": (T.FLOAT, [1000])}, {"y": (T.FLOAT, [1000])}
alone = [node("Dropout", ["x", "ratio", "training"], ["y"])]
between = [node("Relu", ["x"], ["a"]), node("Dropout", ["a", "ratio", "training"], ["b"]), node("Neg", ["b"], ["y"])]
for title, nodes in {"alone": alone, "between": between}.items():
    for optimized in (True, False):
        y = in_onnx_runtime(model(nodes, *sides, 22, weights), {"x": np.ones(1000, np.float32)}, optimized)[0]
        print(title, "optimized:" if optimized else "plain:", "some are 0" if np.any(y == 0) else "none is 0")
PYTHON
