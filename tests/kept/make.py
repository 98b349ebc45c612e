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


class RotatedInTurns(Rotated):
    """GPT-J: feature 2 i with 2 i + 1, all at once."""

    def forward(self, q, k, places):
        angles = places[:, None, :, None].float() * 100 ** (-torch.arange(4) / 4)
        cos, sin = angles.cos().repeat_interleave(2, -1), angles.sin().repeat_interleave(2, -1)

        def rotated(x):
            return x * cos + torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2) * sin

        return rotated(q), rotated(k)


class RotatedPairs(Rotated):
    """The same, pair by pair."""

    def parts(self, x):
        return x[..., ::2], x[..., 1::2]

    def forward(self, q, k, places):
        angles = places[:, None, :, None].float() * 100 ** (-torch.arange(4) / 4)
        cos, sin = angles.cos(), angles.sin()

        def rotated(x):
            a, b = self.parts(x)
            return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)

        return rotated(q), rotated(k)


class RotatedUnbound(RotatedPairs):
    def parts(self, x):
        return x.unflatten(-1, (-1, 2)).unbind(-1)


class RotatedComplex(Rotated):
    """Llama's own code."""

    def forward(self, q, k, places):
        angles = places[:, None, :, None].float() * 100 ** (-torch.arange(4) / 4)
        turns = torch.polar(torch.ones_like(angles), angles)

        def rotated(x):
            return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * turns).flatten(-2)

        return rotated(q), rotated(k)


class RotatedAcross(RotatedPairs):
    """Pairs of one kind, put where those of the other would be."""

    def parts(self, x):
        return x.chunk(2, dim=-1)


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


class LooksBack(torch.nn.Module):
    """A window over the channel's own last places, as Mamba and DeltaNet have it in front of what is recurrent."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(6, 6, 4, groups=6)

    def forward(self, x, kept):
        """With what is kept of the last run."""
        joined = torch.cat((kept, x), dim=-1)
        return torch.nn.functional.silu(self.conv(joined)), joined[..., -3:]


class LooksBackOverZeros(LooksBack):
    def forward(self, x):
        return self.conv(torch.nn.functional.pad(x, (3, 0)))


class LooksBackAndIsCut(LooksBack):
    def __init__(self):
        super().__init__()
        self.conv.padding = (3,)

    def forward(self, x):
        return torch.nn.functional.silu(self.conv(x)[..., :x.shape[-1]])


class LooksAhead(LooksBack):
    """Places behind it."""

    def forward(self, x):
        return self.conv(torch.nn.functional.pad(x, (0, 3)))


class LooksAtOthers(LooksBack):
    """Two channels at a time."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(6, 6, 4, groups=3)

    def forward(self, x):
        return self.conv(torch.nn.functional.pad(x, (3, 0)))


class LooksBackOverOnes(LooksBack):
    def forward(self, x):
        return self.conv(torch.nn.functional.pad(x, (3, 0), value=1))


class LooksFurtherBack(LooksBack):
    """More is kept than the window needs, so that there is one result more than places."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(6, 6, 3, groups=6)


def main(folder):
    q = torch.ones(2, 3, 5, 8)
    batch, length = {0: torch.export.Dim("batch")}, {2: torch.export.Dim("length")}
    programs = [
        (Masked, (q, torch.ones(2, 3, 6, 8), torch.ones(2, 3, 6, 4), torch.ones(5, 6, dtype=torch.bool)), (batch, batch, batch, None)),
        (Causal, (q, q, q), (batch, batch, batch)),
        (NoAttention, (q,), (batch,)),
        *((program, (torch.ones(2, 4, 5, 8), torch.ones(2, 2, 5, 8), torch.zeros(2, 5, dtype=torch.int64)), (batch, batch, batch))
          for program in (Rotated, RotatedHalves, RotatedInTurns, RotatedPairs, RotatedUnbound, RotatedComplex, RotatedAcross,
                          RotatedByHead, RotatedUnlike, RotatedBack)),
        (Gated, (torch.ones(2, 5), torch.ones(2, 5)), None),
        *((program, (torch.ones(2, 6, 5), torch.ones(2, 6, 3)), (batch | length, batch)) for program in (LooksBack, LooksFurtherBack)),
        *((program, (torch.ones(2, 6, 5),), (batch | length,))
          for program in (LooksBackOverZeros, LooksBackAndIsCut, LooksAhead, LooksAtOthers, LooksBackOverOnes)),
        (Caches, (torch.ones(2, 3, 1, 4), torch.tensor([5])), None),
    ]
    for module, args, shapes in programs:
        path = pathlib.Path(folder) / f"{module.__name__}.pt2"
        torch.export.save(torch.export.export(module(), args, dynamic_shapes=shapes), path)


if __name__ == "__main__":
    main(sys.argv[2])
