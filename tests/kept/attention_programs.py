"""The parts of the programs of make_attention.py."""

import torch
from torch.nn import functional as F

LOWEST = torch.finfo(torch.float32).min
PROGRAMS = []


def program(*shapes, axes):
    """A function of tensors of these shapes; of each, these axes are free."""

    def note(function):
        PROGRAMS.append((function, shapes, axes))
        return function

    return note


def program_of_heads(keys=4):
    """Queries, keys and values [batch, heads, places, 8] as they come to the attention."""
    return program((2, 4, 5, 8), *[(2, keys, 5, 8)] * 2, axes=[{0: "batch", 2: "places"}] * 3)


def heads_of(x, weight, count):
    return (x @ weight).view(*x.shape[:2], count, 8).transpose(1, 2)


def by_multi_head_attention(x, w, wo, **options):
    """The way of torch.nn.MultiheadAttention that gives weights: places come first."""
    x, w = x.transpose(0, 1), w / 6  # small scores, so that their exponentials are about as exact as they are
    return F.multi_head_attention_forward(x, x, x, 32, 4, w, None, None, None, False, 0.0, wo, None, **options)
