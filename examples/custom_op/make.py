#!/usr/bin/env python3
"""Writes a model that calls operators of foo_ops.cc: make.py FOO.pt FOO.pt2.

The operators are registered from Python here, so that nothing has to be loaded; torch.ops.load_library of the compiled
ones gives the same files.
"""

import sys

import torch

LIBRARY = torch.library.Library("custom_ops", "DEF")
LIBRARY.define("foo_forward(Tensor input1, Tensor input2, float attr1, int attr2) -> Tensor")
LIBRARY.define("swish(Tensor x, float beta=1.) -> Tensor")


def foo_forward(x, weight, scale, groups):
    return torch.cat([x @ weight.t() * scale] * groups, -1)


def swish(x, beta=1.0):
    return x * torch.sigmoid(x * beta)


# For real tensors, and for those without data that torch.export computes sizes with.
for key in ["CPU", "Meta"]:
    LIBRARY.impl("foo_forward", foo_forward, key)
    LIBRARY.impl("swish", swish, key)


class FooModel(torch.nn.Module):
    def __init__(self, attr1: float, attr2: int):
        super().__init__()
        self.attr1 = attr1
        self.attr2 = attr2
        self.weight = torch.nn.Parameter(torch.arange(12.0).reshape(3, 4) / 12)

    def forward(self, x):
        y = torch.ops.custom_ops.foo_forward(x, self.weight, self.attr1, self.attr2)
        return torch.ops.custom_ops.swish(y, 2.0)


def main(pt, pt2):
    model = FooModel(0.5, 2).eval()
    torch.jit.save(torch.jit.script(model), pt)
    batch = torch.export.Dim("batch")
    program = torch.export.export(model, (torch.ones(2, 4),), dynamic_shapes=({0: batch},))
    torch.export.save(program, pt2)


if __name__ == "__main__":
    main(*sys.argv[1:])
