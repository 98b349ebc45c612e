"""Modules whose weights lie in memory in every way that there is."""

from __future__ import annotations

import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.head = nn.Linear(4, 7, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.embedding(x))


class Views(nn.Module):
    """Weights that are parts of one storage: with strides, an offset, transposed, one repeated."""

    def __init__(self) -> None:
        super().__init__()
        whole = torch.arange(48, dtype=torch.float32).reshape(6, 8) / 7
        self.rows = nn.Parameter(whole[2:4])
        self.every_second = nn.Parameter(whole[:, ::2])
        self.turned = nn.Parameter(whole.t())
        self.repeated = nn.Parameter(whole[:1, :4].expand(3, 4))
        self.register_buffer("alone", torch.rand(5, 8)[1:3])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = (self.every_second @ self.repeated.t()).sum() + self.rows.sum(0)[:6] + self.alone.mean()
        return x @ self.turned + parts


class Constants(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = torch.rand(3, 4)  # neither parameter nor buffer
        self.register_buffer("hidden", torch.rand(4), persistent=False)
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.nothing = nn.Parameter(torch.zeros(0, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x * self.scale + self.hidden + torch.tensor([1.0, 2.0, 3.0, 4.0]), self.table, self.nothing])


class Complex(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.turn = nn.Parameter(torch.polar(torch.ones(4), torch.arange(4.0)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.view_as_real(torch.view_as_complex(x) * self.turn)


class Lazy(nn.Module):
    """Tensors whose bytes are not yet those of their values; torch.export.save writes the bytes all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("back", torch.polar(torch.ones(4), torch.arange(4.0)).conj())
        self.register_buffer("minus", torch.polar(torch.ones(4), torch.arange(4.0)).conj().imag)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.view_as_real(torch.view_as_complex(x) * self.back) + self.minus[:, None]


class Halves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Linear(4, 3).half()
        self.brain = nn.Parameter(torch.rand(3).bfloat16())
        self.register_buffer("flags", torch.tensor([True, False, True]))
        self.register_buffer("bytes", torch.tensor([1, 2, 255], dtype=torch.uint8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.dense(x.half()).float() * self.brain.float() + self.flags + self.bytes


class Convolutions(nn.Sequential):
    def __init__(self) -> None:
        norm = nn.BatchNorm2d(4)
        norm.running_mean = torch.rand(4)
        conv = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)
        super().__init__(conv, norm, nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))


def cases() -> dict[str, tuple[nn.Module, tuple[torch.Tensor, ...]]]:
    """Each with its arguments, in evaluation mode."""
    torch.manual_seed(0)
    found = {
        "tied": (Tied(), (torch.randint(0, 7, (2, 5)),)),
        "views": (Views(), (torch.rand(3, 8),)),
        "constants": (Constants(), (torch.rand(2, 4),)),
        "complex": (Complex(), (torch.rand(3, 4, 2),)),
        "halves": (Halves(), (torch.rand(2, 4),)),
        "convolutions": (Convolutions(), (torch.rand(2, 3, 8, 8),)),
        "lstm": (nn.LSTM(3, 4, 2, bidirectional=True), (torch.rand(5, 2, 3),)),
        "attention": (nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (torch.rand(2, 5, 8),)),
    }
    return {name: (module.eval(), args) for name, (module, args) in found.items()}
