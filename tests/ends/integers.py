"""Calls with integers: of int8 and uint8 all values and all pairs, of wider dtypes those near their ends."""

import torch

from judge import Call

F = torch.nn.functional
DTYPES = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
SCALARS = (7, -7, 1, -1, 2, -3, 127, -128)


def values_of(dtype):
    info = torch.iinfo(dtype)
    if info.bits == 8:
        return list(range(info.min, info.max + 1))
    values = {*range(-9, 10), *range(info.min, info.min + 4), *range(info.max - 3, info.max + 1)}
    for bits in (7, 8, 15, 16, 24, 31, 32, 46, 53, 62):
        values |= {sign * (2**bits + k) for sign in (1, -1) for k in (-1, 0, 1)}
    values |= {sign * k for sign in (1, -1) for k in (10, 99, 181, 46341, 3037000500, 1000000007)}
    return sorted(value for value in values if info.min <= value <= info.max)


def pairs_of(dtype, keep):
    """Two vectors, every value beside every other one that `keep` allows."""
    values = values_of(dtype)
    pairs = [(a, b) for a in values for b in values if keep(a, b, torch.iinfo(dtype))]
    return tuple(torch.tensor(side, dtype=dtype) for side in zip(*pairs))


def all_pairs(a, b, info):
    return True


# The least number divided by -1 is not run here, but for 8 and 16 bits, which are divided in 32. Some calls add -2
# first.
def divisible(a, b, info):
    return b != 0 and not (b == -1 and a <= info.min + 2 and info.bits >= 32)


# ONNX Runtime adds int64 in float64 (findings/onnxruntime_sum_of_int64.sh).
def exact_in_float64(a, b, info):
    return abs(a) + abs(b) <= 2**53


# PyTorch's loops end where no intermediate leaves the dtype.
def not_least(a, b, info):
    return info.min < a and info.min < b


