#!/usr/bin/env python3
"""Writes small networks of common designs, with inputs and what PyTorch computes of them: make.py _ FOLDER."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, WORDS = 48, 4, 100


class Residual(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(after), nn.BatchNorm2d(after)
        self.short = nn.Conv2d(before, after, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        return functional.relu(self.norm2(self.conv2(y)) + self.short(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 7, 2, 3)
        self.layers = nn.Sequential(Residual(16, 16, 1), Residual(16, 40, 2), Residual(40, 40, 1))
        self.fc = nn.Linear(40, 30)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.stem(x)), 3, 2, 1)
        return self.fc(self.layers(x).mean((2, 3)))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, mask):
        q, k, v = (linear(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for linear in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5
        # The mask as many models have it: beyond float16.
        scores = scores + torch.where(mask, 0.0, torch.finfo(torch.float32).min)
        x = self.norm1(self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2)) + x)
        return self.norm2(self.down(functional.gelu(self.up(x))) + x)


class Bert(nn.Module):
    """Its words are the last layer's weight, too. Positions are computed, and large."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.register_buffer("frequencies", 0.01 ** (torch.arange(WIDTH) / WIDTH))
        self.head = nn.Linear(WIDTH, WORDS)
        self.head.weight = self.tokens.weight

    def forward(self, ids, mask):
        positions = torch.arange(ids.shape[1]) + 3000
        x = self.tokens(ids) + torch.sin(positions[:, None] * self.frequencies)
        for block in self.blocks:
            x = block(x, mask[:, None, None, :])
        return self.head(x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(24, 32, num_layers=2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(64, 20)

    def forward(self, x):
        return self.fc(self.lstm(x)[0])


class Loops(nn.Module):
    """Products within a loop and within both sides of a condition, which a run decides."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(40, 40), nn.Linear(40, 40), nn.Linear(40, 40)

    def forward(self, x, steps: int):
        for i in range(steps):
            x = torch.tanh(self.a(x)) + x
            if bool(x.sum() > 0):
                x = self.b(x)
            else:
                x = self.c(x) + 0.5
        return x


class Matrices(nn.Module):
    """What is special: a channel of zeros, one of zeros with signs, one element in the last group, halves, nothing."""

    def __init__(self):
        super().__init__()
        first = torch.randn(41, 64)
        first[3] = 0
        first[:, 5] = -0.0
        first[7] = torch.arange(64) - 31.5
        first[8] = 1e-42
        self.first = nn.Parameter(first)
        self.halves = nn.Parameter(torch.randn(64, 41).half())
        self.empty = nn.Parameter(torch.empty(41, 0))
        self.small = nn.Parameter(torch.randn(41, 24))

    def forward(self, x):
        y = x @ self.first.t()
        return (x.half() @ self.halves).float(), y @ self.small, y @ self.empty


class Far(nn.Module):
    """One weight with a number that is none, and one that is beyond float16."""

    def __init__(self):
        super().__init__()
        self.bad, self.good = nn.Linear(40, 40), nn.Linear(40, 40)
        with torch.no_grad():
            self.bad.weight[3, 4] = float("nan")
            self.good.weight[0, 0] = 70000

    def forward(self, x):
        return self.bad(x).nan_to_num() + self.good(x)


FOLDER = pathlib.Path(sys.argv[2])


def save(name, net, args, script=False):
    net = net.eval()
    with torch.no_grad():
        expected = net(*args)
    if script:
        torch.jit.save(torch.jit.script(net), FOLDER / f"{name}.pt")
    else:
        torch.export.save(torch.export.export(net, args), FOLDER / f"{name}.pt2")
    expected = expected if isinstance(expected, tuple) else (expected,)
    arrays = {f"in{i}": np.asarray(arg) for i, arg in enumerate(args)}
    np.savez(FOLDER / f"{name}.npz", **arrays, **{f"out{i}": out.numpy() for i, out in enumerate(expected)})


FOLDER.mkdir(parents=True, exist_ok=True)
torch.manual_seed(0)
save("resnet", ResNet(), (torch.randn(2, 3, 64, 64),))
save("bert", Bert(), (torch.randint(WORDS, (2, 6)), torch.tensor([[True] * 6, [True] * 4 + [False] * 2])))
save("lstm", Lstm(), (torch.randn(2, 7, 24),))
save("loops", Loops(), (torch.randn(3, 40), 3), script=True)
save("matrices", Matrices(), (torch.randn(5, 64),))
save("far", Far(), (torch.randn(2, 40),))
