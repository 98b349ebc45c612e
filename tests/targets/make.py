#!/usr/bin/env python3
"""Writes models of which a target does not take something, as NAME.pt2: make.py _ FOLDER."""

import pathlib
import sys

import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4, bias=False)
        self.second = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        x = self.first(x)
        return torch.relu(x @ self.second.weight)


class Rounded(nn.Module):
    """To int8 and back, with a zero point."""

    def __init__(self, zero):
        super().__init__()
        self.zero = zero

    def forward(self, x):
        return torch.fake_quantize_per_tensor_affine(x, 0.1, self.zero, -128, 127)


class Bytes(nn.Module):
    def forward(self, x):
        return x + x


class Repeated(nn.Module):
    """As often as there are rows in the other one."""

    def forward(self, x, rows):
        return x.repeat(rows.shape[0], 1)


class Gated(nn.Module):
    def forward(self, x):
        return nn.functional.silu(x) * (x + 1)


def main(folder):
    folder = pathlib.Path(folder)
    batch = torch.export.Dim("batch")
    for name, dtype in [("float32", torch.float32), ("bfloat16", torch.bfloat16)]:
        model = Layers().to(dtype)
        program = torch.export.export(model, (torch.randn(2, 4, dtype=dtype),), dynamic_shapes=({0: batch},))
        torch.export.save(program, folder / f"{name}.pt2")
    for zero in (0, 3):
        program = torch.export.export(Rounded(zero), (torch.randn(2, 4),))
        torch.export.save(program, folder / f"rounded_{zero}.pt2")
    small = {
        "wide": (nn.Linear(64, 64), (torch.randn(2, 64),)),  # weights that --weights-as=int8 takes
        "bytes": (Bytes(), (torch.tensor([200, 1], dtype=torch.uint8),)),
        "overlapping": (nn.MaxPool1d(3, 2, ceil_mode=True), (torch.randn(1, 1, 6),)),
        "apart": (nn.MaxPool1d(2, 3, ceil_mode=True), (torch.randn(1, 1, 6),)),
        "gated": (Gated(), (torch.randn(2, 4),)),
    }
    for name, (model, inputs) in small.items():
        torch.export.save(torch.export.export(model, inputs), folder / f"{name}.pt2")
    rows = ({}, {0: torch.export.Dim("rows")})
    program = torch.export.export(Repeated(), (torch.randn(1, 3), torch.randn(4, 2)), dynamic_shapes=rows)
    torch.export.save(program, folder / "repeated.pt2")


if __name__ == "__main__":
    main(sys.argv[2])
