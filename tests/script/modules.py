"""Modules: parameters by their state_dict names, buffers, constants, methods, traced inside scripted and back."""

import math
import sys
from typing import Dict, Final, List

import torch
from torch import nn
from torch.nn import functional as F

from program import rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
PICTURES = [(rand(2, 3, 8, 8),), (rand(1, 3, 8, 8),)]


@script(X, runs=SIZES, weights=["body.0.weight", "body.0.bias", "body.2.weight"])
class SequentialModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))

    def forward(self, x):
        return self.body(x)


@script(X, runs=SIZES, weights=["first.weight"], has=["Gemm:2"])
class SharedModule(nn.Module):
    """One module under two names: its parameters are written once."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = self.first

    def forward(self, x):
        return self.second(self.first(x).relu())


@script("x=i64[n]", runs=[(torch.tensor([1, 2]),), (torch.tensor([3, 0, 4]),)], weights=["embed.weight"])
class TiedWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, x):
        return self.head(self.embed(x))


@script(X, runs=SIZES, weights=["offset", "scale"])
class BuffersAndParameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("offset", torch.arange(4.0))
        self.register_buffer("hidden", torch.ones(4) * 3, persistent=False)
        self.scale = nn.Parameter(rand(4))
        self.plain = torch.tensor([1.0, 2.0, 3.0, 4.0])

    def forward(self, x):
        return x * self.scale + self.offset - self.hidden * self.plain


@script(X, runs=SIZES, weights=["layers.0.weight", "layers.2.weight"])
class ModuleList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        for k, layer in enumerate(self.layers):
            if k != 1:
                x = layer(x).relu()
        return x + self.layers[0](x)


@script(X, runs=SIZES, weights=["scales.0", "scales.1"])
class ParameterList(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterList([nn.Parameter(rand(4)) for _ in range(2)])

    def forward(self, x):
        for s in self.scales:
            x = x * s
        return x


@script(X, runs=SIZES)
class Methods(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 2)

    @torch.jit.export
    def score(self, x, scale: float):
        return self.head(x) * scale

    @torch.jit.unused
    def python_only(self, x):
        return x.tolist()

    def forward(self, x):
        if x.dim() == 9:
            return self.python_only(x)
        return self.score(x, 2.0) + self.score(x, scale=0.5)


@script(X, runs=SIZES)
class FinalConstants(nn.Module):
    width: Final[int]
    __constants__ = ["names"]

    def __init__(self):
        super().__init__()
        self.width = 4
        self.names = ["a", "bb"]

    def forward(self, x):
        for name in self.names:
            x = x * len(name)
        return x.view(-1, self.width // 2)


@script("x=f32[n,3,8,8]", runs=PICTURES, weights=["conv.weight+norm.weight", "head.weight"])
class SmallNet(nn.Module):
    """Batch norm and dropout in eval mode."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.drop = nn.Dropout(0.5)
        self.head = nn.Linear(4, 2)
        self.norm.running_mean.normal_()

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        x = self.drop(x.mean([2, 3]))
        return F.log_softmax(self.head(x), dim=1)


@script("x=f32[n,s,8]", runs=[(rand(2, 5, 8),), (rand(3, 2, 8),)])
class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


@script("x=f32[s,n,8]", "m=bool[n,s]", runs=[(rand(5, 2, 8), rand(2, 5) > 1), (rand(3, 4, 8), rand(4, 3) > 1)])
class SelfAttentionMasked(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2)

    def forward(self, x, m):
        return self.attention(x, x, x, key_padding_mask=m, need_weights=False)[0]


@script("x=f32[n,s,8]", runs=[(rand(2, 5, 8),), (rand(3, 2, 8),)])
class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        return self.layer(x)


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


