"""Traces of one model at several sizes."""

import math

import torch
from advice import Case, exported, script, trace


def halves_or_not(x):
    return x * 2 if x.shape[0] > 4 else x


def other_number(x):
    return x * math.log(x.shape[0])


def other_tensor(x):
    return x * torch.log(torch.tensor(x.shape[0]))


def known(x):
    return x.view(x.shape[0] * 2, -1)


def of_sizes(size, function=known):
    return trace(function, torch.rand(size, 8))


def cut(x):
    return x[:, : 5 * int(x.shape[0])]


def in_steps(x):
    return x.reshape(-1, int(x.shape[0] ** 0.5))


def wide(rows, columns):
    return trace(cut, torch.rand(rows, columns))


AXES = "--input", "x=f32[batch,seq]"
PT2 = exported(known, torch.rand(3, 8))

CASES = [
    Case("E0112", [of_sizes(3, halves_or_not), "--and", of_sizes(6, halves_or_not)], "has to be scripted",
         [script(halves_or_not, torch.rand(3, 8), runs=[[torch.rand(6, 8)]]), "--input", "x=f32[n,8]"]),
    Case("E0112", [of_sizes(3, halves_or_not), "--and", of_sizes(6, halves_or_not)], "or the axis given a number",
         [of_sizes(3, halves_or_not), "--input", "x=f32[3,8]"]),
    Case("E0112", [of_sizes(3, other_number), "--and", of_sizes(6, other_number)],
         "make it with operators of the sizes of the inputs",
         [of_sizes(3, other_tensor), "--and", of_sizes(6, other_tensor)]),
    Case("E0112", [wide(2, 10), "--and", wide(4, 20), *AXES],
         "another trace (--and), with sizes that are no multiples of each other",
         [wide(2, 10), "--and", wide(4, 20), "--and", wide(3, 17), *AXES]),
    Case("E0112", [of_sizes(4, in_steps), "--and", of_sizes(9, in_steps)], "an axis that is a number needs none",
         [of_sizes(4, in_steps), "--input", "x=f32[4,8]"]),
    Case("E0013", [of_sizes(3), "--and", of_sizes(3)], "were traced with the same sizes",
         [of_sizes(3), "--and", of_sizes(6)]),
    Case("E0013", [of_sizes(3), "--and", of_sizes(6), "--input", "x=f32[3,8]"], "give it a name",
         [of_sizes(3), "--and", of_sizes(6), "--input", "x=f32[n,8]"]),
    Case("E0013", [of_sizes(3), "--input", "x=f32[n,8]", "--sizes", "n=4"], "the file has recorded it",
         [of_sizes(3), "--input", "x=f32[n,8]"]),
    Case("E0013", [PT2, "--and", of_sizes(3)], "a .pt2 says itself which axes are free", [PT2]),
]
