"""Targets, functions, and numbers of 16 bits."""

import math

import torch
from advice import Case, exported, script
from torch import nn

X = torch.rand(3, 4)


class Half(nn.Module):
    def forward(self, x):
        return x @ x.t()


class Linears(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.first = nn.Linear(n, n)
        self.second = nn.Linear(n, n)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def turned(x, a: float):
    return x * math.atan2(a, 0.5)


def turned_by_tensor(x, a: float):
    return x * torch.atan2(torch.full([], a, dtype=torch.float32), torch.tensor(0.5))


LINEARS = exported(Linears(64), torch.rand(2, 64))
BFLOAT = exported(Half(), X.bfloat16())
FREE = exported(Half(), X, dynamic_shapes={"x": {0: torch.export.Dim("n", max=64)}})

NUMBER = "--input", "x=f32[3,4]", "--input", "a=f64[]"

CASES = [
    Case("E0001", [LINEARS, "--functions=Linaers"], "there are", [LINEARS, "--functions"]),
    Case("E0001", [LINEARS, "--compute-as", "float16", "--float32", "Softmix"], "the model has ",
         [LINEARS, "--compute-as", "float16", "--float32", "Gemm"], compare=False),
    Case("E0212", [BFLOAT, "--target", "ort-cpu"], "compute in float32, as model.float() does before the export",
         [exported(Half(), X), "--target", "ort-cpu"]),
    Case("E0212", [script(turned, X, 0.3), *NUMBER, "--target", "ort-cpu"], "compute it of a float32 tensor",
         [script(turned_by_tensor, X, 0.3), *NUMBER, "--target", "ort-cpu"]),
    Case("E0212", [FREE, "--target", "qnn"], "give them sizes, as --input 'x=f32[",
         [FREE, "--target", "qnn", "--input", "x=f32[3,4]"]),
]
