"""A Llama-like decoder that generates tokens in ONNX Runtime: a cache as inputs and outputs, weights of 4 bits."""

import copy
import sys

import numpy as np
import onnxport
import torch
from recipe import check, path, session
from torch import nn
from torch.nn import functional as F

VOCABULARY, WIDTH, HEADS, CACHED_HEADS, LENGTH = 512, 128, 4, 2, 64  # LENGTH: tokens that the cache holds
SIZE = WIDTH // HEADS


def rotate(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-b, a), dim=-1) * sin


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before_attention, self.before_mlp = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, (HEADS + 2 * CACHED_HEADS) * SIZE, bias=False)
        self.o = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate_up, self.down = nn.Linear(WIDTH, 6 * WIDTH, bias=False), nn.Linear(3 * WIDTH, WIDTH, bias=False)
        self.register_buffer("keys", torch.zeros(1, CACHED_HEADS, LENGTH, SIZE))
        self.register_buffer("values", torch.zeros(1, CACHED_HEADS, LENGTH, SIZE))

    def forward(self, x, positions, mask, cos, sin):
        qkv = self.qkv(self.before_attention(x)).unflatten(2, (-1, SIZE)).transpose(1, 2)
        q, k, v = qkv.split([HEADS, CACHED_HEADS, CACHED_HEADS], dim=1)
        self.keys.index_copy_(2, positions, rotate(k, cos, sin))
        self.values.index_copy_(2, positions, v)
        mixed = F.scaled_dot_product_attention(rotate(q, cos, sin), self.keys, self.values, mask, enable_gqa=True)
        x = x + self.o(mixed.transpose(1, 2).flatten(2))
        gate, up = self.gate_up(self.before_mlp(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(2))
        self.norm, self.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.register_buffer("frequencies", 10000.0 ** (-torch.arange(0, SIZE, 2) / SIZE))

    def forward(self, tokens, positions):
        """Logits [1, n, vocabulary] of n new tokens [1, n], which come to these positions [n] of the cache."""
        angles = (positions[:, None] * self.frequencies).repeat(1, 2)
        mask = torch.arange(LENGTH) <= positions[:, None]
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, positions, mask, angles.cos(), angles.sin())
        return self.head(self.norm(x))


class Runner:
    """The model in ONNX Runtime, with what is in its cache: zeros, and then what the last run gave."""

    def __init__(self, file):
        self.session = session(file)
        prefix, names = "onnxport.state.", self.session.get_modelmeta().custom_metadata_map
        self.next = {key.removeprefix(prefix): name for key, name in names.items() if key.startswith(prefix)}
        inputs = {port.name: port.shape for port in self.session.get_inputs()}
        self.state = {name: np.zeros(inputs[name], np.float32) for name in self.next}

    def __call__(self, tokens, positions):
        given = {"tokens": np.array([tokens]), "positions": np.array(positions)}
        logits, *state = self.session.run(["logits", *self.next.values()], given | self.state)
        self.state = dict(zip(self.next, state))
        return torch.from_numpy(logits)


def in_pytorch():
    decoder = copy.deepcopy(empty)
    return lambda tokens, positions: decoder(torch.tensor([tokens]), torch.tensor(positions))


def generate(step, prompt, count):
    """Greedy: the prompt in one step, then each token in one."""
    tokens, new = [], prompt
    while len(tokens) + len(new) < len(prompt) + count:
        logits = step(new, range(len(tokens), len(tokens) + len(new)))
        tokens, new = tokens + new, [logits[0, -1].argmax().item()]
    return tokens + new


torch.manual_seed(0)
empty = Decoder().eval()  # with nothing in its cache
length = torch.export.Dim("length", max=LENGTH)
example, axes = (torch.zeros(1, 5, dtype=torch.int64), torch.arange(5)), ({1: length}, {0: length})
with torch.no_grad():
    expected = generate(in_pytorch(), [3, 14, 15, 92, 65], 40)
    logits = in_pytorch()(expected, range(len(expected)))

int4 = {"weights_as": "int4", "weights_keep": ["embedding", "head"], "opset_version": 21}
fused = {"keep": ["Attention", "RotaryEmbedding"], "domains": ["com.microsoft"], "opset_version": 23}
files = [("decoder.onnx", {}, 1e-5), ("decoder.int4.onnx", int4, 0.2), ("decoder.fused.onnx", fused, 1e-5)]
for name, options, tolerance in files:
    model = onnxport.export(
        empty, example, path(name), dynamic_shapes=axes, output_names=["logits"], state_as_io=True, **options
    )
    print(*model.remarks, sep="\n")
    if not options and not all(difference.ok for difference in model.verify()):
        sys.exit(f"three runs in a row differ: {model.verify()}")
    check(path(name), logits, Runner(path(name))(expected, range(len(expected))), tolerance=tolerance)
    tokens = generate(Runner(path(name)), expected[:5], 40)
    print(tokens)
    if options is not int4 and tokens != expected:
        sys.exit(f"PyTorch has {expected}")
