"""Calls that leave their argument as it is, or nearly: signs of zero, NaN, infinities and dtypes stay PyTorch's."""

import torch

from judge import Call

F = torch.nn.functional
VALUES = (0.0, -0.0, 1.5, -1.5, float("inf"), -float("inf"), float("nan"), -0.3, 0.5, -0.5, 1e-7, -2.5, 3.0, -8.0)
DTYPES = (torch.float32, torch.float64, torch.float16)


def column(x):
    return x.reshape(-1, 1)


def one(x):
    return torch.ones(1, 1, dtype=x.dtype)


SAME = {
    "plus 0": lambda x: (x + 0, x + 0.0, 0 + x),
    "plus a tensor of 0": lambda x: (x + torch.zeros_like(x), x + torch.tensor(0)),
    "plus 0 in a chain": lambda x: ((x + 0).reshape(2, -1) + 0, torch.relu(-x) + 0),
    "minus 0": lambda x: (x - 0, x - 0.0, torch.sub(x, 0)),
    "minus -0.0": lambda x: x - (-0.0),
    "plus -0.0": lambda x: x + -0.0,
    "0 minus": lambda x: (0 - x, 0.0 - x, torch.rsub(x, 0)),
    "-0.0 minus": lambda x: -0.0 - x,
    "negated twice": lambda x: (-(-x), x * -1, x * -1 * -1, torch.neg(x).neg()),
    "times 1": lambda x: (x * 1, 1 * x, x * 1.0, x * torch.ones_like(x)),
    "over 1": lambda x: (x / 1, x / 1.0, torch.true_divide(x, 1), torch.div(x, 1)),
    "times 0": lambda x: (x * 0, x * 0.0, 0 * x + x),
    "times -0.0": lambda x: x * -0.0,
    "less itself": lambda x: (x - x, x + -x, x / x),
    "alpha 0": lambda x: (torch.add(x, x, alpha=0), torch.sub(x, x, alpha=0), torch.rsub(x, x, alpha=0)),
    "alpha 0.0": lambda x: (torch.add(x, -x, alpha=0.0), torch.sub(x, -x, alpha=0.0)),
    "alpha 1": lambda x: (torch.add(x, x, alpha=1), torch.sub(x, x, alpha=1)),
    "addcmul": lambda x: (torch.addcmul(x, x, x, value=0), torch.addcmul(x, x, torch.zeros_like(x))),
    "power 1": lambda x: (x**1, x**1.0, torch.pow(x, 1)),
    "power 0": lambda x: (x**0, x**0.0),
    "squares": lambda x: (x**2, x**-2, x.square(), x**2.0),
    "cubes": lambda x: (x**3, x**-3),
    "roots": lambda x: (x**0.5, torch.sqrt(x), x**-0.5, torch.rsqrt(x)),
    "reciprocals": lambda x: (x**-1, torch.reciprocal(x), 1 / x),
    "to whole numbers": lambda x: (x.trunc(), x.floor(), x.ceil(), torch.fix(x)),
    "rounded": lambda x: (x.round(), torch.round(x, decimals=0)),
    "fractions": lambda x: torch.frac(x),
    "floor of 1": lambda x: (torch.div(x, 1, rounding_mode="floor"), x // 1, x // -1),
    "trunc of 1": lambda x: (torch.div(x, 1, rounding_mode="trunc"), torch.div(x, -4, rounding_mode="trunc")),
    "remainders": lambda x: (torch.fmod(x, 1), x % 1, x % -1, torch.fmod(x, -2.5), x % 2.5),
    "remainders by infinity": lambda x: (torch.fmod(x, float("inf")), torch.fmod(x, float("-inf"))),
    "to itself": lambda x: (x.to(x.dtype), x.double().to(x.dtype), x.clone(), torch.positive(x), x.detach()),
    "through float16": lambda x: (x.half().float().half(), x.half().to(x.dtype)),
    "signs": lambda x: (x.abs(), x.sign(), x.sgn(), torch.signbit(x), torch.copysign(x, -x)),
    "relu": lambda x: (torch.relu(x), F.leaky_relu(x, 1.0) if x.dtype == torch.float32 else x),
    "shrunk": lambda x: F.hardshrink(x, 0.0),
    "without change": lambda x: (
        F.dropout(x, 0.5, False),
        F.pad(x, (0, 0)),
        x.repeat(1),
        x.expand(-1),
        x[:],
        x.view(-1),
    ),
    "filled": lambda x: (x.masked_fill(x > 0, 0.0), x.masked_fill(x > 1, 2.0)),
    "chosen": lambda x: (torch.nan_to_num(x, nan=float("nan")), torch.where(x > 9, torch.ones_like(x), x)),
    "as sums": lambda x: (torch.stack([x, x]).sum(0), torch.cat([x, x]), torch.stack([x, x]).mean(0)),
    "as products": lambda x: (
        column(x) @ one(x),
        torch.einsum("i->i", x),
        torch.stack([x, torch.ones_like(x)]).prod(0),
    ),
    "beta 0": lambda x: torch.addmm(column(x), column(x) * 0 + 1, one(x), beta=0),
    "comparisons": lambda x: (x == -x, x < 0, x >= 0, x == x, x != x, torch.isclose(x, x, rtol=0, atol=0)),
    "bools": lambda x: (x.bool(), torch.logical_not(x), x.bool() | False, x.bool() & True, x.bool() ^ False),
    "lerp": lambda x: torch.lerp(x, x + 1, 0.0),
    "extremes of itself": lambda x: (torch.maximum(x, x), torch.fmax(x, x), torch.minimum(x, x)),
}
# Where opsets below lack what would keep the sign: Where is new in 9; Max and Min broadcast from 8.
SINCE = {"remainders": 9, "shrunk": 9, "to whole numbers": 8, "trunc of 1": 8}

# ONNX Runtime has a Clip for float64 from opset 12 on; its Max takes either of two zeros.
BOUNDS = {
    "bounds": lambda x: (x.clamp(min=0), x.clamp(max=0), x.clamp(-1, 1), x.clamp(min=-float("inf")), F.relu6(x)),
}
DROPPED = "ONNX Runtime: its optimizations leave out x + 0, which makes 0.0 of -0.0"
LOST = "ONNX Runtime: Where gives 0.0 for the -0.0 that it chooses"
KNOWN = {
    "plus 0 between nodes": (DROPPED, lambda x: (x * 1.0 + 0) * 2),
    "filled with -0.0": (LOST, lambda x: x.masked_fill(x > 0, -0.0)),
    "chosen where true": (LOST, lambda x: torch.where(x == 0, x, -x)),
    "above a threshold": (LOST, lambda x: F.threshold(x, -1.0, 0.0)),
}


def calls(few):
    for dtype in DTYPES:
        args = (torch.tensor(VALUES, dtype=dtype),)
        for name, function in SAME.items():
            yield Call(f"{name} of {dtype}", function, args, since=SINCE.get(name, 0))
        for name, function in BOUNDS.items():
            yield Call(f"{name} of {dtype}", function, args, since=12 if dtype == torch.float64 else 0)
        for name, (known, function) in KNOWN.items():
            yield Call(f"{name} of {dtype}", function, args, known=known)