@script(X, runs=SIZES, weights=["inner.linear.weight"])
class TracedInsideScripted(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.jit.trace(Inner(), rand(2, 4))

    def forward(self, x):
        if x.size(0) > 4:
            return self.inner(x)
        return self.inner(x) + 1


class Chooser(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


@trace(X, runs=[(rand(3, 4) + 9,), (rand(5, 4) - 9,)], has=["If"])
class ScriptedInsideTraced(nn.Module):
    def __init__(self):
        super().__init__()
        self.chooser = torch.jit.script(Chooser())

    def forward(self, x):
        return self.chooser(x) * 2


@script(X, runs=SIZES)
class SameClassTwice(nn.Module):
    """Two instances of one class, with other attributes."""

    def __init__(self):
        super().__init__()
        self.a = Scale(2)
        self.b = Scale(5)

    def forward(self, x):
        return self.a(x) + self.b(x)


class Scale(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.weight = nn.Parameter(rand(4))

    def forward(self, x):
        return x * self.k + self.weight


@script(X, runs=SIZES)
class ModuleState(nn.Module):
    """An attribute that forward changes: its new value is used in the same call."""

    def __init__(self):
        super().__init__()
        self.calls = 1
        self.cache = torch.zeros(4)

    def forward(self, x):
        self.calls += 2
        self.cache = x.mean(0)
        return x * self.calls - self.cache


@script("x=f64[n,4]", runs=[(rand(3, 4).double(),), (rand(5, 4).double(),)])
class DoublePrecision(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3).double()

    def forward(self, x):
        return torch.softmax(self.linear(x), -1)


@script(X, runs=SIZES)
class WeightNorm(nn.Module):
    """A weight that is computed from two parameters."""

    def __init__(self):
        super().__init__()
        self.g = nn.Parameter(rand(3, 1))
        self.v = nn.Parameter(rand(3, 4))

    def forward(self, x):
        return F.linear(x, self.v * (self.g / self.v.norm(2, dim=1, keepdim=True)))


@script("x=f32[n,6,h,w]", runs=[(rand(2, 6, 5, 7),), (rand(1, 6, 9, 4),)])
class NormsAndActivations(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.GroupNorm(2, 6), nn.GELU(), nn.InstanceNorm2d(6), nn.SiLU(), nn.Hardswish(), nn.LeakyReLU(0.2), nn.ELU()
        )

    def forward(self, x):
        return self.body(x)


class Restoring(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.ones(4)
        self.training = False

    @torch.jit.export
    def __getstate__(self):
        return self.weight * 2, self.training

    @torch.jit.export
    def __setstate__(self, state):
        # type: (Tuple[Tensor, bool]) -> None
        self.weight = torch.cat([state[0][:2].exp(), state[0][2:]])
        self.training = state[1]


@script(X, runs=SIZES, trust=True)
class SetStateTrusted(Restoring):
    """Code that would run when PyTorch loads the file is interpreted."""

    def forward(self, x):
        return x * self.weight


class Moving(Restoring):
    @torch.jit.export
    def __setstate__(self, state):
        # type: (Tuple[Tensor, bool]) -> None
        self.weight = state[0]
        self.training = state[1]


@script(X, runs=SIZES)
class SetStateMovesData(Moving):
    """It only moves data: no trust is needed."""

    def forward(self, x):
        return x * self.weight


@torch.jit.script
def double(x):
    return x * 2


@script(X, runs=SIZES)
class ForkAndWait(nn.Module):
    """Tasks run where they are waited for."""

    def forward(self, x):
        task = torch.jit.fork(double, x)
        y = x + 1
        return torch.jit.wait(task) + y


def causal(length):
    return nn.Transformer.generate_square_subsequent_mask(length)


MASKED = [(rand(5, 2, 8), causal(5)), (rand(4, 3, 8), rand(4, 4))]


@script("x=f32[t,n,8]", "mask=f32[t,t]", runs=MASKED, since=11, has=["If"])
class EncoderWithMask(nn.Module):
    """At run time, the mask decides whether attention gets it, or None and `is_causal`."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x, mask):
        return self.encoder(x, mask=mask)


@script("x=f32[b,t,8]", runs=[(rand(2, 5, 8),), (rand(1, 3, 8),)], since=11)
class CausalAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.register_buffer("mask", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))
        self.heads: int = 2

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        return (F.softmax(att, dim=-1) @ v).transpose(1, 2).contiguous().view(B, T, C)


@script("x=f32[b,3,h,w]", runs=[(rand(2, 3, 8, 6),), (rand(1, 3, 5, 7),)], since=11)
class FeaturePyramid(nn.Module):
    """OrderedDict of features, ModuleList in reverse, interpolate to sizes of the run."""

    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([nn.Conv2d(3, 4, 3, 2, 1), nn.Conv2d(4, 4, 3, 2, 1)])
        self.lateral = nn.ModuleDict({"a": nn.Conv2d(4, 2, 1), "b": nn.Conv2d(4, 2, 1)})

    def forward(self, x):
        feats: Dict[str, torch.Tensor] = {}
        names = ["a", "b"]
        for i, stage in enumerate(self.stages):
            x = F.relu(stage(x))
            feats[names[i]] = x
        outs: List[torch.Tensor] = []
        for name, lat in self.lateral.items():
            outs.append(lat(feats[name]))
        top = outs[-1]
        low = outs[0] + F.interpolate(top, size=outs[0].shape[-2:], mode="nearest")
        return {"low": low, "top": top}


@script("x=f32[b,3,h,w]", runs=[(rand(2, 3, 8, 6),), (rand(1, 3, 5, 7),)], since=11)
class PadToMultiple(nn.Module):
    """Swin, UNets: pads to a multiple, crops back."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 4, 4)
        self.up = nn.ConvTranspose2d(2, 3, 4, 4)

    def forward(self, x):
        h, w = x.shape[-2:]
        ph = (4 - h % 4) % 4
        pw = (4 - w % 4) % 4
        if ph > 0 or pw > 0:
            x = F.pad(x, [0, pw, 0, ph])
        y = self.up(self.conv(x))
        return y[:, :, :h, :w]


# ONNX Runtime would take a Pad of zeros into a MaxPool, where it stands for minus infinity; BiT models begin like this
@script("x=f32[n,2,h,w]", runs=[(-rand(2, 2, 6, 6).abs() - 1,), (-rand(1, 2, 5, 8).abs() - 1,)])
class ZerosBeforeMaxPool(nn.Module):
    def forward(self, x):
        return F.max_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 2), F.max_pool2d(F.pad(x, (1, 0, 0, 1)), 2)


TRAINED = "`requires_grad` of a tensor that is no weight is taken to be False"


@script(X, runs=[(rand(3, 4),)])
class AskedWhetherTrained(nn.Module):
    """The archive says it of each weight."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)
        self.frozen = nn.Linear(4, 4)
        self.frozen.weight.requires_grad_(False)
        self.register_buffer("offset", torch.ones(4))

    def forward(self, x):
        if self.head.weight.requires_grad:
            x = x * 2
        if self.frozen.weight.requires_grad or self.offset.requires_grad or self.head.weight.data.requires_grad:
            x = x * 3
        if self.head.weight.is_leaf and not self.offset.is_inference() and not self.offset.is_pinned():
            x = x * 5
        return self.frozen(self.head(x)) + self.offset


@script(X, runs=[(rand(3, 4),)], remarks=[TRAINED])
class AskedWhetherInputIsTrained(nn.Module):
    def forward(self, x):
        return x * 3 if x.requires_grad else x * 2


@script(X, runs=[(rand(3, 4),)], refused=["tensors that share one memory", "modules.py"])
class AskedWhetherChangedIsTrained(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        self.head.weight.requires_grad_(False)
        return self.head(x) * 3 if self.head.weight.requires_grad else self.head(x)


@script(X, "y=f32[n,4]", runs=[(torch.ones(3, 4), torch.ones(3, 4) * 1.2)], refused=["a tolerance", "modules.py"])
class CloseByToleranceOfARun(nn.Module):
    def forward(self, x, y):
        tolerance = float(torch.max(x)) * 0.5
        return x * 2 if torch.allclose(x, y, tolerance) else x


@script(X, "y=f32[n,4]", runs=[(torch.ones(3, 4), torch.ones(3, 4) * 1.2), (torch.ones(2, 4), torch.ones(2, 4) * 3)])
class CloseByKnownTolerance(nn.Module):
    def forward(self, x, y):
        if torch.allclose(x, y, 0.0, 0.5):
            x = x * 2
        return x * 3 if torch.allclose(x, y, 0.25) else x


@script(X, runs=[(rand(3, 4),), (-rand(2, 4).abs(),)], since=11)
class NothingIsChosen(nn.Module):
    """A selection that a run leaves empty: its mean is NaN, and there is nothing to scatter."""

    def forward(self, x):
        chosen = x[x > 0]
        return chosen.mean(), x.masked_scatter(x > 0, chosen * 2), chosen.sum()


def in_file(name):
    """The class is of a module of that name, which LibTorch's printer writes as it is."""

    def place(definition):
        definition.__module__ = name
        sys.modules[name] = sys.modules[__name__]
        return definition

    return place


@in_file("my-net.sub-layers")
class LayerInFileOfAnyName(nn.Module):
    def forward(self, x):
        return x * 3


@script(X, runs=SIZES)
@in_file("my-net")
class FileOfAnyName(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(LayerInFileOfAnyName(), nn.ReLU())

    def forward(self, x):
        return self.layers(x) + self.one(x)

    def one(self, x):
        return x + 1
