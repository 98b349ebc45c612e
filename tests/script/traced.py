"""Traced modules: named axes where the trace is general, recorded shapes where nothing is said."""

from typing import Dict, List, Tuple

import torch
from torch import nn
from torch.nn import functional as F

from program import ints, num, rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))

    def forward(self, x):
        return self.body(x)


@trace(X, runs=SIZES, weights=["body.0.weight", "body.2.bias"])
class TracedNamedBatch(Mlp):
    pass


@trace(runs=[(rand(3, 4),)])
class TracedRecordedShapes(Mlp):
    """Without --input: what the trace recorded."""


@trace("x=f32[n,c,h,w]", runs=[(rand(2, 3, 4, 5),), (rand(1, 2, 6, 3),)])
class TracedShapes(nn.Module):
    """Sizes taken from the tensor stay free."""

    def forward(self, x):
        n, c, h, w = x.shape
        y = x.view(n, c, h * w).transpose(1, 2)
        z = torch.zeros(n, h) + torch.arange(h)
        return y.reshape(n * h, w, c), z, torch.ones(c, w // 2), x.flatten(1)


@trace("x=f32[n,3,h,w]", runs=[(rand(2, 3, 8, 6),), (rand(1, 3, 5, 9),)], since=11)
class TracedResize(nn.Module):
    def forward(self, x):
        y = F.interpolate(x, scale_factor=2.0, mode="nearest")
        z = F.interpolate(x, size=(x.size(2) * 2, x.size(3)), mode="bilinear", align_corners=False)
        return y, z, F.adaptive_avg_pool2d(x, 1), F.avg_pool2d(x, 2)


@trace("x=f32[n,m]", runs=[(rand(3, 4),), (rand(5, 7),), (rand(4, 3),)])
class TracedElements(nn.Module):
    """Elements by their numbers, from either end: no loop over the axis."""

    def forward(self, x):
        return x[:, 0], x[:, 2], x[:, -1], x[1], x[:, 1:3], x[:, 1:], x[-2:], x[:, : x.shape[1] - 1]


@trace("x=f32[n,3,h,w]", runs=[(rand(2, 3, 8, 6),), (rand(1, 3, 5, 9),), (rand(1, 3, 3, 2),)], since=11)
class TracedAdaptivePools(nn.Module):
    """Windows whose places a run computes; also more of them than there are elements."""

    def forward(self, x):
        y = F.adaptive_avg_pool1d(x.flatten(2), 5)
        return y, F.adaptive_avg_pool2d(x, (3, 4)), F.adaptive_avg_pool2d(x.double(), (6, 1))


class Embedded(nn.Module):
    """A table of positions cut to the length, a convolution along it, heads of the size that is left."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(9, 8)
        self.places = nn.Embedding(16, 8)
        self.along = nn.Conv1d(8, 8, 3, padding=1)
        self.register_buffer("ids", torch.arange(16).expand(1, -1))

    def forward(self, words, mask):
        x = self.words(words) + self.places(self.ids[:, : words.shape[1]])
        x = x + self.along(x.transpose(1, 2)).transpose(1, 2).masked_fill((mask == 0).unsqueeze(2), 0.0)
        heads = x.view(x.size()[:-1] + (2, -1)).transpose(1, 2)
        q, k = heads.chunk(2, -1)
        return same_rows(q, k) @ k.transpose(-1, -2)


@torch.jit.script
def same_rows(q, k):
    """The side that no run takes has another rank; this is known only when the sizes are."""
    if q.size(-2) != k.size(-2):
        return q[0]
    return q


@trace(
    "words=i64[n,m]",
    "mask=i64[n,m]",
    runs=[
        (torch.arange(14).view(2, 7) % 9, torch.arange(14).view(2, 7) % 3),
        (torch.arange(15).view(3, 5) % 8, torch.arange(15).view(3, 5) % 2),
        (torch.arange(4).view(1, 4), torch.ones(1, 4, dtype=torch.int64)),
    ],
    since=11,
)
class TracedSizesOfSums(Embedded):
    """[m] + [min(m, 16)] has m elements."""


@trace(
    "x.0=f32[n,4]",
    "x.1=f32[n,4]",
    "d.a=f32[n,4]",
    runs=[((rand(3, 4), rand(3, 4)), {"a": rand(3, 4)}), ((rand(5, 4), rand(5, 4)), {"a": rand(5, 4)})],
)
class TracedContainers(nn.Module):
    def forward(self, x: Tuple[torch.Tensor, torch.Tensor], d: Dict[str, torch.Tensor]):
        return (x[0] + d["a"], [x[1] * 2, x[0]])


@trace("x.0=f32[n,4]", "x.1=f32[n,4]", runs=[([rand(3, 4), rand(3, 4)],), ([rand(5, 4), rand(5, 4)],)])
class TracedListInput(nn.Module):
    def forward(self, x: List[torch.Tensor]):
        return torch.cat(x, 1)


@trace(
    "x=i64[n,s]",
    "m=i64[n,s]",
    runs=[
        (torch.randint(9, (2, 5)), torch.ones(2, 5, dtype=torch.int64)),
        (torch.randint(9, (3, 7)), torch.ones(3, 7, dtype=torch.int64)),
    ],
)
class TracedAttention(nn.Module):
    """Masks and positions made from sizes, as transformers make them."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 8)
        self.positions = nn.Embedding(16, 8)
        self.register_buffer("ids", torch.arange(16).unsqueeze(0))
        self.qkv = nn.Linear(8, 24)

    def forward(self, x, m):
        s = x.size(1)
        h = self.embed(x) + self.positions(self.ids[:, :s])
        q, k, v = self.qkv(h).view(x.size(0), s, 3, 2, 4).permute(2, 0, 3, 1, 4)
        mask = (1.0 - m[:, None, None, :].to(h.dtype)) * torch.finfo(h.dtype).min
        causal = torch.ones(s, s).tril() == 0
        w = (q @ k.transpose(-2, -1)) / 2.0 + mask
        w = w.masked_fill(causal, -1e9).softmax(-1)
        return (w @ v).transpose(1, 2).reshape(x.size(0), s, -1)


@trace(X, "k=i64[]", runs=[(rand(3, 4), num(2)), (rand(5, 4), num(3))], since=10)
class TracedTensorInt(nn.Module):
    """A 0-d tensor used as a number."""

    def forward(self, x, k):
        return x * k, x[:k], x + k.float()


@trace("x=f32[n,4]", "y=i64[n]", runs=[(rand(3, 4), ints(0, 3, 2)), (rand(2, 4), ints(1, 1))], since=11)
class TracedIndexing(nn.Module):
    def forward(self, x, y):
        rows = torch.arange(x.size(0))
        return x[rows, y], x.gather(1, y.unsqueeze(1)), F.one_hot(y, 5), x[x > 0].sum(), x[:, [0, 2]], x[..., None, 1:]


@trace(X, runs=SIZES)
class TracedConstants(nn.Module):
    """Tensors that the trace keeps as constants."""

    def forward(self, x):
        a = torch.tensor([1.0, 2.0, 3.0, 4.0])
        b = torch.eye(4)
        return (x + a) @ b - torch.tensor(2), torch.full((4,), 3)


@trace(X, runs=SIZES)
class TracedOutputs(nn.Module):
    """The same tensor twice, and an input as an output."""

    def forward(self, x):
        y = x + 1
        return y, y, x


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, scale):
        return self.linear(x) * scale, x - 1


