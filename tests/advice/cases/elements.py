"""Complex and quantized elements, and constants of two dtypes."""

import dataclasses

import torch
from advice import Case, script, trace
from torch import nn

X = torch.rand(3, 4)
WHOLE = "--input", "x=f32[3,4]"
COMPLEX = torch.view_as_complex(torch.rand(3, 4, 2))


def complex_number(x):
    z = torch.view_as_complex(x.reshape(6, 2))
    return torch.view_as_real(z * complex(float(x[0, 0]), 1.0))


def complex_tensor(x):
    z = torch.view_as_complex(x.reshape(6, 2))
    return torch.view_as_real(z * torch.complex(x[0, 0], torch.tensor(1.0)))


def complex_from_branch(x):
    z = torch.view_as_complex(x.reshape(6, 2))
    if bool(x.sum() > 0):
        z = z * z
    return torch.view_as_real(z)


def real_from_branch(x):
    z = torch.view_as_complex(x.reshape(6, 2))
    r = torch.view_as_real(z)
    if bool(x.sum() > 0):
        r = torch.view_as_real(z * z)
    return r


def complex_to_real(x):
    return torch.view_as_complex(x.reshape(6, 2)).cumsum(0, dtype=torch.float32)


def real_part(x):
    return torch.real(torch.view_as_complex(x.reshape(6, 2))).cumsum(0, dtype=torch.float32)


def complex_output(x):
    return torch.view_as_complex(x.reshape(6, 2))


def real_output(x):
    return torch.view_as_real(torch.view_as_complex(x.reshape(6, 2)))


def complex_input(x):
    return x.abs()


def complex_from_real(x):
    return torch.view_as_complex(x).abs()


def quantized_abs(x):
    return torch.quantize_per_tensor(x, 0.05, 10, torch.quint8).abs().dequantize()


def dequantized_abs(x):
    return torch.quantize_per_tensor(x, 0.05, 10, torch.quint8).dequantize().abs()


def quantized_list(x):
    q = torch.quantize_per_tensor(x, 0.05, 10, torch.quint8)
    s = torch.quantize_per_tensor(x, 0.1, 1, torch.quint8)
    parts = [q, s]
    if bool(x.sum() > 0):
        parts.append(q)
    return parts[1].dequantize().mean()


def dequantized_list(x):
    q = torch.quantize_per_tensor(x, 0.05, 10, torch.quint8).dequantize()
    s = torch.quantize_per_tensor(x, 0.1, 1, torch.quint8).dequantize()
    parts = [q, s]
    if bool(x.sum() > 0):
        parts.append(q)
    return parts[1].mean()


HALF = torch.tensor(0.5, dtype=torch.float64)


class Scaled(nn.Module):
    def forward(self, x, k):
        return x * k


class WrappedInResult(nn.Module):
    def __init__(self, HALF):
        super().__init__()
        self.first = Scaled()
        self.HALF = HALF

    def forward(self, x):
        return self.first(x.mean(), self.HALF) + self.HALF


@torch.jit.script
def of_pair(x, pair: tuple[torch.Tensor, torch.Tensor]):
    return x * pair[0]


def pair_of_doubles(x):
    return of_pair(x.mean(), (HALF, HALF))


def pair_of_floats(x):
    return of_pair(x.mean(), (HALF.float(), HALF.float()))


def used_directly(x):
    return x.mean() * HALF


# LibTorch takes a constant of a trace for a number, as the program may have meant it.
AS_TRACED = dataclasses.replace(trace(used_directly, X), program=torch.jit.trace(used_directly, X))

CASES = [
    Case("E0204", [script(complex_number, X), *WHOLE], "torch.complex makes a tensor of tensors",
         [script(complex_tensor, X), *WHOLE]),
    Case("E0206", [script(complex_from_branch, X), *WHOLE], "torch.view_as_real gives one that can",
         [script(real_from_branch, X), *WHOLE]),
    Case("E0206", [script(complex_to_real, X), *WHOLE], "torch.real gives its real part",
         [script(real_part, X), *WHOLE]),
    Case("E0206", [script(complex_output, X), *WHOLE], "return torch.view_as_real of it",
         [script(real_output, X), *WHOLE]),
    Case("E0206", [script(complex_output, X), *WHOLE], "or export with --complex as-real",
         [script(complex_output, X), *WHOLE, "--complex", "as-real"], compare=False),
    Case("E0206", [script(complex_input, COMPLEX), "--input", "x=c64[3,4]"],
         "take torch.view_as_complex of a real one",
         [script(complex_from_real, torch.rand(3, 4, 2)), "--input", "x=f32[3,4,2]"]),
    Case("E0206", [script(complex_input, COMPLEX), "--input", "x=c64[3,4]"], "or export with --complex as-real",
         [script(complex_input, COMPLEX), "--input", "x=c64[3,4]", "--complex", "as-real"], compare=False),
    Case("E0207", [script(quantized_abs, X), *WHOLE], "dequantize before it", [script(dequantized_abs, X), *WHOLE]),
    Case("E0200", [script(quantized_list, X), *WHOLE], "dequantize them before", [script(dequantized_list, X), *WHOLE]),
    Case("E0200", [trace(WrappedInResult(HALF), X), *WHOLE], "convert the constant to float32",
         [trace(WrappedInResult(HALF.float()), X), *WHOLE]),
    Case("E0200", [trace(pair_of_doubles, X), *WHOLE], "convert the constant to float32",
         [trace(pair_of_floats, X), *WHOLE]),
    Case("E0200", [trace(pair_of_doubles, X), *WHOLE], "or use it directly", [AS_TRACED, *WHOLE]),
    Case("E0202", [script(real_part, X), *WHOLE, "--opset", 12], "opset 13 can express it",
         [script(real_part, X), *WHOLE, "--opset", 13]),
]
