"""Buffers that are kept from call to call."""

import torch
from advice import Case, script
from torch import nn

X = torch.rand(3, 4)
STATE = "--input", "x=f32[3,4]", "--state-as-io"


class Buffers(nn.Module):
    def __init__(self, shared=False):
        super().__init__()
        base = torch.zeros(4)
        self.register_buffer("a", base[:2] if shared else torch.zeros(2))
        self.register_buffer("b", base[1:3] if shared else torch.zeros(2))


class Grows(Buffers):
    def forward(self, x):
        self.a = torch.cat([self.a, x[0]])
        return x + 1


class GivesSame(Buffers):
    def forward(self, x):
        self.a = self.a + x[0, :2]
        return x + 1


class Shared(Buffers):
    def forward(self, x):
        self.a.add_(1)
        return x + 1


class OneTensor(Buffers):
    def forward(self, x):
        self.a = self.b
        return x + 1


class TwoTensors(Buffers):
    def forward(self, x):
        self.a = self.b.clone()
        return x + 1


class CountsNumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x):
        self.n += 1
        return x + self.n


class CountsTensor(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.zeros(()))

    def forward(self, x):
        self.n += 1
        return x + self.n


CASES = [
    Case("E0110", [script(Grows()), *STATE], "one type and one shape", [script(GivesSame(), X), *STATE], compare=False),
    Case("E0110", [script(Shared(True)), *STATE], "give it memory of its own (clone) before the export",
         [script(Shared(), X), *STATE], compare=False),
    Case("E0110", [script(OneTensor()), *STATE], "clone one of them", [script(TwoTensors(), X), *STATE], compare=False),
    Case("E0110", [script(CountsNumber()), *STATE], "only a tensor can be kept (register_buffer)",
         [script(CountsTensor(), X), *STATE], compare=False),
]