@trace(X, runs=SIZES, weights=["blocks.0.linear.weight", "blocks.1.linear.weight"])
class TracedSubmodules(nn.Module):
    """Submodules with several arguments and results."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])

    def forward(self, x):
        for block in self.blocks:
            y, x = block(x, 0.5)
            x = x + y
        return x


def with_method(module, args):
    return torch.jit.trace_module(module, {"forward": args, "other": args}, check_trace=False)


@trace(X, runs=SIZES, build=with_method, method="other")
class TracedMethod(nn.Module):
    def forward(self, x):
        return x + 1

    def other(self, x):
        return x * 2


@trace(runs=[(rand(3, 4), rand(4, 2))], fixed_axes=["x 0"])
class TracedAxes(nn.Module):
    """Some axes may be free, but not the batch, which the trace has as a number."""

    def forward(self, x, y):
        return torch.zeros(3, 1) + x @ y


@trace("x=f32[n,4]", runs=SIZES)
class TracedDtypes(nn.Module):
    def forward(self, x):
        a = x.half().float()
        b = x.to(torch.float64).sum()
        c = (x > 0).int() + x.long()
        return a, b, c, x.type_as(c), x.bool() & (x > 1), x.to(x.device)


@trace(runs=[(ints(1, 65535, dtype=torch.uint16), ints(7, 8, dtype=torch.uint32), ints(9, 0, dtype=torch.uint64))])
class TracedUnsigned(nn.Module):
    def forward(self, x, y, z):
        return x.int() - 1, y.long() * z.long(), z


class Float8Weights(nn.Module):
    def __init__(self, *dtypes):
        super().__init__()
        for i, dtype in enumerate(dtypes):
            self.register_buffer(f"w{i}", torch.tensor([0.5, 1.0, 2.0, 16.0]).to(dtype))

    def forward(self, x):
        return [x * w.to(torch.float32) for w in self.buffers()]


@trace("x=f32[n,4]", runs=SIZES, since=19, opsets=(17, 19, 21, 25))
class TracedFloat8(Float8Weights):
    def __init__(self):
        super().__init__(torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz)


@trace("x=f32[n,4]", runs=SIZES, since=24, opsets=(23, 25))
class TracedFloat8Scale(Float8Weights):
    def __init__(self):
        super().__init__(torch.float8_e8m0fnu)


@trace("x=f32[n,4]", runs=SIZES)
def traced_function(x):
    return torch.tanh(x) @ x.t()
