"""Python's numbers: known ones are computed, free ones become 0-d tensors with the same arithmetic."""

import math
from typing import List

import torch
from torch import nn

from program import ints, num, rand, script

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(8, 4),), (rand(1, 4),)]
PAIRS = [(7, 3), (-7, 3), (7, -3), (-8, -5), (0, 4), (12, 4)]
FLOATS = [(7.5, 2.0), (-7.25, 2.0), (7.5, -0.5), (0.0, 4.0), (2.5, 1.0), (-0.5, 3.0)]


@script("x=f32[n]", runs=[(rand(1),), (rand(4),)])
class ImplicitCastType(nn.Module):
    """The example of the documentation: without dtypes of values, 3 became an int64."""

    def forward(self, x):
        y = x + 2
        return y + 3


@script("x=f16[n]", "y=i64[n]", runs=[(rand(3).half(), ints(1, 2, 3)), (rand(2).half(), ints(4, 5))], since=9)
class ScalarDtypes(nn.Module):
    """A scalar does not change the tensor's dtype within its kind, and does across kinds."""

    def forward(self, x, y):
        return x * 2.5, y * 2, y * 2.5, y / 2, x + True, y // 2, (y > 1) * 2


@script("a=i64[]", "b=i64[]", runs=PAIRS, since=10)
class IntArithmetic(nn.Module):
    """Floor division and remainder follow the divisor's sign."""

    def forward(self, a: int, b: int):
        return a + b, a - b, a * b, a // b, a % b, -a, abs(a)


@script("a=i64[]", "b=i64[]", runs=PAIRS, since=11)
class IntDivision(nn.Module):
    def forward(self, a: int, b: int):
        return a / b, float(a) + b, int(a / b), round(a / b)


@script("a=i64[]", "b=i64[]", runs=PAIRS)
class IntComparison(nn.Module):
    def forward(self, a: int, b: int):
        return a < b, a <= b, a > b, a >= b, a == b, a != b, (a < b) == (b < 0), min(a, b), max(a, b)


@script("a=i64[]", "b=i64[]", runs=[(12, 3), (5, 1), (1, 0)], since=18)
class IntBits(nn.Module):
    def forward(self, a: int, b: int):
        return a & b, a | b, a ^ b, a << b, a >> b


@script("a=i64[]", "b=i64[]", runs=[(2, 3), (-3, 2), (5, 0)], since=12)
class IntPower(nn.Module):
    def forward(self, a: int, b: int):
        return float(a**b), a**2


@script("a=f64[]", "b=f64[]", runs=FLOATS)
class FloatArithmetic(nn.Module):
    def forward(self, a: float, b: float):
        return a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a)


@script("a=f64[]", "b=f64[]", runs=FLOATS, since=11)
class FloatToInt(nn.Module):
    """`int` truncates, `round` goes to even."""

    def forward(self, a: float, b: float):
        return int(a), round(a), math.floor(a), math.ceil(a), bool(a), min(a, b), max(a, b), a < b, a == b


@script("a=f64[]", runs=[(2.0,), (0.25,)])
class MathFunctions(nn.Module):
    def forward(self, a: float):
        return math.sqrt(a), math.exp(a), math.log(a), math.sin(a), math.pow(a, 3.0), math.tanh(a), a**0.5


ENDS = [(math.nan, 2.0), (math.inf, 3.0), (-math.inf, -3.0), (4.5, math.inf), (1e300, 7.0), (-0.0, 2.0)]


@script("a=f64[]", "b=f64[]", runs=FLOATS + ENDS + [(5.0, 2.0), (-3.0, 2.0), (1.0, 2.0)], since=10)
class MathOfTwoFloats(nn.Module):
    def forward(self, a: float, b: float):
        signs = math.copysign(a, b), math.copysign(b, a), math.copysign(1.5, a)
        return math.fmod(a, b), math.remainder(a, b), math.remainder(7.5, b), math.fmod(a, 3), signs


@script("a=f64[]", runs=[(v,) for v in (7.5, -0.3, 0.0, math.nan, math.inf, -math.inf, 1e-310, -1e300)], since=9)
class PartsOfFloats(nn.Module):
    def forward(self, a: float):
        return math.isnan(a), math.isinf(a), math.isfinite(a), math.modf(a)


@script("a=f64[]", runs=[(v,) for v in (7.5, -0.3, 0.0, 1e-310, -1e300)], since=9)
class MantissaOfFloats(nn.Module):
    def forward(self, a: float):
        return math.frexp(a)


@script("a=f64[]", runs=[(200.0,), (-0.7,)], tolerance=1e-13)
class PowersInDouble(nn.Module):
    """A known base or exponent is a double, too."""

    def forward(self, a: float):
        return 2.1**a * 1e-64, math.pow(3.0, a) * 1e-95, abs(a) ** 0.1


@script("a=f64[]", "n=i64[]", runs=[(1.5, 3), (-0.75, -2), (1e-300, 1900), (1e300, -2000), (0.0, 4000)], since=10)
class ScaledFloats(nn.Module):
    def forward(self, a: float, n: int):
        return math.ldexp(a, n), math.ldexp(a, 3), math.ldexp(0.5, n)


@script("a=i64[]", "b=i64[]", runs=[(12, 18), (-12, 18), (0, 5), (0, 0), (7, 13)], since=9)
class GcdOfInts(nn.Module):
    def forward(self, a: int, b: int):
        return math.gcd(a, b), math.gcd(a, 12), math.gcd(90, b)


