"""Frozen and optimised archives: attributes are constants, batch norm is folded into the convolution before it."""

import torch
from torch import nn
from torch.nn import functional as F

from program import rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
PICTURES = [(rand(2, 3, 8, 8),), (rand(1, 3, 8, 8),)]


def freeze(module):
    return torch.jit.freeze(torch.jit.script(module))


def freeze_trace(module, args):
    return torch.jit.freeze(torch.jit.trace(module, args, check_trace=False))


@script("x=f32[n,3,8,8]", build=freeze, runs=PICTURES, has=["Conv"], has_not=["BatchNormalization"])
class FrozenNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.head = nn.Linear(4, 2)
        self.norm.running_mean.normal_()

    def forward(self, x):
        x = F.relu(self.norm(self.conv(x)))
        return self.head(x.mean([2, 3]))


@trace("x=f32[n,3,8,8]", build=freeze_trace, runs=PICTURES, has_not=["BatchNormalization"])
class FrozenTrace(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, bias=False)
        self.norm = nn.BatchNorm2d(4)
        self.norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        return self.norm(self.conv(x)).relu_()


@script(X, build=freeze, runs=[(rand(3, 4) + 9,), (rand(5, 4) - 9,)], has=["If", "Loop"])
class FrozenControlFlow(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 0.5

    def forward(self, x):
        if x.sum() > 0:
            x = self.linear(x)
        for k in range(x.size(0)):
            x = x * self.scale + k
        return x


@script(
    "x=f32[time,batch,4]",
    build=freeze,
    runs=[(rand(5, 2, 4),), (rand(3, 4, 4),)],
    has=["LSTM:2"],
)
class FrozenLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, 2)

    def forward(self, x):
        return self.lstm(x)[0]


@script(X, build=freeze, runs=SIZES)
class FrozenAttributes(nn.Module):
    """Lists, dicts, tuples and tensors as constants."""

    def __init__(self):
        super().__init__()
        self.scales = [0.5, 2.0]
        self.table = {"a": 3, "b": 4}
        self.pair = (2, "b")
        self.offset = nn.Parameter(rand(4))
        self.register_buffer("ints", torch.tensor([1, 2, 3, 4]))

    def forward(self, x):
        k, name = self.pair
        for s in self.scales:
            x = x * s
        return x * k + self.table[name] + self.offset * self.ints


def freeze_keeping(module):
    return torch.jit.freeze(torch.jit.script(module), preserved_attrs=["scale", "twice"])


@script(X, build=freeze_keeping, runs=SIZES, method="twice")
class FrozenPartly(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 3

    @torch.jit.export
    def twice(self, x):
        return x * 2 * self.scale

    def forward(self, x):
        return self.twice(self.linear(x))


def optimise(module):
    frozen = torch.jit.freeze(torch.jit.script(module), optimize_numerics=False)
    torch.jit.run_frozen_optimizations(frozen)
    return frozen


@script("x=f32[n,3,8,8]", build=optimise, runs=PICTURES, has_not=["BatchNormalization"])
class FrozenOptimised(nn.Module):
    """Convolution with batch norm, and with an addition and a multiplication, folded by the optimiser."""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.b = nn.Conv2d(4, 4, 1)

    def forward(self, x):
        return self.b(self.norm(self.a(x))) * 2 + 3


def dead_code(module):
    scripted = torch.jit.script(module)
    torch._C._jit_pass_inline(scripted.graph)
    return torch.jit.freeze(scripted)


@script(X, build=dead_code, runs=SIZES)
class FrozenInlined(nn.Module):
    """Submodules inlined by the compiler before freezing."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.Linear(4, 2))

    def forward(self, x):
        return self.body(self.body[0](x))


@script(X, build=freeze, runs=SIZES, has_not=["Dropout"])
class FrozenTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)

    def forward(self, x):
        return self.layer(x.unsqueeze(0))
