#!/usr/bin/env bash
# TorchScript (PyTorch 2.13.0) leaves `n / 1` out although the result is a float: the function that is said to give a
# float gives an int. By 1.0 and by 2 it is as in Python.
#
#> by 1: Python 7.0 float, scripted 7 int
#> by 1.0: Python 7.0 float, scripted 7.0 float
#> by 2: Python 3.5 float, scripted 3.5 float
#> declared: float

source "$(dirname "$0")/lib"

with_python torch==2.13.0 numpy==2.4.6 <<'PYTHON'
import torch


def by_int(n: int) -> float:
    return n / 1


def by_float(n: int) -> float:
    return n / 1.0


def by_two(n: int) -> float:
    return n / 2


for name, function in {"1": by_int, "1.0": by_float, "2": by_two}.items():
    plain, scripted = function(7), torch.jit.script(function)(7)
    print(f"by {name}: Python {plain} {type(plain).__name__}, scripted {scripted} {type(scripted).__name__}")
print("declared:", next(torch.jit.script(by_int).graph.outputs()).type())
PYTHON