@script("x=i64[n]", "k=i64[]", runs=[(ints(2, -3, 0), 39), (ints(1, 5), 0), (ints(1099511627777), 67)], since=9)
class IntTensorToOpenPower(nn.Module):
    """Exact, and it overflows as PyTorch's."""

    def forward(self, x, k: int):
        y = x.to(torch.int32).pow_(k)
        return x**k, x ** x.size(0), y, x.to(torch.uint8).pow(k)


@script(X, runs=SIZES)
class KnownMath(nn.Module):
    def forward(self, x):
        k = math.sqrt(16.0) + math.floor(2.7) + math.ceil(2.1) + math.gcd(12, 18) + math.factorial(4)
        return x * k + math.pi - 7 // 2 + -7 // 2 + -7 % 3 + 2**5 + divmod(9, 4)[1]


@script(X, runs=SIZES)
class SizeArithmetic(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        count = x.numel()
        half = (rows + 1) // 2
        return x[:half], x / rows, count, rows * 2 - 1, len(x), x.reshape(-1, 2).size(0), x / math.sqrt(rows)


@script(X, runs=SIZES, since=11)
class SizeShapes(nn.Module):
    def forward(self, x):
        rows, width = x.shape
        a = torch.zeros(rows, width * 2)
        b = torch.arange(rows)
        c = x.reshape(rows * 2, width // 2)
        d = torch.full([rows + 1], 0.5)
        e = torch.ones([2, rows], dtype=torch.int64)
        return a, b, c, d, e, x.new_zeros(rows), torch.arange(1, rows + 3, 2), torch.linspace(0.0, 1.0, 5)


@script("x=f32[n]", runs=[(rand(3),), (rand(5),)])
class Item(nn.Module):
    def forward(self, x):
        a = float(x[0])
        b = x.sum().item()
        c = int(x.abs().max() * 10)
        return x * a, c, x + float(b)


@script("x=i64[n]", runs=[(ints(3, 1, 2),), (ints(2, 0),)])
class ItemAsSize(nn.Module):
    """A size that the data decide."""

    def forward(self, x):
        k = int(x.max())
        return torch.zeros(k, 2), torch.arange(k), x.repeat(k)


@script(X, runs=SIZES)
class BoolArithmetic(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        return int(rows > 2) + 5, (rows > 2) and (rows < 6), not rows > 2, x * float(rows > 2)


@script("k=i64[]", "s=f64[]", runs=[(3, 0.5), (-2, 4.0)])
class NumbersIntoTensors(nn.Module):
    def forward(self, k: int, s: float):
        a = torch.tensor(k)
        b = torch.tensor([k, 2])
        c = torch.full([2, 2], s)
        return a + 1, b * 2, c, torch.tensor(s) * 2, torch.ones(2) * s, torch.ones(2, dtype=torch.int64) * k


@script(X, runs=SIZES)
class Infinity(nn.Module):
    def forward(self, x):
        y = x.masked_fill(x > 0, float("-inf"))
        z = torch.where(x > 0, x, math.inf)
        return y.amax(1), z.amin(1), x.clamp(max=1e30), torch.tensor(float("nan")).isnan()


@script("x=i64[n]", runs=[(ints(1, 2),), (ints(5, -6, 7),)])
class LargeInts(nn.Module):
    def forward(self, x):
        return x + 9007199254740993, x * (1 << 40), torch.tensor(-9223372036854775807) + x


@script(X, runs=SIZES)
class NumbersInLists(nn.Module):
    def forward(self, x):
        sizes: List[int] = []
        for k in range(x.dim()):
            sizes.append(x.size(k) * 2)
        return torch.zeros(sizes), sizes


@script("x=f32[n]", "k=i64[]", runs=[(rand(6), 2), (rand(6), -1), (rand(6), 0)], since=10)
class IndexByInt(nn.Module):
    def forward(self, x, k: int):
        return x[k], x.select(0, k), x.narrow(0, 1, 2), x[k:], x[:k]


@script("x=f32[n]", "k=i64[]", runs=[(rand(5), 2), (rand(4), 3)], has_not=["If"])
class ResultIsFloat(nn.Module):
    """The quotient of two ints meets a tensor of floats."""

    def forward(self, x, k: int):
        return x * (k / 2), x - k, x * k, x // k, x % k, k - x, k / x.abs()


@script("x=f32[n,t]", runs=[(rand(2, 6),), (rand(3, 13),), (rand(1, 4),)], since=11)
class WindowsAsWideAsTheBatch(nn.Module):
    """As torchaudio's Tacotron2 takes its alignments apart."""

    def forward(self, x):
        n = x.size(0)
        long = x.repeat(1, 2)
        return long.unfold(1, n, n).transpose(0, 2), long.unfold(0, 1, n), long.unfold(1, n + 1, 2)


@script("x=f32[n,t]", runs=[(rand(2, 6),), (rand(3, 1),), (rand(1, 2),)], since=11)
class EvenlySpaced(nn.Module):
    """As torchvision's grids of pixels: the ends and the number of steps are sizes."""

    def forward(self, x):
        w = x.size(1)
        return torch.linspace(-w * 0.5 + 0.5, w * 0.5 - 0.5, steps=w), torch.linspace(0.0, 1.0, steps=x.size(0) + 5)


@script(
    "x=f32[n]",
    "a=f64[]",
    runs=[(rand(2), v) for v in (-3.5, 7.0, 0.7, -0.7, 0.0, 2.1)],
    opsets=(11, 13, 17, 21, 25),
)
class RemainderOfFloats(nn.Module):
    """Near the steps of the remainder: 0.7 has no exact floating-point value."""

    def forward(self, x, a: float):
        return x * 0 + a % 0.7, a % -0.7, 2.5 % (a * a + 0.3), a % 3, a // 0.7
