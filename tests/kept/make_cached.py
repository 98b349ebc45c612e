"""make_cached.py NAME FOLDER: decoders whose cache grows, and some that only look like it.

Each has a NAME.pt2, and a NAME.npz with inputs of other sizes and PyTorch's results for them.
"""

import pathlib
import sys

import numpy as np
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

HEADS, CACHED, FEATURES, WIDTH = 4, 2, 8, 32
PROGRAMS = []


class Layer(nn.Module):
    """Queries, keys and values of new places [batch, n, width]; a cache of keys and values."""

    batch = 1
    takes_mask = False

    def __init_subclass__(cls):
        PROGRAMS.append(cls)

    def __init__(self):
        super().__init__()
        self.norm, self.last = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.q, self.o = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.kv = nn.Linear(WIDTH, 2 * CACHED * FEATURES)

    def places(self, x, past):
        return torch.arange(past.shape[2], past.shape[2] + x.shape[1])

    def mask(self, x, past, mask):
        return torch.arange(past.shape[2] + x.shape[1]) <= self.places(x, past)[:, None]

    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)

    def rotated(self, x, places):
        return x

    def join(self, past, new):
        return torch.cat((past, new), 2)

    def forward(self, x, keys, values, mask=None):
        def split(t):
            return t.unflatten(2, (-1, FEATURES)).transpose(1, 2)

        h = self.norm(x)
        places = self.places(x, keys)
        q = self.rotated(split(self.q(h)), places)
        k, v = (split(t) for t in self.kv(h).chunk(2, -1))
        mask = self.mask(x, keys, mask)
        keys, values = self.join(keys, self.rotated(k, places)), self.join(values, v)
        y = self.attend(q, keys, values, mask)
        x = x + self.o(y.transpose(1, 2).flatten(2))
        return self.last(x), x, keys, values


class Causal(Layer):
    pass


class Rotated(Layer):
    def rotated(self, x, places):
        angles = (places[:, None] * 100 ** (-torch.arange(FEATURES // 2) / 4)).repeat(1, 2)
        a, b = x.chunk(2, dim=-1)
        return x * angles.cos() + torch.cat((-b, a), dim=-1) * angles.sin()


class SpelledOut(Layer):
    """As transformers does, with a cap."""

    def mask(self, x, past, mask):
        n, total = x.shape[1], past.shape[2] + x.shape[1]
        return torch.full((n, total), float("-inf")).triu(past.shape[2] + 1)

    def attend(self, q, k, v, mask):
        k, v = (t[:, :, None].expand(-1, CACHED, HEADS // CACHED, -1, FEATURES).flatten(1, 2) for t in (k, v))
        return ((20 * torch.tanh(q @ k.mT * 0.3 / 20)) + mask).softmax(-1) @ v


class SeesTheNext(Layer):
    """One place more than what the operator shows by itself."""

    def mask(self, x, past, mask):
        return torch.arange(past.shape[2] + x.shape[1]) <= self.places(x, past)[:, None] + 1


class Masked(Layer):
    """The mask is an input: which places are seen."""

    takes_mask = True

    def mask(self, x, past, mask):
        return mask


class NotMasked(Layer):
    """Every place sees all."""

    def mask(self, x, past, mask):
        return None


class OnePlace(Layer):
    """Several sequences, one new place for each."""

    batch = 3


class NotSeveral(Layer):
    """ONNX Runtime takes several new places of one sequence only."""

    batch = 2


class NotBehind(Layer):
    """Puts the new entries first."""

    def join(self, past, new):
        return torch.cat((new, past), 2)


def main(folder):
    new, past = torch.export.Dim("new", min=2, max=64), torch.export.Dim("past", min=2, max=64)
    for kind in PROGRAMS:
        module = kind().eval()

        def inputs(n, p):
            args = [torch.randn(kind.batch, n, WIDTH)] + [torch.randn(kind.batch, CACHED, p, FEATURES) for _ in range(2)]
            if kind.takes_mask:
                args.append(torch.rand(n, p + n) > 0.5)
                args[-1][0] = False  # this row sees nothing
            return tuple(args)

        one = kind is OnePlace
        axes = {"x": {} if one else {1: new}, "keys": {2: past}, "values": {2: past}}
        if kind.takes_mask:
            axes["mask"] = {0: new, 1: torch.export.Dim.DYNAMIC}  # past + new
        exported = torch.export.export(module, inputs(1 if one else 5, 6), dynamic_shapes=axes)
        torch.export.save(exported, pathlib.Path(folder) / f"{kind.__name__}.pt2")
        args = inputs(1 if one else 3, 9)
        with torch.no_grad():
            tensors = {f"in{i}": t for i, t in enumerate(args)} | {f"out{i}": t for i, t in enumerate(module(*args))}
        np.savez(pathlib.Path(folder) / kind.__name__, **{key: t.numpy() for key, t in tensors.items()})


if __name__ == "__main__":
    torch.manual_seed(0)
    main(sys.argv[2])
