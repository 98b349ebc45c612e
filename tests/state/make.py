#!/usr/bin/env python3
"""make.py _ FOLDER: writes modules that keep state from call to call, as NAME.pt2, NAME_decomposed.pt2 and NAME.pt.
NAME.npz has the inputs of several calls and the results of eager PyTorch, call by call (x_0, y_0, x_1 ...), and the
last state (state.BUFFER)."""

import copy
import pathlib
import sys

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
CALLS = 4


class Cache(nn.Module):
    """A decoder's static cache of keys and values: each call writes one position, and attends to those so far."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.register_buffer("k", torch.zeros(1, 6, 8))
        self.register_buffer("v", torch.zeros(1, 6, 8), persistent=False)

    def forward(self, x, position):
        q, k, v = self.qkv(x).chunk(3, -1)
        self.k.index_copy_(1, position, k)
        self.v.index_copy_(1, position, v)
        seen = torch.arange(6) <= position
        scores = (q @ self.k.transpose(1, 2) / 8**0.5).masked_fill(~seen, float("-inf"))
        return scores.softmax(-1) @ self.v


class Counter(nn.Module):
    """Read, written twice, and through a view; what is returned before the second write keeps its value."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.tensor(3))
        self.register_buffer("sums", torch.zeros(2, 3))

    def forward(self, x):
        self.steps += 1
        before = self.steps * 2
        self.steps.mul_(2)
        self.sums[1].add_(x[0])
        return before + x.sum(), self.sums * 1


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(2, 3, dtype=torch.float16))

    def forward(self, x):
        y = x - self.last.float()
        self.last.copy_(x)
        return y


class Norms(nn.Module):
    """Batch norms in training mode: means, variances and counts of batches."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3, momentum=0.25)
        self.average = nn.BatchNorm1d(3, affine=False)

    def forward(self, x):
        return self.average(self.norm(x) * 2)


class Cell(nn.Module):
    """A recurrent cell that keeps its hidden state by setting it anew."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.register_buffer("h", torch.zeros(2, 4))

    def forward(self, x):
        self.h = self.cell(x, self.h)
        return self.h


class Overwritten(nn.Module):
    """The old value is never read."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(2, 3))

    def forward(self, x):
        self.seen.copy_(x * 2)
        return x + 1


class Branches(nn.Module):
    """Only for scripts: written on one side of an `if`, and in a loop, decided at run time."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
        self.register_buffer("loops", torch.tensor(0))

    def forward(self, x):
        if bool(x.sum() > 0):
            self.total += x[0]
        for i in range(int(self.loops) + 1):
            self.total[0] += i
        self.loops += 1
        return self.total * 2


class Held(nn.Module):
    """Only for scripts: lists and tuples of tensors that are set."""

    def __init__(self):
        super().__init__()
        self.shifts = [torch.zeros(2, 3), torch.ones(2, 3)]
        self.pair = (torch.zeros(2, 3), torch.zeros(3))

    def forward(self, x):
        old = self.shifts[1]
        self.shifts[1] = self.shifts[0]
        self.shifts[0] = x * 2
        self.pair = (self.pair[0] + x, self.pair[1] + x[1])
        return old + self.pair[0] + self.pair[1]


class Written(nn.Module):
    """Writes to its input."""

    def forward(self, x, cache):
        cache[:, 1].add_(x[0, 0])
        return cache.sum() + x


class Refused(nn.Module):
    """Only for scripts: what a model cannot keep."""

    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind
        self.n = 0
        base = torch.zeros(4)
        self.register_buffer("a", base[:2] if kind == "shared" else torch.zeros(2))
        self.register_buffer("b", base[1:3] if kind == "shared" else torch.zeros(2))

    def forward(self, x):
        if self.kind == "number":
            self.n += 1
        if self.kind == "shared":
            self.a.add_(1)
        if self.kind == "grows":
            self.a = torch.cat([self.a, x[0]])
        if self.kind == "one":
            self.a = self.b
        return x + self.n


class Many(nn.Module):
    """More than a remark names."""

    def __init__(self):
        super().__init__()
        for i in range(13):
            self.register_buffer(f"b{i:02}", torch.zeros(2))

    def forward(self, x):
        for buffer in self.buffers():
            buffer.add_(1)
        return x + 1


def calls_of(module):
    if module is Cache:
        return [(torch.randn(1, 1, 8), torch.tensor([i])) for i in range(CALLS)]
    if module is Written:
        return [(torch.randn(2, 3), torch.randn(2, 3)) for _ in range(CALLS)]
    return [(torch.randn(2, 3),) for _ in range(CALLS)]


def state_of(model):
    yield from model.named_buffers()
    if isinstance(model, Held):
        for name in ["shifts", "pair"]:
            yield from ((f"{name}.{i}", value) for i, value in enumerate(getattr(model, name)))


def main(folder):
    folder = pathlib.Path(folder)
    for module in [Cache, Counter, Halves, Norms, Cell, Overwritten, Branches, Held, Written]:
        name = module.__name__
        model = module().train()
        calls = calls_of(module)
        torch.jit.save(torch.jit.script(copy.deepcopy(model)), folder / f"{name}.pt")
        if module not in (Branches, Held):
            program = torch.export.export(copy.deepcopy(model), calls[0])
            torch.export.save(program, folder / f"{name}.pt2")
            torch.export.save(program.run_decompositions(), folder / f"{name}_decomposed.pt2")
        arrays = {f"first.{key}": value.clone() for key, value in state_of(model)}
        with torch.no_grad():
            for i, inputs in enumerate(calls):
                given = [x.clone() for x in inputs]
                results = model(*given)
                arrays |= {f"x_{i}_{j}": x for j, x in enumerate(inputs)}
                results = results if isinstance(results, tuple) else (results,)
                arrays |= {f"y_{i}_{j}": y.clone() for j, y in enumerate(results)}
                if module is Written:
                    arrays[f"written_{i}"] = given[1]
        arrays |= {f"last.{key}": value for key, value in state_of(model)}
        np.savez(folder / f"{name}.npz", **{key: value.detach().numpy() for key, value in arrays.items()})
    torch.export.save(torch.export.export(Many(), (torch.randn(2),)), folder / "many.pt2")
    for kind in ["number", "shared", "grows", "one"]:
        torch.jit.save(torch.jit.script(Refused(kind)), folder / f"refused_{kind}.pt")


if __name__ == "__main__":
    main(sys.argv[2])
