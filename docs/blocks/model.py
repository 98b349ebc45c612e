"""Modules that the pages speak of. A page shows a place in the first one."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)

    def forward(self, x):
        q = self.q(x)
        return x + q * self.k(x)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(6):
            self.add_module(f"layer{i}", Layer())

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


LIBRARY = torch.library.Library("my_ops", "DEF")
LIBRARY.define("relu6(Tensor x) -> Tensor")
LIBRARY.define("scale(Tensor x, float factor) -> Tensor")
LIBRARY.impl("relu6", lambda x: x.clamp(0, 6), "CompositeExplicitAutograd")
LIBRARY.impl("scale", lambda x, factor: x * factor, "CompositeExplicitAutograd")


class Image(nn.Module):
    """Takes pictures; has modules of the names that the pages say."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.Conv2d(3, 8, 3, stride=4), nn.GELU(), nn.Conv2d(8, 16, 3, stride=4), nn.BatchNorm2d(16), nn.ReLU())
        self.layers = nn.ModuleList([nn.ModuleDict({"gate": nn.Linear(16, 128), "down": nn.Linear(128, 16)})])
        self.lm_head = nn.Linear(16, 100)

    def forward(self, x):
        x = self.blocks(x).mean((2, 3))
        for layer in self.layers:
            x = x + layer["down"](layer["gate"](x).relu())
        return self.lm_head(x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 8, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return {"y": (x * self.scale).softmax(1)}


class Steps(nn.Module):
    def forward(self, x, n: int):
        for _ in range(n):
            x = x * 2
        return x


def without_first(x):
    return x[:, 1:] * 2


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x):
        return self.linear(x).reshape(x.shape[0], x.shape[1] * 64)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("k", torch.zeros(1, 4))

    def forward(self, x):
        self.k.add_(x)
        return self.k * 2


class Trained(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.dropout = nn.BatchNorm1d(4), nn.Dropout(0.1)

    def forward(self, x):
        return self.dropout(self.norm(x))


class Stft(nn.Module):
    def forward(self, x):
        return torch.fft.fft(x)


class Custom(nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.relu6(x)


class Scaled(nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.scale(x, 2.0)


class Tokens(nn.Module):
    """Classifies tokens."""

    def __init__(self):
        super().__init__()
        self.words, self.types, self.logits = nn.Embedding(20, 8), nn.Embedding(2, 8), nn.Linear(8, 3)
        self.register_buffer("k", torch.zeros(1, 4))  # the page calls the model of another part `model`, too

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.logits((self.words(input_ids) + self.types(token_type_ids)) * attention_mask.unsqueeze(-1))
