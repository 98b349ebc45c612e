"""Python numbers in traces and frozen scripts. Such a number is a 0-d constant of any dtype, which LibTorch treats as a
number if it is the second operand of add, sub, mul or div. The dtypes of the results are compared first."""

import random
from typing import Tuple

import torch
from torch import nn

from program import rand, script, trace

X = "x=f32[n,4]"
SIZES = [(4 * rand(3, 4),), (4 * rand(5, 4),)]
OPSETS = (13, 17)
HALF = torch.tensor(0.5, dtype=torch.float64)
ONE_HALF = torch.tensor([0.5], dtype=torch.float64)


@trace(X, runs=SIZES, remarks_not=["gives float64"])
def wrapped_means(x):
    return x.mean() * 0.5, x.mean() + 1, x.mean() / 3, x.sum() - 0.25


@trace(X, runs=SIZES)
def wrapped_ints(x):
    i = x.long()
    return i * 0.5, i / 2.0, i + 1, i.sum() * 0.5, x.int().sum(dtype=torch.int32) * 2, i.sum() * HALF.half()


@trace(X, runs=SIZES)
def wrapped_sizes(x):
    n = x.shape[0]
    return torch.arange(n) / n, torch.arange(n) * 0.5, x.int() * n, x.sum() * (n / 2.0), x / n**0.5


@trace(X, runs=SIZES)
class WrappedTimestep(nn.Module):
    """The timestep embedding of diffusion models."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 4)

    def forward(self, x):
        f = torch.exp(-torch.log(torch.tensor(1e4)) * torch.arange(4) / 4)
        f = torch.exp(-9.210340371976184 * torch.arange(4) / 4) + f
        a = x[:, :1] * f
        return self.linear(torch.cat([a.sin(), a.cos()], 1))


class Scaled(nn.Module):
    def forward(self, x, k):
        return x * k


@trace(X, runs=SIZES)
class WrappedThroughModules(nn.Module):
    """As arguments of modules, one constant for each number that the program writes."""

    def __init__(self):
        super().__init__()
        self.first = Scaled()
        self.second = Scaled()

    def forward(self, x):
        return self.second(self.first(x.mean(), 0.5), 0.5) + 0.5


@trace(X, runs=SIZES, refused=["aten::add", "0-d float64 constant", "convert the constant to float32"])
class WrappedInResult(nn.Module):
    """A tensor that two modules use leaves the first one in a tuple, where the two executors of LibTorch differ."""

    def __init__(self):
        super().__init__()
        self.first = Scaled()

    def forward(self, x):
        return self.first(x.mean(), HALF) + HALF


@torch.jit.script
def scaled(x, k):
    y = x * k
    for _ in range(3):
        y = y + k
    return y


@torch.jit.script
def second(x, k):
    return k


@trace(X, runs=SIZES)
def wrapped_through_functions(x):
    m = x.mean()
    return scaled(m, HALF), scaled(m, HALF.float()), m * second(m, torch.tensor(0.5, dtype=torch.float64))


MADE_FLOAT64 = ["`floor_divide` gives float64, because of a 0-d float64 constant", "`mul` gives float64"]


@trace(X, runs=SIZES, since=10, remarks=MADE_FLOAT64)
def wrapped_made_float64(x):
    """Eager PyTorch gives float32."""
    return x.long() // 2.5, torch.mul(2.5, x.long())


@trace(X, runs=SIZES)
def wrapped_nowhere_else(x):
    """Constants that are computed with are tensors; so is a first operand, and the operand of any other operator."""
    m = x.mean()
    to = m * HALF.to(torch.float64), m * HALF.detach(), m * (-HALF), m * (HALF * 2), m * HALF.reshape([])
    return *to, HALF * m, m**HALF, torch.maximum(m, HALF), m.clone().mul_(HALF), m * ONE_HALF


@torch.jit.script
def of_pair(x, pair: Tuple[torch.Tensor, torch.Tensor]):
    return x * pair[0]


@trace(X, runs=SIZES)
def wrapped_pair(x):
    """Exported where the dtype is the same with a tensor and with a number."""
    return of_pair(x, (HALF, HALF))


@trace(X, runs=SIZES, refused=["aten::mul", "0-d float64 constant", "convert the constant to float32"])
def wrapped_pair_of_mean(x):
    return of_pair(x.mean(), (HALF, HALF))


def freeze(module):
    return torch.jit.freeze(torch.jit.script(module))


class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("a", HALF.clone())
        self.register_buffer("b", torch.tensor(3))


@script(X, build=freeze, runs=SIZES)
class WrappedFrozen(Buffers):
    def forward(self, x):
        m = x.mean()
        return m * self.a, m + self.a * 2, self.a * m, x.int().sum(dtype=torch.int32) - self.b, x.long() * self.a


@script(X, runs=SIZES)
class WrappedScript(Buffers):
    """Not frozen, they are tensors."""

    def forward(self, x):
        return x.mean() * self.a, x.int().sum(dtype=torch.int32) - self.b


class Chosen(Buffers):
    def forward(self, x):
        k = self.a
        if x.size(0) == 3:
            k = self.a * 2
        return x.mean() * k


@script("x=f32[3,4]", build=freeze, runs=SIZES[:1], refused=["0-d float64 constant", "optimiser"])
class WrappedFrozenBranch(Chosen):
    """Known here, not to LibTorch's compiler."""


