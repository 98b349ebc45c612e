"""Programs that use the weights of an attention, too: most as a result."""

import math

import torch
from torch.nn import functional as F

from attention_programs import LOWEST, by_multi_head_attention, heads_of, program, program_of_heads

OF_TORCH = {"axes": [{0: "batch"}, {}, {}]}


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 7), axes=[{0: "batch", 2: "places"}, {0: "batch"}, {0: "batch"}])
def weights_are_a_result(q, k, v):
    weights = (q @ k.mT * 0.3).softmax(-1)
    return weights @ v, weights


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def weights_are_the_first_result(q, k, v):
    """The causal mask fills in a number that leaves nothing."""
    hidden = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).triu(1)
    weights = (30 * torch.tanh(q @ k.mT / 30)).masked_fill(hidden, -1e9).softmax(-1)
    return weights, weights @ v


@program((2, 5, 32), (2, 5), (32, 32), (32, 32), (32, 32),
         axes=[{0: "batch"}] * 2 + [{}] * 3)
def weights_of_bert(x, mask, wq, wk, wv):
    """transformers with output_attentions: the first sequence is nothing but padding."""
    q, k, v = (heads_of(x, w, 4) for w in (wq, wk, wv))
    scores = q @ k.transpose(-1, -2) / math.sqrt(8) + (1 - mask[:, None, None, :]) * LOWEST
    weights = F.dropout(F.softmax(scores, -1), 0.1, training=False)
    return (weights @ v).permute(0, 2, 1, 3).contiguous().view(x.shape), weights


@program((2, 5, 32), (2, 5), (32, 32), (32, 16), (32, 16),
         axes=[{0: "batch"}] * 2 + [{}] * 3)
def weights_of_shared_heads(x, mask, wq, wk, wv):
    """Rows that see nothing are NaN in both results."""
    q, k, v = heads_of(x, wq, 4), heads_of(x, wk, 2), heads_of(x, wv, 2)
    k, v = (t.repeat_interleave(2, 1) for t in (k, v))
    weights = (q @ k.mT).masked_fill(mask[:, None, None] == 0, -math.inf).softmax(-1)
    return (weights @ v).transpose(1, 2).reshape(x.shape), weights


@program((2, 5, 32), (96, 32), (32, 32), **OF_TORCH)
def weights_averaged_by_torch(x, w, wo):
    return by_multi_head_attention(x, w, wo)


@program((2, 5, 32), (96, 32), (32, 32), **OF_TORCH)
def weights_of_each_head_by_torch(x, w, wo):
    hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return by_multi_head_attention(x, w, wo, attn_mask=hidden, average_attn_weights=False)


@program((2, 5, 32), (2, 5), (96, 32), (32, 32), axes=[{0: "batch"}] * 2 + [{}] * 2)
def weights_padded_by_torch(x, mask, w, wo):
    return by_multi_head_attention(x, w, wo, key_padding_mask=mask == 0)


@program((12, 5, 8), (12, 6, 8), (12, 6, 8), (12, 5, 6), axes=[{0: "batch"}] * 4)
def weights_of_joined_heads(q, k, v, mask):
    weights = torch.baddbmm((1 - mask) * LOWEST, q, k.mT).softmax(-1)
    return torch.bmm(weights, v), weights


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), axes=[{0: "batch", 2: "places"}, {0: "batch"}, {0: "batch"}])
def weights_of_joined_scores(q, k, v):
    """The weights have three axes between products of four."""
    weights = (q @ k.mT).flatten(0, 1).softmax(-1)
    return weights.view(*q.shape[:3], 6) @ v, weights


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def weights_used_before(q, k, v):
    weights = (q @ k.mT * 0.5).softmax(-1)
    largest = weights.amax(-1)
    return largest, weights @ v


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def weights_of_two_products(q, k, v):
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights @ v, weights @ q


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def weights_of_their_product(q, k, v):
    """The attention is the inner product: the values of the other one are made of the weights."""
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights @ (weights @ v)


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def weights_dropped(q, k, v):
    """In training some of them are 0: none here, as the probability is that low."""
    weights = F.dropout((q @ k.mT * 0.5).softmax(-1), 1e-30, training=True)
    return weights @ v, weights


# Almost.


@program_of_heads()
def not_weights_of_any_number_of_keys(q, k, v):
    """ONNX's inference has no size for them."""
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights @ v, weights


@program((2, 5, 32), (96, 32), (32, 32), axes=[{0: "batch", 1: "places"}, {}, {}])
def not_weights_by_torch_of_any_number_of_keys(x, w, wo):
    return by_multi_head_attention(x, w, wo)


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def not_of_values_made_of_weights(q, k, v):
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights @ (v * weights.sum(-1, keepdim=True)), weights


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def not_weights_as_values(q, k, v):
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights @ weights, weights @ weights.mT + v.sum()


@program((2, 4, 5, 8), (2, 4, 5, 8), (2, 4, 5, 8), axes=[{0: "batch"}] * 3)
def not_weights_that_change(q, k, v):
    weights = (q @ k.mT * 0.5).softmax(-1)
    return weights.square() @ v, weights


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), (5, 6), axes=[{0: "batch"}] * 3 + [{}])
def not_weights_masked_behind(q, k, v, mask):
    weights = (q @ k.mT).softmax(-1)
    return (weights + mask) @ v, (weights * mask) @ v, weights


@program((2, 4, 5, 8), (2, 4, 6, 8), (2, 4, 6, 8), axes=[{0: "batch"}] * 3)
def not_weights_of_queries(q, k, v):
    """They are summed over queries."""
    weights = (q @ k.mT).softmax(-2)
    return weights @ v, weights
