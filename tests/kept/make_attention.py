"""make_attention.py NAME FOLDER: programs that spell attention out, and some that almost do.

Each has a NAME.pt2. Its NAME.MORE.npz has inputs whose free axes are larger by MORE than those of the example, and
PyTorch's results for them.
"""

import inspect
import math
import pathlib
import sys
import zlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import attention_weights  # noqa: F401, has programs, too
from attention_programs import LOWEST, PROGRAMS, by_multi_head_attention, heads_of, program, program_of_heads


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 7), axes=[{0: "batch"}] * 3)
def plain(q, k, v):
    return (q @ k.transpose(-1, -2) * 0.3).softmax(-1) @ v


@program_of_heads()
def scaled_before(q, k, v):
    return ((q / 2) @ (k * 0.5).mT).softmax(-1) @ v


@program((2, 5, 32), (2, 5), (32, 32), (32, 32), (32, 32),
         axes=[{0: "batch", 1: "places"}] * 2 + [{}] * 3)
def padded(x, mask, wq, wk, wv):
    """BERT: a mask of padding, broadcast over heads and queries. Its elements are 0 and 1."""
    q, k, v = (heads_of(x, w, 4) for w in (wq, wk, wv))
    scores = q @ k.transpose(-1, -2) / math.sqrt(8) + (1 - mask[:, None, None, :]) * LOWEST
    return (F.softmax(scores, -1) @ v).permute(0, 2, 1, 3).contiguous().view(x.shape)


@program((2, 5, 32), (32, 96), axes=[{0: "batch", 1: "places"}, {}])
def causal_by_tril(x, w):
    """GPT-2."""
    places = x.shape[1]
    q, k, v = (t.view(-1, places, 4, 8).transpose(1, 2) for t in (x @ w).split(32, -1))
    mask = torch.tril(torch.ones(places, places)).view(1, 1, places, places)
    scores = (q @ k.transpose(-2, -1) * (1 / math.sqrt(8))).masked_fill(mask == 0, float("-inf"))
    return (F.softmax(scores, -1) @ v).transpose(1, 2).reshape(x.shape)


@program((2, 5, 32), (32, 96), axes=[{0: "batch"}, {}])
def causal_by_constant(x, w):
    return causal_by_tril(x, w)


@program_of_heads()
def causal_by_places(q, k, v):
    places = torch.arange(q.shape[2])
    scores = (q * 0.25) @ k.mT
    return torch.where(places[None] <= places[:, None], scores, LOWEST).softmax(-1) @ v


@program_of_heads()
def causal_by_weak_fill(q, k, v):
    """-1e9: every row sees itself, so that nothing is left of what is hidden."""
    hidden = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).triu(1)
    return (q @ k.mT).masked_fill(hidden, -1e9).softmax(-1) @ v


@program_of_heads()
def causal_but_for_one(q, k, v):
    """Each place sees the next one, too: a mask that is an input."""
    hidden = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).triu(2)
    return (q @ k.mT).masked_fill(hidden, -math.inf).softmax(-1) @ v


@program_of_heads(keys=2)
def shared_heads(q, k, v):
    """Gemma: heads that are repeated, a cap, a mask that is added."""
    k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, dim=1)
    scores = 30 * torch.tanh(q @ k.mT * 2 / 30)
    return (scores + torch.full((q.shape[2],) * 2, -math.inf).triu(1)).softmax(-1) @ v


@program((2, 5, 32), (2, 1, 5, 5), (32, 32), (32, 16), (32, 16),
         axes=[{0: "batch", 1: "places"}, {0: "batch", 2: "places", 3: "places"}, {}, {}, {}])
def llama(x, mask, wq, wk, wv):
    """transformers: heads that are expanded, a mask that is an input."""

    def repeated(t):
        return t[:, :, None].expand(-1, 2, 2, -1, 8).reshape(t.shape[0], 4, -1, 8)

    q, k, v = heads_of(x, wq, 4), heads_of(x, wk, 2), heads_of(x, wv, 2)
    scores = q @ repeated(k).transpose(2, 3) * 8**-0.5 + mask
    probabilities = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
    return (probabilities @ repeated(v)).transpose(1, 2).contiguous().reshape(x.shape)


def rotated(x):
    """By angles that grow with the place; half of the features is turned into the other."""
    angles = torch.arange(x.shape[2])[:, None] * torch.tensor([1.0, 0.3, 0.1, 0.03])
    angles = torch.cat([angles, angles], -1)
    return x * angles.cos() + torch.cat([-x[..., 4:], x[..., :4]], -1) * angles.sin()


@program((2, 5, 32), (32, 32), (32, 16), (32, 16), axes=[{0: "batch", 1: "places"}, {}, {}, {}])
def rotated_heads(x, wq, wk, wv):
    """Llama without a cache."""
    q, k, v = rotated(heads_of(x, wq, 4)), rotated(heads_of(x, wk, 2)), heads_of(x, wv, 2)
    k, v = (t.repeat_interleave(2, 1) for t in (k, v))
    hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return ((q @ k.mT / 8).masked_fill(hidden, -math.inf).softmax(-1) @ v).transpose(1, 2).reshape(x.shape)


