#!/usr/bin/env python3
"""Writes small models of modules in modules, as .pt2 and .pt, with inputs: make.py _ FOLDER."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, size, approximate="none"):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.up = nn.Linear(size, 2 * size)
        self.gelu = nn.GELU(approximate=approximate)
        self.down = nn.Linear(2 * size, size)

    def forward(self, x):
        return x + self.down(self.gelu(self.up(self.norm(x))))


class Nested(nn.Module):
    """A module that is called three times, one like it, one of another size, and one of another attribute."""

    def __init__(self):
        super().__init__()
        self.first = Block(4)
        self.second = Block(4)
        self.other = Block(4, "tanh")
        self.wider = nn.Linear(4, 6)
        self.wide = Block(6)

    def forward(self, x):
        y = self.first(self.first(x))
        y = self.other(self.second(y) * 2)
        return self.wide(self.wider(self.first(y)))


class Attention(nn.Module):
    """Each layer makes the same mask of sizes known only at run time."""

    def __init__(self, size):
        super().__init__()
        self.heads = 2
        self.projection = nn.Linear(size, 3 * size)

    def forward(self, x):
        batch, length, size = x.shape
        parts = self.projection(x).view(batch, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        weights = parts[0] @ parts[1].transpose(-2, -1)
        mask = torch.ones(length, length, dtype=torch.bool).tril()
        weights = weights.masked_fill(~mask, float("-inf")).softmax(-1)
        return x + (weights @ parts[2]).transpose(1, 2).reshape(batch, length, size)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(Attention(4), Block(4)) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Side(nn.Module):
    """Modules inside of the sides of a condition, which use what is made around it."""

    def __init__(self):
        super().__init__()
        self.one = Block(4)
        self.two = Block(4)

    def forward(self, x):
        scaled = x * 2

        def first(x, scaled):
            return self.one(x) + scaled

        def second(x, scaled):
            return self.two(scaled) - x

        return torch.cond(x.sum() > 0, first, second, (x, scaled))


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = Side()
        self.other = Side()

    def forward(self, x):
        return self.other(self.side(x)) + 1


class Control(nn.Module):
    """The same for a script, and a loop."""

    def __init__(self):
        super().__init__()
        self.one = Block(4)
        self.two = Block(4)

    def forward(self, x):
        scaled = x * 2
        if bool(x.sum() > 0):
            y = self.one(x) + scaled
        else:
            y = self.two(scaled) - x
        for _ in range(x.size(0)):
            y = self.two(y) * scaled
        return y


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    x = torch.randn(2, 5, 4)
    free = {0: torch.export.Dim("batch", min=2), 1: torch.export.Dim("length", min=2)}
    for name, module in [("nested", Nested()), ("decoder", Decoder()), ("branches", Branches())]:
        program = torch.export.export(module.eval(), (x,), dynamic_shapes={"x": free})
        torch.export.save(program, folder / f"{name}.pt2")
    for name, module in [("nested", Nested()), ("decoder", Decoder())]:
        torch.jit.save(torch.jit.trace(module.eval(), x), folder / f"{name}_traced.pt")
    for name, module in [("nested", Nested()), ("decoder", Decoder()), ("control", Control())]:
        torch.jit.save(torch.jit.script(module.eval()), folder / f"{name}_scripted.pt")
    np.save(folder / "x.npy", torch.randn(3, 7, 4).numpy())


main()