BINARY = {
    all_pairs: {
        "add": lambda a, b: a + b,
        "add alpha": lambda a, b: torch.add(a, b, alpha=3),
        "sub": lambda a, b: a - b,
        "sub alpha": lambda a, b: torch.sub(a, b, alpha=-2),
        "pow": lambda a, b: a**b,
        "rsub": lambda a, b: torch.rsub(a, b, alpha=5),
        "mul": lambda a, b: a * b,
        "bits": lambda a, b: (a & b, a | b, a ^ b),
        "left shift": lambda a, b: a << b,
        "right shift": lambda a, b: a >> b,
        "extremes": lambda a, b: (torch.maximum(a, b), torch.minimum(a, b), torch.fmax(a, b), torch.fmin(a, b)),
        "comparisons": lambda a, b: (a == b, a != b, a < b, a <= b, a > b, a >= b),
        "logic": lambda a, b: (torch.logical_and(a, b), torch.logical_or(a, b), torch.logical_xor(a, b)),
        "clamp": lambda a, b: (a.clamp(min=b), a.clamp(max=b), torch.clamp(a, b, a)),
        "where": lambda a, b: torch.where(a > b, a, b),
        "masked_fill": lambda a, b: a.masked_fill(b > 0, -1 if a.dtype != torch.uint8 else 255),
        "heaviside": lambda a, b: torch.heaviside(a, b),
        "addcmul": lambda a, b: torch.addcmul(a, b, a),
        "addcmul value": lambda a, b: torch.addcmul(a, b, a, value=3),
        "isclose": lambda a, b: torch.isclose(a, b, rtol=0, atol=0),
        "copysign": lambda a, b: torch.copysign(a, b),
        "dist": lambda a, b: (a - b).abs(),
        "average": lambda a, b: (a + b) // 2,
        "stacked": lambda a, b: (torch.stack([a, b]).prod(0), torch.stack([a, b]).cumsum(0)),
        "stacked extremes": lambda a, b: (
            torch.stack([a, b]).amax(0),
            torch.stack([a, b]).argmin(0),
            torch.stack([a, b]).sort(0),
        ),
        "stacked products": lambda a, b: torch.stack([a, b]).cumprod(0),
        "running of dtype": lambda a, b: (
            torch.stack([a, b]).cumsum(0, dtype=a.dtype),
            torch.stack([a, b]).cumprod(0, dtype=a.dtype),
        ),
        "diff": lambda a, b: torch.stack([a, b]).diff(dim=0),
        "running extremes": lambda a, b: (torch.stack([a, b]).cummax(0)[0], torch.stack([a, b]).cummin(0)[0]),
        "middle": lambda a, b: (torch.stack([a, b]).median(0)[0], torch.stack([a, b, b]).kthvalue(2, 0)[0]),
        "scatter": lambda a, b: a.scatter_add(0, torch.zeros(a.shape, dtype=torch.int64), b)[:1],
        "in place": lambda a, b: a.clone().add_(b).mul_(b).sub_(a),
    },
    divisible: {
        "//": lambda a, b: a // b,
        "floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
        "trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
        "true": lambda a, b: torch.div(a, b),
        "floor_divide": lambda a, b: torch.floor_divide(a, b),
        "remainder": lambda a, b: torch.remainder(a, b),
        "fmod": lambda a, b: torch.fmod(a, b),
        "rounded up": lambda a, b: (a + b - 1) // b,
        "divmod": lambda a, b: (a // b) * b + a % b,
    },
    exact_in_float64: {
        "stacked sums": lambda a, b: torch.stack([a, b]).sum(0),
        "of dtype": lambda a, b: (
            torch.stack([a, b]).sum(0, dtype=a.dtype),
            torch.stack([a, b]).prod(0, dtype=a.dtype),
        ),
    },
    not_least: {
        "gcd": lambda a, b: torch.gcd(a, b),
        "lcm": lambda a, b: torch.lcm(a, b),
    },
}

WITH_SCALAR = {
    "+": lambda a, k: (a + k, k + a),
    "-": lambda a, k: (a - k, k - a),
    "*": lambda a, k: a * k,
    "//": lambda a, k: a // k,
    "%": lambda a, k: a % k,
    "floor": lambda a, k: torch.div(a, k, rounding_mode="floor"),
    "trunc": lambda a, k: torch.div(a, k, rounding_mode="trunc"),
    "true": lambda a, k: a / k,
    "fmod": lambda a, k: torch.fmod(a, k),
    "bits": lambda a, k: (a & k, a | k, a ^ k),
    "<<": lambda a, k: a << k,
    ">>": lambda a, k: a >> k,
    "comparisons": lambda a, k: (a == k, a != k, a < k, a <= k, a > k, a >= k),
    "clamp": lambda a, k: (a.clamp(min=k), a.clamp(max=k), a.clamp(-3, k)),
    "power": lambda a, k: a**k,
    "alpha": lambda a, k: (torch.add(a, a, alpha=k), torch.sub(a, a, alpha=k)),
    "masked_fill": lambda a, k: a.masked_fill(a > 1, k),
    "full_like": lambda a, k: torch.full_like(a, k),
    "rounded up": lambda a, k: (a + k - 1) // k,
    "threshold": lambda a, k: F.threshold(a, 3, k),
    "hardtanh": lambda a, k: F.hardtanh(a, -abs(k), abs(k)),
    "pad": lambda a, k: F.pad(a, (1, 2), value=k),
    "float": lambda a, k: (a + (k + 0.5), a * (k / 4)),
}
OF_SCALAR = {
    "//": lambda a, k: torch.div(torch.tensor(k, dtype=a.dtype), a, rounding_mode="floor"),
    "%": lambda a, k: k % a,
    "power": lambda a, k: k**a,
    "<<": lambda a, k: k << (a & 7),
    ">>": lambda a, k: k >> (a & 7),
}


def rows(a):
    """Eight columns."""
    return a[: a.numel() // 8 * 8].reshape(-1, 8)


UNARY = {
    "abs": lambda a: a.abs(),
    "neg": lambda a: -a,
    "sign": lambda a: (a.sign(), a.sgn()),
    "positive": lambda a: torch.positive(a),
    "square": lambda a: a.square(),
    "power": lambda a: (a**0, a**1, a**2, a**3, a**4, a**5, a**7),
    "not": lambda a: ~a,
    "logical not": lambda a: torch.logical_not(a),
    "round": lambda a: (a.round(), a.ceil(), a.floor(), a.trunc()),
    "round decimals": lambda a: torch.round(a, decimals=1),
    "round tens": lambda a: torch.round(a, decimals=-1),
    "relu": lambda a: (F.relu(a), F.relu6(a)),
    "nan_to_num": lambda a: torch.nan_to_num(a),
    "signs": lambda a: (torch.signbit(a), torch.isnan(a), torch.isinf(a), torch.isfinite(a)),
    "to ints": lambda a: tuple(a.to(dtype) for dtype in DTYPES),
    "to floats": lambda a: (a.float(), a.double(), a.half(), a.bool()),
    "roots": lambda a: (torch.sqrt(a.clamp(min=0)), torch.reciprocal(a.clamp(min=1))),
    "float power": lambda a: torch.float_power(a, 2),
    "prod": lambda a: (rows(a).prod(1), rows(a).prod(1, dtype=a.dtype)),
    "var": lambda a: (rows(a).double().var(1), rows(a).double().std(1)),
    "cumsum": lambda a: (rows(a).cumsum(1), a.cumsum(0, dtype=a.dtype)),
    "cumprod": lambda a: (rows(a).cumprod(1), rows(a).cumprod(1, dtype=a.dtype)),
    "extremes": lambda a: (
        a.max(),
        a.min(),
        rows(a).amax(1),
        rows(a).max(1),
        rows(a).min(1),
        torch.aminmax(rows(a), dim=1),
    ),
    "places": lambda a: (a.argmax(), a.argmin(), rows(a).argmax(1)),
    "sort": lambda a: (a.sort()[0], a.sort(descending=True)[0], torch.msort(rows(a))),
    "topk": lambda a: (a.topk(5)[0], a.topk(5, largest=False)[0]),
    "median": lambda a: (a.median(), rows(a).median(1)[0], a.kthvalue(3)[0]),
    "mode": lambda a: rows(a).mode(1)[0],
    "cummax": lambda a: (rows(a).cummax(1)[0], rows(a).cummin(1)[0]),
    "unique": lambda a: torch.unique(a % 5),
    "diff": lambda a: (a.diff(), a.diff(n=2)),
    "count": lambda a: (a.count_nonzero(), rows(a).any(1), rows(a).all(1)),
    "bincount": lambda a: torch.bincount((a % 7).abs().long()),
    "one_hot": lambda a: F.one_hot((a % 7).abs().long(), 9),
    "bucketize": lambda a: torch.bucketize(a, torch.tensor([-100, -3, 0, 4, 101], dtype=torch.int64)),
    "searchsorted": lambda a: torch.searchsorted(torch.tensor([0, 3, 9, 100], dtype=a.dtype), a, right=True),
    "isin": lambda a: torch.isin(a, torch.tensor([1, 3, 127], dtype=a.dtype)),
    "triangles": lambda a: (rows(a).triu(), rows(a).tril()),
    "dot": lambda a: (a @ a, torch.dot(a, a), torch.outer(a[:9], a[-9:])),
    "matmul": lambda a: (rows(a) @ rows(a).t(), torch.mm(rows(a)[:8], rows(a)[-8:])),
    "batched": lambda a: torch.bmm(rows(a)[None, :9], rows(a)[None, -9:].transpose(1, 2)),
    "addmm": lambda a: (torch.addmm(rows(a)[:8], rows(a)[:8], rows(a)[-8:], beta=3, alpha=-2)),
    "einsum": lambda a: torch.einsum("ik,jk->ij", rows(a)[:8], rows(a)[-8:]),
    "cross": lambda a: torch.cross(rows(a)[:, :3], rows(a)[:, 3:6], dim=1),
    "kron": lambda a: torch.kron(a[:5], a[-5:]),
    "max_pool": lambda a: F.max_pool1d(rows(a)[None], 2),
    "scatter": lambda a: torch.zeros(7, dtype=a.dtype).scatter_add(0, (a % 7).abs().long(), a),
    "scatter products": lambda a: torch.ones(7, dtype=a.dtype).scatter_reduce(0, (a % 7).abs().long(), a, "prod"),
    "scatter means": lambda a: torch.ones(7, dtype=a.dtype).scatter_reduce(0, (a % 7).abs().long(), a, "mean"),
    "scatter extremes": lambda a: torch.ones(7, dtype=a.dtype).scatter_reduce(0, (a % 7).abs().long(), a, "amax"),
    "index_add": lambda a: torch.zeros(7, dtype=a.dtype).index_add(0, (a % 7).abs().long(), a, alpha=2),
    "index_put": lambda a: torch.zeros(7, dtype=a.dtype).index_put(((a % 7).abs().long(),), a, accumulate=True),
    "ranges": lambda a: (
        torch.arange(-5, 100, 7, dtype=a.dtype) if a.dtype != torch.uint8 else torch.arange(0, 250, 7, dtype=a.dtype),
        a + 0,
    ),
    "linspace": lambda a: (
        torch.linspace(0, 120, 7, dtype=a.dtype),
        torch.linspace(100, 3, 11, dtype=a.dtype),
        a + 0,
    ),
    "interpolate": lambda a: F.interpolate(rows(a)[None, None], scale_factor=2, mode="nearest"),
    "roll": lambda a: (a.roll(3), a.flip(0), a.repeat_interleave(2)),
    "norms": lambda a: rows(a).double().norm(dim=1),
    "clip of floats": lambda a: torch.clamp(a, -2.5, 2.5),
    "histc": lambda a: torch.histc(a.float() % 11, bins=4, min=0, max=10),
    "lerp": lambda a: torch.lerp(a, a + 1, 1),
    "gcd of scalars": lambda a: torch.gcd(a % 60, torch.tensor(36, dtype=a.dtype)),
    "vander": lambda a: torch.vander(a[:6], 4),
    "equal": lambda a: torch.eq(a, a.flip(0)),
    "embedding bag": lambda a: torch.bitwise_left_shift(a, 1) ^ a,
    "cast and shift": lambda a: (a.to(torch.int32) << 9).to(a.dtype),
}
SUMS = {
    "sum": lambda a: (a.sum(), a.sum(0), rows(a).sum(1)),
    "sum of dtype": lambda a: (rows(a).sum(1, dtype=a.dtype), a.sum(dtype=torch.int32)),
    "mean": lambda a: (rows(a).mean(1, dtype=torch.float64), a.mean(dtype=torch.float64)),
    "trace": lambda a: rows(a)[:5, :5].trace(),
    "avg_pool": lambda a: F.avg_pool2d(rows(a)[None], 2),
    "trapezoid": lambda a: torch.trapezoid(rows(a)),
    "nansum": lambda a: torch.nansum(rows(a), 1),
    "flat average": lambda a: (rows(a).sum(1) // 8, rows(a).sum(1) / 8),
}


def refusal(name, dtype, k=0):
    """Returns the exporter's refusal of a call that PyTorch accepts; empty if there is none."""
    negative = name in ("addmm", "sub alpha") or (k < 0 and name in ("alpha", "masked_fill", "threshold"))
    if dtype == torch.uint8 and negative:
        return "does not fit uint8"
    return ""


def unary(dtype, few):
    values = torch.tensor(values_of(dtype), dtype=dtype)
    for name, function in UNARY.items():
        yield Call(f"{name} of {dtype}", function, (values,), refusal(name, dtype))
    exact = values[(values >= -(2**47)) & (values <= 2**47)] if dtype == torch.int64 else values
    for name, function in SUMS.items():
        yield Call(f"{name} of {dtype}", function, (exact,))


def binary(dtype, few):
    for keep, functions in BINARY.items():
        args = pairs_of(dtype, keep)
        for name, function in functions.items():
            yield Call(f"{name} of pairs of {dtype}", function, args, refusal(name, dtype))


def with_scalars(dtype, few):
    values = torch.tensor(values_of(dtype), dtype=dtype)
    low = torch.iinfo(dtype).min
    for k in SCALARS[:3] if few else SCALARS:
        for name, function in WITH_SCALAR.items():
            # See divisible.
            args = values[values > low + 2] if k == -1 and low < 0 else values
            applied = lambda a, f=function, k=k: f(a, k)
            yield Call(f"{name} of {dtype} and {k}", applied, (args,), refusal(name, dtype, k))
        for name, function in OF_SCALAR.items():
            args = values[(values != 0) & (values != -1)]
            yield Call(f"{name} of {k} and {dtype}", lambda a, f=function, k=k: f(a, k), (args,))


def calls(few):
    for dtype in DTYPES:
        yield from unary(dtype, few)
        yield from binary(dtype, few)
        yield from with_scalars(dtype, few)
