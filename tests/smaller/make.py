#!/usr/bin/env python3
"""Writes small networks of common designs, with inputs and what PyTorch computes of them: make.py _ FOLDER."""

import pathlib
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

WIDTH, HEADS, WORDS = 48, 4, 100


class Residual(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(after), nn.BatchNorm2d(after)
        self.short = nn.Conv2d(before, after, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        return functional.relu(self.norm2(self.conv2(y)) + self.short(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 7, 2, 3)
        self.layers = nn.Sequential(Residual(16, 16, 1), Residual(16, 40, 2), Residual(40, 40, 1))
        self.fc = nn.Linear(40, 30)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.stem(x)), 3, 2, 1)
        return self.fc(self.layers(x).mean((2, 3)))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, mask):
        q, k, v = (linear(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for linear in (self.q, self.k, self.v))
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5
        # The mask as many models have it: beyond float16.
        scores = scores + torch.where(mask, 0.0, torch.finfo(torch.float32).min)
        x = self.norm1(self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2)) + x)
        return self.norm2(self.down(functional.gelu(self.up(x))) + x)


class Bert(nn.Module):
    """Its words are the last layer's weight, too. Positions are computed, and large."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.register_buffer("frequencies", 0.01 ** (torch.arange(WIDTH) / WIDTH))
        self.head = nn.Linear(WIDTH, WORDS)
        self.head.weight = self.tokens.weight

    def forward(self, ids, mask):
        positions = torch.arange(ids.shape[1]) + 3000
        x = self.tokens(ids) + torch.sin(positions[:, None] * self.frequencies)
        for block in self.blocks:
            x = block(x, mask[:, None, None, :])
        return self.head(x)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(24, 32, num_layers=2, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(64, 20)

    def forward(self, x):
        return self.fc(self.lstm(x)[0])


class Recurrent(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer(24, 32, batch_first=True)
        self.fc = nn.Linear(32, 20)

    def forward(self, x):
        return self.fc(self.layer(x)[0])


class Loops(nn.Module):
    """Products within a loop and within both sides of a condition, which a run decides."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(40, 40), nn.Linear(40, 40), nn.Linear(40, 40)

    def forward(self, x, steps: int):
        for i in range(steps):
            x = torch.tanh(self.a(x)) + x
            if bool(x.sum() > 0):
                x = self.b(x)
            else:
                x = self.c(x) + 0.5
        return x


class Matrices(nn.Module):
    """Special values: a channel of zeros, one of zeros with signs, one element in the last group, halves, an empty
    weight."""

    def __init__(self):
        super().__init__()
        first = torch.randn(41, 64)
        first[3] = 0
        first[:, 5] = -0.0
        first[7] = torch.arange(64) - 31.5
        first[8] = 1e-42
        self.first = nn.Parameter(first)
        self.halves = nn.Parameter(torch.randn(64, 41).half())
        self.empty = nn.Parameter(torch.empty(41, 0))
        self.small = nn.Parameter(torch.randn(41, 24))

    def forward(self, x):
        y = x @ self.first.t()
        return (x.half() @ self.halves).float(), y @ self.small, y @ self.empty


class Outliers(nn.Module):
    """Weights in which a number is so large that those beside it are nothing, and one in which a few are tiny."""

    def __init__(self):
        super().__init__()
        self.large, self.tiny, self.usual = (nn.Linear(64, 40) for _ in range(3))
        with torch.no_grad():
            self.large.weight[3, 4] = 1e4
            self.large.weight[7, 4] = -1e4
            self.tiny.weight[5, :32] *= 1e-8

    def forward(self, x):
        return self.large(x), self.tiny(x), self.usual(x)


class Far(nn.Module):
    """One weight with a number that is none, and one that is beyond float16."""

    def __init__(self):
        super().__init__()
        self.bad, self.good = nn.Linear(40, 40), nn.Linear(40, 40)
        with torch.no_grad():
            self.bad.weight[3, 4] = float("nan")
            self.good.weight[0, 0] = 70000

    def forward(self, x):
        return self.bad(x).nan_to_num() + self.good(x)


