#!/usr/bin/env bash
# PyTorch 2.13.0 saturates float8_e4m3fn and no other kind of float8: values that are too large become infinity in
# float8_e5m2, and NaN in the two without infinity. ONNX's Cast saturates all four by default, as its reference
# evaluator (1.23.2) shows.
#
#> float8_e4m3fn PyTorch 448.0 ONNX 448.0
#> float8_e4m3fnuz PyTorch nan ONNX 240.0
#> float8_e5m2 PyTorch inf ONNX 57344.0
#> float8_e5m2fnuz PyTorch nan ONNX 57344.0

source "$(dirname "$0")/lib"

with_python torch==2.13.0 numpy==2.4.6 onnx==1.23.2 <<'PYTHON'
import numpy as np
import torch
from models import T, model, node
from onnx.reference import ReferenceEvaluator

for name, kind in [
    ("float8_e4m3fn", T.FLOAT8E4M3FN),
    ("float8_e4m3fnuz", T.FLOAT8E4M3FNUZ),
    ("float8_e5m2", T.FLOAT8E5M2),
    ("float8_e5m2fnuz", T.FLOAT8E5M2FNUZ),
]:
    nodes = [node("Cast", ["x"], ["small"], to=kind), node("Cast", ["small"], ["y"], to=T.FLOAT)]
    made = model(nodes, {"x": (T.FLOAT, [1])}, {"y": (T.FLOAT, [1])}, 24)
    onnx_gives = ReferenceEvaluator(made).run(None, {"x": np.array([7e4], np.float32)})[0].item()
    print(name, "PyTorch", torch.tensor(7e4).to(getattr(torch, name)).float().item(), "ONNX", onnx_gives)
PYTHON
