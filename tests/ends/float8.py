"""Casts to the dtypes of 8 bits and back: ends, halves between two neighbours, NaN, infinities, negative numbers."""

import torch

from judge import Call

# float8 is new in 19; e8m0, which is made for scales, in 24.
OPSETS = (19, 21, 23, 24, 25, 26)
DTYPES = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu)
GAP = "ONNX Runtime: gives NaN for what lies between the largest float8e5m2, 57344, and 65536"
NO_ZERO = "ONNX Runtime: 0 and negative numbers as float8e8m0"
BEYOND = "ONNX Runtime: gives NaN for what is above the largest float8e8m0 and rounds to it"
NOT_NUMBERS = (float("nan"), float("inf"), float("-inf"))


def numbers_of(dtype):
    """Every number of it, and the middle of each two neighbours with what lies just beside."""
    numbers = torch.arange(256, dtype=torch.uint8).view(dtype).double()
    numbers = sorted({abs(number) for number in numbers.tolist() if abs(number) < float("inf")})
    middles = [(a + b) / 2 for a, b in zip(numbers, numbers[1:])]
    beside = [middle * (1 + side * 2.0**-20) for middle in middles for side in (1, -1)]
    values = [number for number in numbers + middles + beside if 1e-37 < number < 1e38]
    return [0.0, 1e-10, *values] if dtype != torch.float8_e8m0fnu else values


def above(dtype):
    """More than there is."""
    most = torch.finfo(dtype).max
    return [number for number in (most * 1.01, most * 1.07, most * 1.5, most * 16, 7e4, 1e30, 3e38) if number < 3.4e38]


def back(dtype):
    return lambda x: x.to(dtype).to(torch.float32)


def constant(values, dtype):
    return lambda x: (torch.tensor(values).to(dtype).to(torch.float32) + x[:1], torch.tensor(values).to(dtype).float())


def signed(values):
    return torch.tensor([*values, *(-value for value in values)])


def calls(few):
    for dtype in DTYPES:
        scale = dtype == torch.float8_e8m0fnu
        numbers = numbers_of(dtype)
        since = 24 if scale else 0
        beyond = BEYOND if scale else ""
        gap = dtype == torch.float8_e5m2
        values = torch.tensor(numbers) if scale else signed(numbers)
        most = [number for number in above(dtype) if not (gap and number < 65536)]
        yield Call(f"{dtype}", back(dtype), (values,), since=since)
        yield Call(f"{dtype} of float64", back(dtype), (values.double(),), since=since)
        yield Call(f"{dtype} of float16", back(dtype), (values.half(),), since=since, known=NO_ZERO if scale else "")
        too_much = torch.tensor(most) if scale else signed(most)
        yield Call(f"{dtype} of too much", back(dtype), (too_much,), since=since, known=beyond)
        yield Call(f"{dtype} of no numbers", back(dtype), (torch.tensor(NOT_NUMBERS),), since=since)
        yield Call(f"{dtype} of constants", constant(numbers, dtype), (torch.zeros(2),), since=since)
        yield Call(f"{dtype} of constants that are too much", constant(most, dtype), (torch.zeros(2),), since=since)
        if gap:
            yield Call(f"{dtype} beyond the largest", back(dtype), (signed([61440.0, 62000.0, 65000.0]),), known=GAP)
        if scale:
            below = torch.tensor([0.0, -0.0, -1.0, -3.5, 1e-45])
            yield Call(f"{dtype} of 0 and negative numbers", back(dtype), (below,), since=since, known=NO_ZERO)
