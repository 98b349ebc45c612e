#!/usr/bin/env python3
"""Writes programs and other weights for each: make_renewed.py _ FOLDER."""

import pathlib
import sys

import torch
from make import write_safetensors
from torch import nn


class Tied(nn.Module):
    """An embedding whose weight is that of the output layer, too."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(40, 32)
        self.head = nn.Linear(32, 40, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, x):
        return self.head(torch.tanh(self.embedding(x)))


class Twice(nn.Module):
    """One module under two names."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(32, 32)
        self.second = nn.Sequential(self.first, nn.Tanh())

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


class Attention(nn.Module):
    """Heads, masked by a buffer."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(32, 96)
        self.out = nn.Linear(32, 32)
        self.register_buffer("mask", torch.ones(6, 6, dtype=torch.bool).tril())

    def forward(self, x):
        q, k, v = (part.view(2, 6, 4, 8).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scores = (q @ k.transpose(-1, -2) / 8**0.5).masked_fill(~self.mask, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(2, 6, 32))


class Parameters(nn.Module):
    """Parameters that a function computes with."""

    def __init__(self, tensors, function):
        super().__init__()
        for name, tensor in tensors.items():
            if tensor.is_floating_point():
                setattr(self, name, nn.Parameter(tensor))
            else:
                self.register_buffer(name, tensor)
        self.function = function

    def forward(self, x):
        return self.function(self, x)


def floats(*shape):
    return torch.randn(shape)


# name -> module and inputs
PROGRAMS = {
    "linear": lambda: (nn.Linear(32, 40), (floats(3, 32),)),
    "layers": lambda: (nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)), (floats(3, 32),)),
    "matmul": lambda: (nn.Sequential(nn.Linear(32, 64), nn.LayerNorm(64)), (floats(2, 3, 32),)),
    "conv": lambda: (nn.Conv2d(3, 16, 3), (floats(1, 3, 8, 8),)),
    "conv_norm": lambda: (nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU()), (floats(1, 3, 8, 8),)),
    "conv_norms": lambda: (nn.Sequential(nn.Conv2d(3, 16, 3, bias=False), nn.BatchNorm2d(16), nn.BatchNorm2d(16)),
                           (floats(1, 3, 8, 8),)),
    "transposed_conv": lambda: (nn.Sequential(nn.ConvTranspose2d(4, 8, 3), nn.BatchNorm2d(8)), (floats(1, 4, 8, 8),)),
    "linear_norm": lambda: (nn.Sequential(nn.Linear(32, 64), nn.BatchNorm1d(64)), (floats(3, 32),)),
    "plain_norm": lambda: (nn.Sequential(nn.Linear(32, 64), nn.BatchNorm1d(64, affine=False)), (floats(3, 32),)),
    "lstm": lambda: (nn.LSTM(16, 16, num_layers=2), (floats(5, 1, 16),)),
    "both_ways": lambda: (nn.LSTM(16, 16, bidirectional=True), (floats(5, 1, 16),)),
    "gru": lambda: (nn.GRU(16, 16), (floats(5, 1, 16),)),
    "tied": lambda: (Tied(), (torch.arange(6).view(2, 3),)),
    "twice": lambda: (Twice(), (floats(3, 32),)),
    "attention": lambda: (Attention(), (floats(2, 6, 32),)),
    "heads": lambda: (nn.MultiheadAttention(32, 4, batch_first=True), (floats(2, 5, 32),) * 3),
    "encoder": lambda: (nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), (floats(2, 5, 32),)),
    "weight_norm": lambda: (nn.utils.parametrizations.weight_norm(nn.Linear(32, 40)), (floats(3, 32),)),
    "norm_of_conv": lambda: (nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 8, 3)), nn.BatchNorm1d(8)),
                             (floats(1, 4, 9),)),
    "half": lambda: (nn.Sequential(nn.Linear(32, 64), nn.Linear(64, 8)).half(), (floats(3, 32).half(),)),
    "cast": lambda: (Parameters({"w": floats(32, 40)}, lambda self, x: x @ self.w.half().float().t().t()),
                     (floats(3, 32),)),
    "narrow": lambda: (Parameters({"w": floats(40, 32).double()}, lambda self, x: x @ self.w.float().t()),
                       (floats(3, 32),)),
    "joined": lambda: (Parameters({"a": floats(8, 32), "b": floats(4, 32)},
                                  lambda self, x: x @ torch.cat([self.b, self.a[:4], self.a[4:]]).t()), (floats(3, 32),)),
    "reshaped": lambda: (Parameters({"w": floats(8, 4, 32)}, lambda self, x: x @ self.w.reshape(32, 32)),
                         (floats(3, 32),)),
    "bits": lambda: (Parameters({"w": floats(3, 32)}, lambda self, x: x + self.w.view(torch.int32).float()),
                     (floats(3, 32),)),
    "more_bits": lambda: (Parameters({"w": floats(64, 32)}, lambda self, x: x @ self.w.view(torch.int32).float().t()),
                          (floats(3, 32),)),
    "einsum": lambda: (Parameters({"w": floats(4, 32, 16)}, lambda self, x: torch.einsum("bi,hio->bho", x, self.w)),
                       (floats(3, 32),)),
    "indices": lambda: (Parameters({"w": floats(8, 32), "at": torch.tensor([3, 1, 2])},
                                   lambda self, x: x + self.w[self.at + 1]), (floats(3, 32),)),
}


# PyTorch cannot trace view(dtype).
NO_TRACES = ["bits", "more_bits"]


# Other integers stay: they may be part of the model.
def renew(module):
    with torch.no_grad():
        for name, tensor in module.state_dict().items():
            if "num_batches_tracked" in name:
                tensor.add_(7)  # no model uses it
            if not tensor.is_floating_point():
                continue
            tensor.copy_(torch.rand(tensor.shape) + 0.5 if "var" in name else torch.randn(tensor.shape) * 0.5)


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PROGRAMS.items():
        torch.manual_seed(1)
        module, args = make()
        module.eval()
        renew(module)
        torch.export.save(torch.export.export(module, args), folder / f"{name}.pt2")
        if name not in NO_TRACES:
            torch.jit.save(torch.jit.trace(module, args, check_trace=False), folder / f"{name}.pt")
        renew(module)
        torch.save(module.state_dict(), folder / f"{name}.state.pt")
    # One of the names of a tied weight, both, and both with different elements.
    weight = floats(40, 32)
    write_safetensors({"head.weight": weight}, folder / "tied_last.safetensors")
    write_safetensors({"embedding.weight": weight}, folder / "tied_first.safetensors")
    write_safetensors({"head.weight": weight, "embedding.weight": weight}, folder / "tied_both.safetensors")
    write_safetensors({"head.weight": weight, "embedding.weight": weight + 1}, folder / "tied_apart.safetensors")
    twice = {"weight": floats(32, 32), "bias": floats(32)}
    for file, names in {"first": ["first"], "last": ["second.0"], "both": ["first", "second.0"]}.items():
        tensors = {f"{name}.{part}": tensor for name in names for part, tensor in twice.items()}
        write_safetensors(tensors, folder / f"twice_{file}.safetensors")
    write_safetensors(tensors | {"first.weight": floats(32, 32)}, folder / "twice_apart.safetensors")
    norm = {"0.weight": floats(16, 3, 3, 3), "0.bias": floats(16), "1.weight": floats(16), "1.bias": floats(16),
            "1.running_mean": floats(16), "1.running_var": torch.rand(16) + 0.5}
    write_safetensors({name: norm[name] for name in ("0.weight", "1.bias")}, folder / "norm_part.safetensors")
    write_safetensors(norm | {"0.weight": norm["0.weight"].half(), "1.bias": floats(4)},
                      folder / "norm_misfits.safetensors")
    write_safetensors(norm | {"1.running_var": torch.full((16,), -1.0)}, folder / "norm_negative.safetensors")
    write_safetensors({"weight": torch.full((40, 32), 1e30), "bias": floats(40)}, folder / "beyond.safetensors")
    write_safetensors({"weight": torch.full((40, 32), float("inf"))}, folder / "infinite.safetensors")
    write_safetensors({"w": floats(3, 32).half()}, folder / "bits_half.safetensors")
    write_safetensors({"at": torch.tensor([0, 0, 1])}, folder / "indices_other.safetensors")


if __name__ == "__main__":
    main()
