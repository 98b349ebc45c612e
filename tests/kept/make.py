"""make.py SEED FOLDER: programs with attention, one without, and one that writes to caches."""

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


class Caches(torch.nn.Module):
    """Three caches of 8 places, each written in a way that programs have: at the place `at`, and at `at` counted from the end."""

    def __init__(self):
        super().__init__()
        for name in ("copied", "put", "sliced"):
            self.register_buffer(name, torch.zeros(2, 3, 8, 4))

    def forward(self, new, at):
        self.copied.index_copy_(2, at, new)
        self.put[:, :, at - 8] = new
        place = at.item()
        torch._check(place >= 0)
        torch._check(place < 8)
        self.sliced[:, :, place:place + 1] = new
        return self.copied + 1, self.put + 1, self.sliced + 1


def turned(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


class Rotated(torch.nn.Module):
    """As transformers does: angles [batch, 1, places, features], each twice."""

    def angles(self, places):
        frequencies = 100 ** (-torch.arange(4) / 4)
        half = places[:, :, None].float() * frequencies
        both = torch.cat((half, half), dim=-1)
        return both.cos().unsqueeze(1), both.sin().unsqueeze(1)

    def forward(self, q, k, places):
        cos, sin = self.angles(places)
        return q * cos + turned(q) * sin, k * cos + turned(k) * sin


class RotatedHalves(Rotated):
    """Half by half, with slices; the angles are those of the first program of the batch."""

    def rotated(self, x, cos, sin):
        a, b = x[..., :4], x[..., 4:]
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)

    def forward(self, q, k, places):
        cos, sin = self.angles(places)
        cos, sin = cos[0, 0, :, :4], sin[0, 0, :, :4]
        return self.rotated(q, cos, sin), self.rotated(k, cos, sin)


class RotatedByHead(Rotated):
    def angles(self, places):
        cos, sin = super().angles(places)
        heads = torch.arange(1, 3)[:, None, None]
        return torch.cat((cos, cos), 1) * heads, torch.cat((sin, sin), 1)

    def forward(self, q, k, places):
        cos, sin = self.angles(places)
        return k * cos + turned(k) * sin


class RotatedUnlike(Rotated):
    def angles(self, places):
        half = places[:, None, :, None].float() * torch.arange(4)
        both = torch.cat((half, half + 1), dim=-1)
        return both.cos(), both.sin()


class RotatedBack(Rotated):
    def forward(self, q, k, places):
        cos, sin = self.angles(places)
        return q * cos - turned(q) * sin


class Gated(torch.nn.Module):
    def forward(self, x, y):
        return torch.nn.functional.silu(x) * y


def main(folder):
    q = torch.ones(2, 3, 5, 8)
    batch = {0: torch.export.Dim("batch")}
    programs = [
        (Masked, (q, torch.ones(2, 3, 6, 8), torch.ones(2, 3, 6, 4), torch.ones(5, 6, dtype=torch.bool)), (batch, batch, batch, None)),
        (Causal, (q, q, q), (batch, batch, batch)),
        (NoAttention, (q,), (batch,)),
        *((program, (torch.ones(2, 4, 5, 8), torch.ones(2, 2, 5, 8), torch.zeros(2, 5, dtype=torch.int64)), (batch, batch, batch))
          for program in (Rotated, RotatedHalves, RotatedByHead, RotatedUnlike, RotatedBack)),
        (Gated, (torch.ones(2, 5), torch.ones(2, 5)), None),
        (Caches, (torch.ones(2, 3, 1, 4), torch.tensor([5])), None),
    ]
    for module, args, shapes in programs:
        path = pathlib.Path(folder) / f"{module.__name__}.pt2"
        torch.export.save(torch.export.export(module(), args, dynamic_shapes=shapes), path)


if __name__ == "__main__":
    main(sys.argv[2])
