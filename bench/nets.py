"""Networks that no library has: decoders of the two common designs, with and without a cache."""

import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, TOKENS, PAST, VOCABULARY = 512, 8, 6, 64, 128, 8000


def attend(q, k, v, mask):
    """Softmax attention written out, as in models before scaled_dot_product_attention."""
    scores = q @ k.transpose(-1, -2) / (q.shape[-1] ** 0.5)
    return torch.softmax(scores.masked_fill(mask, float("-inf")), -1) @ v


def causal_mask(queries, keys):
    """Returns the mask of the keys that a query must not see: those after its own place."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


class GptBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, past):
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        y = attend(q, k, v, causal_mask(q.shape[2], k.shape[2]))
        x = x + self.out(y.transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh")), (k, v)


class RmsNorm(nn.Module):
    """Written out, as in the first LLaMA."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(WIDTH) + 0.5)

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


class LlamaBlock(nn.Module):
    """Rotary positions, two queries for each key, a gated SiLU."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = RmsNorm(), RmsNorm()
        self.q, self.out = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.k, self.v = nn.Linear(WIDTH, WIDTH // 2, bias=False), nn.Linear(WIDTH, WIDTH // 2, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.down = nn.Linear(3 * WIDTH, WIDTH, bias=False)

    def rotate(self, x, first):
        half = x.shape[-1] // 2
        places = torch.arange(first, first + x.shape[2], dtype=torch.float32)
        angles = torch.outer(places, 10000.0 ** (-torch.arange(half) / half))
        cos, sin = angles.cos(), angles.sin()
        a, b = x.chunk(2, -1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

    def forward(self, x, past):
        size = WIDTH // HEADS
        y = self.norm1(x)
        q, k, v = (linear(y).unflatten(-1, (-1, size)).transpose(1, 2) for linear in (self.q, self.k, self.v))
        first = 0 if past is None else past[0].shape[2]
        q, k = self.rotate(q, first), self.rotate(k, first)
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        wide_k, wide_v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
        y = attend(q, wide_k, wide_v, causal_mask(q.shape[2], k.shape[2]))
        x = x + self.out(y.transpose(1, 2).flatten(2))
        y = self.norm2(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y)), (k, v)


class Decoder(nn.Module):
    """Returns logits and the new cache for tokens; `cached` takes the cache as further inputs."""

    def __init__(self, block, cached):
        super().__init__()
        self.cached = cached
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.blocks = nn.ModuleList(block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH) if block is GptBlock else RmsNorm()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, tokens, *past):
        x, grown = self.tokens(tokens), []
        for number, block in enumerate(self.blocks):
            x, cache = block(x, past[2 * number : 2 * number + 2] if self.cached else None)
            grown += cache
        return (self.head(self.norm(x)), *grown) if self.cached else self.head(self.norm(x))


def decoder(block, cached):
    """Returns the module and its arguments: a prompt of TOKENS, or one more token after PAST."""
    tokens = torch.randint(VOCABULARY, (1, 1 if cached else TOKENS))
    heads = HEADS if block is GptBlock else HEADS // 2
    past = [torch.randn(1, heads, PAST, WIDTH // HEADS) for _ in range(2 * LAYERS)] if cached else []
    return Decoder(block, cached), (tokens, *past)