@script(X, build=freeze, runs=SIZES, has=["If"])
class WrappedFrozenChoice(Chosen):
    """A number that is chosen at run time is a tensor."""


@script(X, build=freeze, runs=SIZES)
class WrappedFrozenBranchOfMatrix(Buffers):
    """Either way float32."""

    def forward(self, x):
        k = self.a
        if x.dim() == 3:
            k = self.a * 2
        return x * k


# ---- random programs

CONSTANTS = [
    torch.float64,
    torch.float32,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.int16,
    torch.int8,
    torch.uint8,
]
OPERANDS = [torch.float64, torch.float32, torch.float16, torch.int64, torch.int32]
AS_NUMBER = [
    torch.add,
    torch.sub,
    torch.mul,
    torch.div,
    torch.multiply,
    torch.subtract,
    torch.divide,
    torch.true_divide,
    lambda u, k: torch.add(u, k, alpha=2),
    lambda u, k: scaled(u, k),
]
AS_TENSOR = [
    lambda u, k: k + u,
    lambda u, k: k * u,
    lambda u, k: k - u,
    lambda u, k: k / (u * u + 1),
    torch.maximum,
    lambda u, k: torch.where(u > 0, u, k),
    lambda u, k: u * k.reshape(1),
    lambda u, k: u + (-k),
    lambda u, k: u * k.to(k.dtype),
    lambda u, k: u - k.detach(),
    lambda u, k: u.clone().mul_(k) if not k.is_floating_point() else u * (k + k),
]


def random_program(seed):
    choose = random.Random(seed)

    def constant(dtypes):
        dtype = choose.choice(dtypes)
        return torch.tensor(choose.choice([1.5, 2.5, 0.5] if dtype.is_floating_point else [1, 2, 3]), dtype=dtype)

    steps = []
    for _ in range(6):
        dtype, whole = choose.choice(OPERANDS), choose.random() < 0.4
        chain = []
        for _ in range(choose.randrange(1, 4)):
            if choose.random() < 0.6:
                chain.append((choose.choice(AS_NUMBER), constant(CONSTANTS)))
            else:  # ONNX Runtime computes nothing in bfloat16
                chain.append((choose.choice(AS_TENSOR), constant([d for d in CONSTANTS if d != torch.bfloat16])))
        steps.append((dtype, whole, chain))

    def program(x):
        results = []
        for dtype, whole, chain in steps:
            u = x.to(dtype)
            u = u if whole else u[0, 0]
            for operator, k in chain:
                u = operator(u, k)
            results.append(u)
        return tuple(results)

    program.__name__ = f"wrapped_random_{seed}"
    return program


for number in range(40):
    trace(X, runs=SIZES, opsets=OPSETS, tolerance=4e-3)(random_program(number))