# ---- weights of few bits that a program takes apart, spelled as the packages do that write such programs


def halves(packed):
    """Each byte has the lower half first."""
    return torch.stack([packed & 15, packed >> 4], dim=-1).flatten(-2)


class Mxfp4(nn.Module):
    """As torchao has it: bits of a float32 are put together."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(0, 256, (72, 32), dtype=torch.uint8))
        exponents = torch.randint(120, 131, (72, 2), dtype=torch.uint8)
        exponents[3] = torch.tensor([1, 180])
        self.register_buffer("scale", exponents.view(torch.float8_e8m0fnu))

    def forward(self, x):
        code = halves(self.weight)
        sign = code & 8
        code = code ^ sign
        zero = code == 0
        smallest = torch.logical_and(code > 0, (code >> 1) == 0)
        bits = ((code >> 1) - 1 + 127).to(torch.int32) << 23
        bits = bits | ((code & 1).to(torch.int32) << 22)
        bits[zero] = 0
        bits[smallest] = 126 << 23
        numbers = (bits | (sign.to(torch.int32) << 28)).view(torch.float32)
        exponent = self.scale.view(torch.uint8)
        shifted = exponent.to(torch.int16) - 127
        scale = torch.pow(torch.full_like(shifted, 2.0, dtype=torch.float32), shifted)
        scale = torch.where(exponent != 255, scale, float("nan"))
        weight = (numbers.reshape(-1, 32) * scale.reshape(-1, 1)).reshape(72, 64)
        return x @ weight.t(), weight * 1


class Nvfp4(nn.Module):
    """As compressed-tensors has it: a table of eight numbers."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weight_packed", torch.randint(0, 256, (72, 32), dtype=torch.uint8))
        self.register_buffer("weight_scale", (torch.rand(72, 4) * 400).to(torch.float8_e4m3fn))
        self.register_buffer("weight_global_scale", torch.tensor([300.0]))
        self.table = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])

    def forward(self, x):
        flat = self.weight_packed.flatten()
        codes = torch.stack((flat & 0x0F, (flat & 0xF0) >> 4), dim=1).flatten()
        numbers = self.table[(codes & 7).to(torch.long)] * torch.where((codes & 8).to(torch.bool), -1.0, 1.0)
        scale = self.weight_scale.to(torch.float32) / self.weight_global_scale
        weight = (numbers.reshape(72, 4, 16) * scale.unsqueeze(-1)).flatten(-2)
        return x @ weight.t(), weight * 1


class PackedInt4(nn.Module):
    """As compressed-tensors has it: eight numbers, from -8 on, in an int32; its bytes are looked at."""

    def __init__(self):
        super().__init__()
        words = torch.randint(-(2**31), 2**31, (72, 8), dtype=torch.int64).to(torch.int32)
        self.register_buffer("weight_packed", words)
        self.register_buffer("weight_scale", torch.rand(72, 2))

    def forward(self, x):
        codes = halves(self.weight_packed.view(torch.uint8)).view(torch.int8) - 8
        weight = (codes.to(torch.float32).reshape(72, 2, 32) * self.weight_scale.unsqueeze(-1)).flatten(-2)
        return x @ weight.t(), weight * 1