@program((2, 5, 4, 8), (2, 5, 2, 8), (2, 5, 2, 8), axes=[{0: "batch", 1: "places"}] * 3)
def repeated_before_transposed(q, k, v):
    """Llama's own code: [batch, places, heads, features]."""
    k, v = (t[:, :, :, None].expand(-1, -1, 2, 2, 8).reshape(t.shape[0], -1, 4, 8) for t in (k, v))
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    return F.softmax(q @ k.transpose(2, 3) / math.sqrt(8), dim=-1) @ v


@program_of_heads(keys=2)
def repeated_for_a_call(q, k, v):
    """transformers, which repeats heads for PyTorch's own function, too."""
    k, v = (t[:, :, None].expand(-1, 2, 2, -1, 8).reshape(t.shape[0], 4, -1, 8) for t in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.3)


@program_of_heads(keys=1)
def one_head_of_keys(q, k, v):
    return (q @ k.mT * 0.5).softmax(-1) @ v


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def shown_or_lowest(q, k, v, mask):
    return torch.where(mask > 0, q @ k.mT, LOWEST).softmax(-1) @ v


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def lowest_and_less_low(q, k, v, mask):
    """In each row, only the position with the less low number is seen."""
    return (q @ k.mT + torch.where(mask > 0, LOWEST, LOWEST / 2)).softmax(-1) @ v


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def hidden_by_infinity(q, k, v, mask):
    """A row that sees nothing is NaN."""
    return (q @ k.mT).masked_fill(mask > 0, -math.inf).softmax(-1) @ v


@program_of_heads(keys=2)
def repeated_in_another_order(q, k, v):
    """Heads 0, 1, 0, 1, which are four heads to the operator."""
    return (q @ k.repeat(1, 2, 1, 1).mT).softmax(-1) @ v.repeat(1, 2, 1, 1)


@program((2, 5, 4, 8), (2, 6, 4, 8), (2, 6, 4, 7), axes=[{0: "batch", 1: "places"}] + [{0: "batch", 1: "keys"}] * 2)
def by_einsum(q, k, v):
    scores = torch.einsum("bqhd, bkhd -> bhqk", q, k) / 8**0.5
    return torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def by_einsum_of_other_orders(q, k, v, mask):
    """Operands the other way round, and a result with heads at the end."""
    scores = torch.einsum("nhcd,nhrd->nhrc", k, q * 0.5).masked_fill(mask > 0, LOWEST)
    return torch.einsum("nhcd,nhrc->nrdh", v, scores.softmax(-1))


# Almost: these stay as they are.


@program((2, 5, 4, 8), (2, 6, 4, 8), (2, 6, 4, 8), axes=[{0: "batch"}] * 3)
def not_einsum_along_keys(q, k, v):
    """The weights are summed over queries."""
    scores = torch.einsum("bqhd,bkhd->bhkq", q, k)
    return torch.einsum("bhkq,bkhd->bqhd", scores.softmax(-1), v)


@program((2, 5, 4, 8), (2, 5, 4, 8), (2, 5, 4, 8), axes=[{0: "batch"}] * 3)
def not_einsum_of_heads(q, k, v):
    """Attention among heads, at each place by itself, whose sum is of heads and features."""
    scores = torch.einsum("bqhd,bqgd->bqhg", q, k)
    return torch.einsum("bqhg,bqhd->bqgd", scores.softmax(-1), v)


@program((2, 5, 4, 8), (2, 6, 4, 8), (2, 6, 4, 8), axes=[{0: "batch"}] * 3)
def not_einsum_with_a_sum_more(q, k, v):
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
    return torch.einsum("bhqk,bkhd->bqh", scores.softmax(-1), v)


@program_of_heads()
def not_along_keys(q, k, v):
    return (q @ k.mT).softmax(-2) @ v


@program_of_heads()
def not_one_scale(q, k, v):
    return (q @ k.mT * torch.arange(1.0, 5.0)[:, None, None]).softmax(-1) @ v


@program_of_heads()
def not_a_positive_scale(q, k, v):
    return (q @ k.mT * -0.5).softmax(-1) @ v


@program_of_heads()
def not_the_scores_used_once(q, k, v):
    scores = q @ k.mT * 0.5
    return scores.softmax(-1) @ v, scores


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def not_hidden_enough(q, k, v, mask):
    """In a row that sees nothing, -1e4 leaves the differences."""
    return (q @ k.mT).masked_fill(mask > 0, -1e4).softmax(-1) @ v


@program_of_heads()
def not_masked_by_a_product(q, k, v):
    return (q @ k.mT * torch.ones(q.shape[2], q.shape[2]).tril()).softmax(-1) @ v


@program_of_heads()
def not_capped(q, k, v):
    return (30 * torch.tanh(q @ k.mT) + 1).softmax(-1) @ v


@program((5, 4, 3, 8), (5, 4, 6, 8), (1, 4, 6, 8), axes=[{}] * 3)
def not_of_one_batch(q, k, v):
    return (q @ k.mT).softmax(-1) @ v


