#!/usr/bin/env python3
"""Writes models in training mode, as NAME.pt2, NAME.pt (scripted) and NAME_decomposed.pt2, with what the deterministic
ones give in NAME.npz: make.py _ FOLDER."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)


class Norms(nn.Module):
    """A layer behind a batch norm sees its new statistics; one is called twice."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4, momentum=0.25)
        self.plain = nn.BatchNorm2d(4, affine=False)

    def forward(self, x):
        y = self.norm(self.convolution(x))
        y = self.plain(self.plain(y).relu())
        return y, self.norm.running_mean * 1, self.norm.running_var * 1, self.plain.running_var * 1


class Fresh(nn.Module):
    """Norms as they are made: means and shifts are zeros, variances and scales ones, in both alike."""

    def __init__(self):
        super().__init__()
        self.first = nn.BatchNorm1d(4)
        self.second = nn.BatchNorm1d(4)

    def forward(self, x):
        y = self.second(self.first(x).relu())
        return y, self.first.running_mean * 1, self.first.running_var * 1, self.second.running_var * 1


class Dropouts(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        x = self.layer(x)
        return nn.functional.dropout(x, 0.25, True) - nn.functional.dropout(x, 0.25, True)


class Recurrent(nn.Module):
    """Without dropout between the layers training is the same."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=2)

    def forward(self, x):
        return self.lstm(x)[0]


def main(folder):
    folder = pathlib.Path(folder)
    for module, example in [
        (Norms, torch.randn(2, 3, 5, 6)),
        (Fresh, torch.randn(6, 4) * 3 + 1),
        (Dropouts, torch.randn(4, 8)),
        (Recurrent, torch.randn(5, 2, 3)),
    ]:
        name = module.__name__
        model = module().train()
        torch.jit.save(torch.jit.script(model), folder / f"{name}.pt")
        program = torch.export.export(model, (example,))
        torch.export.save(program, folder / f"{name}.pt2")
        torch.export.save(program.run_decompositions(), folder / f"{name}_decomposed.pt2")
        np.save(folder / f"{name}.npy", example.numpy())
        if module is not Dropouts:
            results = model(example)
            results = results if isinstance(results, tuple) else (results,)
            np.savez(folder / f"{name}.npz", *[result.detach().numpy() for result in results])


if __name__ == "__main__":
    main(sys.argv[2])
