"""Calls that an older opset cannot express: the opset that the message names can."""

import torch
import torch.nn.functional as F
from advice import Case, script

X = torch.rand(3, 4)
ROWS = "--input", "x=f32[n,4]"


def refused_at(below, program, opset, code="E0202"):
    """Refused at the first opset, and exported at the other one, which the message names."""
    archive = script(program, X)
    return Case(code, [archive, *ROWS, "--opset", below], f"      opset {opset} can express it\n",
                [archive, *ROWS, "--opset", opset])


def cholesky(x):
    return torch.linalg.cholesky(torch.eye(3))


def rfft(x):
    return torch.view_as_real(torch.fft.rfft(x))


def scatter_add(x):
    return x.scatter_add(0, torch.zeros(3, 4, dtype=torch.int64), x)


def sequence(x):
    out = [x]
    for i in range(x.size(0)):
        out.append(x[i : i + 1])
    return torch.cat(out)


def range_of_steps(x):
    return torch.arange(0, x.size(0), 2)


def sides_of_two_sizes(x):
    if bool(x.sum() > 0):
        y = x[:1]
    else:
        y = x
    return y


def masked(x):
    return x[x > 0.5]


def rounded(x):
    return x.round()


def padded(x):
    return F.pad(x.long(), (1, 1))


def sorted_longs(x):
    return x.long().sort()[0]


def bits(x):
    return x.int() & 3


def halves(x):
    return (x.to(torch.bfloat16) * 2).float()


def of_run(x, k: int):
    return x.sum(k)


NUMBER = *ROWS, "--input", "k=i64[]"
OF_RUN = script(of_run, X, 1)

CASES = [
    refused_at(7, cholesky, 11),
    refused_at(16, rfft, 17),
    refused_at(8, scatter_add, 9),
    refused_at(9, sequence, 13),
    refused_at(11, sequence, 13),
    refused_at(7, masked, 9),
    refused_at(10, sides_of_two_sizes, 11, "E0107"),
    refused_at(7, rounded, 11, "E0203"),
    refused_at(7, range_of_steps, 11, "E0203"),
    refused_at(7, bits, 9, "E0203"),
    refused_at(7, padded, 11, "E0203"),
    refused_at(7, sorted_longs, 11, "E0203"),
    refused_at(12, halves, 13, "E0205"),
    Case("E0204", [OF_RUN, *NUMBER], "is a value known only at run time, where a number is needed",
         [OF_RUN, *ROWS, "--input", "k=1"], compare=False),
]