@program((3, 5, 8), (3, 6, 8), (3, 6, 7), axes=[{0: "batch", 1: "places"}, {0: "batch"}, {0: "batch"}])
def joined_without_heads(q, k, v):
    return torch.bmm(torch.bmm(q, k.mT).div(8**0.5).softmax(-1), v)


@program((12, 5, 8), (12, 6, 8), (12, 6, 8), (12, 5, 6), axes=[{0: "batch"}] * 4)
def joined_with_a_mask(q, k, v, mask):
    return torch.baddbmm((1 - mask) * LOWEST, q, k.mT).softmax(-1) @ v


def joined_heads_of(x, weight):
    return heads_of(x, weight, 4).reshape(-1, x.shape[1], 8)


@program((2, 5, 32), (2, 5), (32, 32), (32, 32), (32, 32),
         axes=[{0: "batch", 1: "places"}] * 2 + [{}] * 3)
def joined_but_for_the_mask(x, mask, wq, wk, wv):
    """BART: the mask is added to four axes, and hides some rows altogether."""
    batch, places, _ = x.shape
    q, k, v = (joined_heads_of(x, w) for w in (wq, wk, wv))
    scores = torch.bmm(q * 8**-0.5, k.transpose(1, 2)).view(batch, 4, places, places)
    scores = scores.masked_fill(mask[:, None, None] == 0, -math.inf).view(batch * 4, places, places)
    return torch.bmm(scores.softmax(-1), v).view(batch, 4, places, 8).transpose(1, 2).reshape(x.shape)


@program((2, 5, 32), (96, 32), (32, 32), axes=[{0: "batch", 1: "places"}, {}, {}])
def joined_by_torch(x, w, wo):
    return by_multi_head_attention(x, w, wo)[0]


@program((1, 5, 32), (96, 32), (32, 32), axes=[{1: "places"}, {}, {}])
def joined_of_one_batch(x, w, wo):
    return by_multi_head_attention(x, w, wo)[0]


@program((2, 5, 32), (96, 32), (32, 32), axes=[{0: "batch", 1: "places"}, {}, {}])
def joined_and_causal(x, w, wo):
    hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return by_multi_head_attention(x, w, wo, attn_mask=hidden)[0]


@program((2, 5, 32), (2, 5), (96, 32), (32, 32), axes=[{0: "batch", 1: "places"}] * 2 + [{}] * 2)
def joined_and_padded(x, mask, w, wo):
    return by_multi_head_attention(x, w, wo, key_padding_mask=mask == 0)[0]


@program((3, 5, 8), (3, 6, 8), (3, 6, 7), (6,), axes=[{0: "batch"}] * 3 + [{}])
def not_joined_with_a_weak_mask(q, k, v, mask):
    return torch.bmm(torch.bmm(q, k.mT).masked_fill(mask == 0, -1e9).softmax(-1), v)


@program((3, 5, 8), (1, 6, 8), (3, 6, 7), axes=[{}] * 3)
def not_joined_and_broadcast(q, k, v):
    return torch.bmm((q @ k.mT).softmax(-1), v)


@program_of_heads()
def not_divided_after(q, k, v):
    return (q @ k.mT).softmax(-1) / 2 @ v


def inputs_of(function, shapes):
    """Random numbers; a mask is 0 and 1, and its first row one of either: the one that hides."""
    # Weights are small so that scores are: their exponentials are about as exact as they are.
    args = [torch.randn(shape) / (6 if shape[0] == 32 else 1) for shape in shapes]
    if "mask" in inspect.signature(function).parameters:
        at = list(inspect.signature(function).parameters).index("mask")
        args[at] = (args[at] > 0).float()
        args[at][0] = 1 if function in (hidden_by_infinity, not_hidden_enough) else 0
        if function is llama:  # which adds it
            args[at] = (1 - args[at]) * LOWEST
            args[at][:, :, 0], args[at][:, :, 1] = LOWEST, -math.inf
    return tuple(args)


def main(folder):
    for function, shapes, axes in PROGRAMS:
        torch.manual_seed(zlib.crc32(function.__name__.encode()))  # the same whatever programs there are

        class Program(nn.Module):
            def forward(self, *args):
                return function(*args)

        free = tuple({axis: torch.export.Dim(name) for axis, name in of_one.items()} for of_one in axes)
        exported = torch.export.export(Program(), inputs_of(function, shapes), dynamic_shapes=(free,))
        torch.export.save(exported, pathlib.Path(folder) / f"{function.__name__}.pt2")

        for more in (0, 2, 5):
            larger = [[size + more if axis in of_one else size for axis, size in enumerate(shape)]
                      for shape, of_one in zip(shapes, axes)]
            args = inputs_of(function, larger)
            outputs = function(*args)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            tensors = {f"in{i}": t for i, t in enumerate(args)} | {f"out{i}": t for i, t in enumerate(outputs)}
            np.savez(pathlib.Path(folder) / f"{function.__name__}.{more}", **{key: t.numpy() for key, t in tensors.items()})


if __name__ == "__main__":
    main(sys.argv[2])
