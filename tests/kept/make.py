"""make.py SEED FOLDER: programs with attention, and one without."""

import pathlib
import sys

import torch
from torch.nn.functional import scaled_dot_product_attention


class Masked(torch.nn.Module):
    def forward(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, mask)


class Causal(torch.nn.Module):
    def forward(self, q, k, v):
        return scaled_dot_product_attention(q, k, v, is_causal=True)


class NoAttention(torch.nn.Module):
    def forward(self, q):
        return torch.relu(q)


def main(folder):
    q = torch.ones(2, 3, 5, 8)
    batch = {0: torch.export.Dim("batch")}
    programs = [
        (Masked, (q, torch.ones(2, 3, 6, 8), torch.ones(2, 3, 6, 4), torch.ones(5, 6, dtype=torch.bool)), (batch, batch, batch, None)),
        (Causal, (q, q, q), (batch, batch, batch)),
        (NoAttention, (q,), (batch,)),
    ]
    for module, args, shapes in programs:
        path = pathlib.Path(folder) / f"{module.__name__}.pt2"
        torch.export.save(torch.export.export(module(), args, dynamic_shapes=shapes), path)


if __name__ == "__main__":
    main(sys.argv[2])
