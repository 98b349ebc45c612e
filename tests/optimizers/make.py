#!/usr/bin/env python3
"""Writes small encoders of the common design: make.py _ FOLDER."""

import pathlib
import sys

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS = 32, 4


class Block(nn.Module):
    """Attention with a mask, and a layer norm after each sum, as in BERT."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, mask):
        q, k, v = (linear(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for linear in (self.q, self.k, self.v))
        y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(self.out(y.transpose(1, 2).flatten(2)) + x)
        return self.norm2(self.down(functional.gelu(self.up(x))) + x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(100, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(2))

    def forward(self, ids, mask):
        x = self.norm(self.tokens(ids))
        for block in self.blocks:
            x = block(x, mask[:, None, None, :])
        return x


folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
torch.manual_seed(0)
args = (torch.randint(100, (2, 6)), torch.tensor([[True] * 6, [True] * 4 + [False] * 2]))
torch.export.save(torch.export.export(Encoder().eval(), args), folder / "encoder.pt2")