class PackedInt2(nn.Module):
    """Four numbers in a byte, by shifts that a table has."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(0, 256, (72, 16), dtype=torch.uint8))
        self.register_buffer("scale", torch.rand(72, 1))

    def forward(self, x):
        shifts = torch.arange(0, 8, 2, dtype=torch.uint8)
        codes = (self.weight.unsqueeze(-1) >> shifts & 3).flatten(-2)
        weight = (codes.to(torch.float32) - 1) * self.scale
        return x @ weight.t(), weight * 1


def words(*shape):
    """Eight numbers of 4 bits in each."""
    return torch.randint(-(2**31), 2**31, shape, dtype=torch.int64).to(torch.int32)


# More than a thousand words: fewer are computed while exporting.
ROWS, COLUMNS, GROUP = 128, 96, 32


class Gptq(nn.Module):
    """As AutoGPTQ has it: eight rows in an int32, and zero points that are stored less 1."""

    def __init__(self):
        super().__init__()
        self.register_buffer("qweight", words(ROWS // 8, COLUMNS))
        self.register_buffer("qzeros", words(ROWS // GROUP, COLUMNS // 8) & 0x77777777)
        self.register_buffer("scales", torch.rand(ROWS // GROUP, COLUMNS))
        self.register_buffer("wf", torch.arange(0, 32, 4, dtype=torch.int32).unsqueeze(0), persistent=False)

    def forward(self, x):
        zeros = torch.bitwise_right_shift(self.qzeros.unsqueeze(2).expand(-1, -1, 8), self.wf.unsqueeze(0))
        zeros = (torch.bitwise_and(zeros.to(torch.int8), 15) + 1).reshape(-1, 1, COLUMNS)
        codes = torch.bitwise_right_shift(self.qweight.unsqueeze(1).expand(-1, 8, -1), self.wf.unsqueeze(-1))
        codes = torch.bitwise_and(codes.to(torch.int8), 15).reshape(-1, GROUP, COLUMNS)
        weight = (self.scales.reshape(-1, 1, COLUMNS) * (codes - zeros)).reshape(ROWS, COLUMNS)
        return x @ weight, weight * 1


class GptqByIndex(Gptq):
    """As GPTQModel has it: an index says to which group a row belongs."""

    def __init__(self):
        super().__init__()
        self.register_buffer("g_idx", self.groups())

    def groups(self):
        return torch.arange(ROWS, dtype=torch.int32) // GROUP

    def forward(self, x):
        zeros = torch.bitwise_right_shift(self.qzeros.unsqueeze(2).expand(-1, -1, 8), self.wf.unsqueeze(0))
        zeros = torch.bitwise_and(zeros.to(torch.int8), 15).reshape(self.scales.shape)
        codes = torch.bitwise_right_shift(self.qweight.unsqueeze(1).expand(-1, 8, -1), self.wf.unsqueeze(-1))
        codes = torch.bitwise_and(codes.to(torch.int8), 15).reshape(ROWS, COLUMNS)
        weight = self.scales[self.g_idx.long()] * (codes - zeros[self.g_idx.long()])
        return x @ weight, weight * 1


class GptqInOrder(GptqByIndex):
    """Rows of a group are anywhere: the order of their activations (act-order)."""

    def groups(self):
        return super().groups()[torch.randperm(ROWS)]


class Awq(nn.Module):
    """Eight columns in an int32, interleaved; float16 as these models are, or float32."""

    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.register_buffer("qweight", words(ROWS, COLUMNS // 8))
        self.register_buffer("qzeros", words(ROWS // GROUP, COLUMNS // 8))
        self.register_buffer("scales", torch.rand(ROWS // GROUP, COLUMNS).to(dtype))

    def forward(self, x):
        shifts = torch.arange(0, 32, 4)
        codes = torch.bitwise_right_shift(self.qweight[:, :, None], shifts[None, None, :]).to(torch.int8)
        zeros = torch.bitwise_right_shift(self.qzeros[:, :, None], shifts[None, None, :]).to(torch.int8)
        order = torch.arange(COLUMNS, dtype=torch.int32).view(-1, 8)[:, [0, 4, 1, 5, 2, 6, 3, 7]].view(-1)
        codes = torch.bitwise_and(codes.view(ROWS, -1)[:, order], 15)
        zeros = torch.bitwise_and(zeros.view(ROWS // GROUP, -1)[:, order], 15)
        scales, zeros = (part.repeat_interleave(GROUP, dim=0) for part in (self.scales, zeros))
        weight = (codes - zeros) * scales
        return x @ weight, weight * 1


class PackQuantized(nn.Module):
    """As compressed-tensors has it: every eighth column is written at once. A Linear transposes the weight."""

    def __init__(self, zero_points):
        super().__init__()
        self.register_buffer("weight_packed", words(COLUMNS, ROWS // 8))
        self.register_buffer("weight_scale", torch.rand(COLUMNS, ROWS // GROUP))
        self.zero_points = zero_points
        if zero_points:
            self.register_buffer("weight_zero_point", words(COLUMNS // 8, ROWS // GROUP))

    def forward(self, x):
        codes = torch.zeros((COLUMNS, ROWS), dtype=torch.int32)
        for i in range(8):
            codes[:, i::8] = (self.weight_packed >> (4 * i)) & 15
        weight = (codes - 8).to(torch.int8).unflatten(-1, (ROWS // GROUP, GROUP)).to(self.weight_scale.dtype)
        if self.zero_points:
            zeros = torch.zeros((COLUMNS, ROWS // GROUP), dtype=torch.int32)
            for i in range(8):
                zeros[i::8, :] = (self.weight_zero_point >> (4 * i)) & 15
            weight = weight - (zeros - 8).to(torch.int8).unsqueeze(-1).to(weight.dtype)
        weight = (weight * self.weight_scale.unsqueeze(-1)).flatten(-2)
        return functional.linear(x, weight), weight * 1


class PackedLinear(PackQuantized):
    """The product alone."""

    def forward(self, x):
        return super().forward(x)[0]


FOLDER = pathlib.Path(sys.argv[2])


def save(name, net, args, script=False, traced=False):
    net = net.eval()
    with torch.no_grad():
        expected = net(*args)
    if script:
        torch.jit.save(torch.jit.script(net), FOLDER / f"{name}.pt")
    elif traced:
        name += "traced"
        torch.jit.save(torch.jit.trace(net, args), FOLDER / f"{name}.pt")
    else:
        torch.export.save(torch.export.export(net, args), FOLDER / f"{name}.pt2")
    expected = expected if isinstance(expected, tuple) else (expected,)
    arrays = {f"in{i}": np.asarray(arg) for i, arg in enumerate(args)}
    np.savez(FOLDER / f"{name}.npz", **arrays, **{f"out{i}": out.numpy() for i, out in enumerate(expected)})


FOLDER.mkdir(parents=True, exist_ok=True)
torch.manual_seed(0)
save("resnet", ResNet(), (torch.randn(2, 3, 64, 64),))
save("bert", Bert(), (torch.randint(WORDS, (2, 6)), torch.tensor([[True] * 6, [True] * 4 + [False] * 2])))
save("lstm", Lstm(), (torch.randn(2, 7, 24),))
save("loops", Loops(), (torch.randn(3, 40), 3), script=True)
save("matrices", Matrices(), (torch.randn(5, 64),))
save("outliers", Outliers(), (torch.randn(2, 64),))
save("far", Far(), (torch.randn(2, 40),))
for packed in (Mxfp4, Nvfp4, PackedInt4, PackedInt2):
    save(packed.__name__.lower(), packed(), (torch.randn(3, 64),))
for packed in (Gptq, GptqByIndex, GptqInOrder, Awq):
    save(packed.__name__.lower(), packed(), (torch.randn(3, ROWS),))
save("awqhalf", Awq(torch.float16), (torch.randn(3, ROWS).half(),))
for zero_points in (False, True):
    name = "packquantized" + "zeros" * zero_points
    save(name, PackQuantized(zero_points), (torch.randn(3, ROWS),))
    save(name, PackQuantized(zero_points), (torch.randn(3, ROWS),), traced=True)
save("packedlinear", PackedLinear(True), (torch.randn(3, ROWS),))
save("gru", Recurrent(nn.GRU), (torch.randn(2, 7, 24),))
save("rnn", Recurrent(nn.RNN), (torch.randn(2, 7, 24),))
