"""Small programs. Each strains one side of the file format."""

import math

import torch
from case import Case, model, pt2_model, randomise
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


@model
def linear_algebra():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.bilinear = nn.Bilinear(4, 4, 6)

        def forward(self, x):
            product = x @ x.transpose(-2, -1) + torch.eye(4)
            mixed = self.bilinear(x, x)
            left, right = torch.tensor_split(mixed, 2, dim=2)
            solved = torch.linalg.solve(product, left)
            return (
                torch.linalg.svdvals(x),
                torch.linalg.eigvalsh(product),
                torch.linalg.matrix_rank(x),
                torch.linalg.cond(x),
                torch.linalg.matrix_norm(x, "nuc"),
                torch.linalg.slogdet(product)[1],
                torch.renorm(right, 2.0, 0, 1.0),
                torch.trace(solved.sum(0)),
            )

    net = randomise(Net())
    return Case(net, (torch.randn(3, 4, 4),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 4, 4),))


@pt2_model
def inplace_views():
    class Net(nn.Module):
        def forward(self, x, y, i):
            x = x.clone()
            x[1] = y  # select + copy_
            x[:, 1:3] = 0.5  # slice + fill_
            x[..., ::2, -1] += 1  # slice + select + add_
            x[i] = -2.0  # index_put_
            x.relu_().add_(0.25)
            v = x.view(x.size(0), -1)[:, 2:]  # a chain of views
            v.mul_(2)
            w = x.transpose(1, 2)
            w.add_(1)
            w[0].masked_fill_(w[0] > 3, 3.0)
            u = x.unsqueeze(0).expand(2, -1, -1, -1).reshape(2, -1)  # a copy: later writes do not reach it
            early = x.select(0, 0) * 1
            x.permute(2, 0, 1).diagonal(dim1=1, dim2=2).zero_()
            a, b = x.split([2, 2], dim=1)
            a.sub_(b)
            torch.add(a, b, out=b)
            x[0].flatten().clamp_(max=5)
            return x, v, w.contiguous(), u, early, a + b

    def args(n):
        return torch.randn(n, 4, 3), torch.randn(4, 3), torch.tensor([0, 2])

    strides = "run_decompositions fails: the write through a transpose changes the strides under an earlier view"
    return Case(
        Net(),
        args(3),
        dynamic_shapes=({0: Dim("batch", min=3)}, None, None),
        other=args(5),
        no_decomposed=strides,
        no_dynamic_decomposed=strides,
    )


@pt2_model
def input_mutation():
    """Writes to its inputs: the archive's signature says user_input_mutation."""

    class Net(nn.Module):
        def forward(self, x, y):
            x.add_(1)
            y[:, 0] = x.sum(1)
            return x * 2, y.view(-1)

    return Case(
        Net(),
        (torch.randn(3, 4), torch.randn(3, 2)),
        dynamic_shapes=({0: (batch := Dim("batch"))}, {0: batch}),
        other=(torch.randn(5, 4), torch.randn(5, 2)),
    )


@pt2_model
def buffer_mutation():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.tensor(3))
            self.register_buffer("mean", torch.randn(4))
            self.register_buffer("ring", torch.randn(3, 4))

        def forward(self, x):
            self.count += 1
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
            self.ring[1] = self.mean
            return x - self.mean + self.count, self.ring.sum(0)

    return Case(Net(), (torch.randn(3, 4),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 4),))


@pt2_model
def symbolic_math():
    class Net(nn.Module):
        def forward(self, x, y):
            n, m = x.shape
            k = y.size(0)
            double = torch.cat([x, x])
            odd = torch.cat([double, x.new_ones(1, m)])  # 2 * n + 1 rows
            half = x.new_full((n // 2, m), 0.5)
            scaled = x / n**0.5 + m * 0.25
            rows = torch.arange(m, device=x.device)
            table = torch.full((n, k), 3)
            flat = x.reshape(n, -1, 2).reshape(-1)
            mean = x.sum() / max(1, n)
            windows = F.pad(y, (0, n - 1)).unfold(0, 2, 1)
            tail = x[n - 2 :, : m - 1]
            grid = torch.zeros(n + k, m % 3 + 2, dtype=torch.float64)
            resized = F.interpolate(x[None, None], scale_factor=2.0)
            both = x.view(n * m)
            stepped = x[::2]
            return odd, half, stepped, scaled, rows, table, flat, mean, windows, tail, grid, resized, both, n * k + 1

    def args(n, m, k):
        return torch.randn(n, 2 * m), torch.randn(k)

    m = Dim("m", min=2, max=100)
    return Case(
        Net(),
        args(4, 3, 5),
        dynamic_shapes=({0: Dim("n", min=4, max=1000), 1: 2 * m}, {0: Dim("k")}),
        other=args(7, 5, 3),
    )


@pt2_model
def argument_kinds():
    """Calls whose arguments the other models do not have, and results that are lists and tuples."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.same = nn.Conv2d(4, 4, (3, 2), padding="same")

        def forward(self, x, i):
            a = x[:, i]  # an optional tensor list that begins with None
            b = x[i, :, None, i]
            c = self.same(x)
            d = torch.einsum("bchw,bkhw->bck", x, c)
            values, indices = x.topk(2, dim=-1)
            largest = x.max(dim=1)
            ordered = x.sort(dim=2, descending=True)
            parts = x.chunk(3, dim=1)
            rows = x.unbind(1)
            gy, gx = torch.meshgrid(i, i.flip(0), indexing="ij")
            e = F.interpolate(x, size=(9, 11), mode="bilinear", align_corners=False)
            f = F.interpolate(x, scale_factor=(1.5, 2.0), mode="nearest")
            g = F.avg_pool2d(x, (2, 3), stride=(1, 2), padding=(1, 0), ceil_mode=True, count_include_pad=False)
            h = F.pad(x, (1, 2, 0, 1), mode="constant", value=-1.5)
            k = F.pad(x, (1, 2, 1, 1), mode="reflect")
            l = torch.linalg.vector_norm(x, ord=math.inf, dim=(1, 2), keepdim=True)
            m = x.sum(dim=(-1, -2), dtype=torch.float64)
            n = torch.stack([rows[0], rows[1]], dim=-1).roll((1, -1), dims=(0, 1))
            o = torch.where(x > 0, x, 2.0).clamp(min=None, max=1)
            p = x.to(torch.int32, memory_format=torch.preserve_format) // 2
            q = x.std(dim=1, correction=0), x.argmax(), x.any(), x.tril(-1), x.cumsum(1), (x**2).prod(1)
            r = torch.linspace(0, 1, 5), torch.eye(3), F.one_hot(i, 5), F.gelu(x, approximate="tanh")
            s = F.group_norm(x, 2), F.layer_norm(x, x.shape[-2:]), F.instance_norm(x)
            first = a, b, c, d, values, indices, *largest, *ordered, parts, rows[3], gy, gx
            return first, e, f, g, h, k, l, m, n, o, p, q, r, s

    def args(n):
        return torch.randn(n, 4, 5, 6), torch.tensor([0, 2, 1])

    return Case(Net(), args(3), dynamic_shapes=({0: Dim("batch", min=3)}, None), other=args(5))


@pt2_model
def integer_input():
    """A Python int, float, bool, None and string as inputs; the int is free in the dynamic variant."""

    class Net(nn.Module):
        def forward(self, x, n, scale, flag, nothing, mode):
            y = x.repeat(n, 1) if flag else x
            y = y * scale if nothing is None else y
            return y.sum(0) if mode == "sum" else y.mean(0), y

    return Case(
        Net(),
        (torch.randn(3, 4), 2, 1.5, True, None, "sum"),
        dynamic_shapes=({0: Dim("batch")}, Dim.DYNAMIC, None, None, None, None),
        other=(torch.randn(5, 4), 3, 1.5, True, None, "sum"),
    )


@pt2_model
def nested_outputs():
    class Net(nn.Module):
        def forward(self, x, pair, named):
            a, (b, c) = pair
            s = x + a
            return {
                "sum": s,
                "again": s,
                "input": x,
                "list": [b * 2, None, (c, s.mean())],
                "nothing": None,
                "number": 7,
                "named": {"z": named["z"] - 1, "a": named["a"] * 3},
            }

    def args(n):
        z = torch.randn(n, 2)
        named = {"z": torch.randn(n, 2), "a": torch.randn(2)}
        return torch.randn(n, 2), (z, [torch.randn(n, 2), torch.randn(2)]), named

    rows = {0: Dim("batch")}
    return Case(
        Net(),
        args(3),
        dynamic_shapes=(rows, (rows, [rows, None]), {"z": rows, "a": None}),
        other=args(5),
    )


@pt2_model
def constants():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(10, 6)
            self.head = nn.Linear(6, 10)
            self.head.weight = self.embed.weight  # tied
            self.register_buffer("scale", torch.tensor(1.25))
            self.register_buffer("kept_out", torch.randn(6), persistent=False)
            self.register_buffer("ints", torch.tensor([3, -1, 2, 0, 1, 5]))
            self.register_buffer("bytes", torch.tensor([200, 0, 7, 255, 1, 9], dtype=torch.uint8))
            self.register_buffer("small", torch.tensor([-100, 0, 7, 127, 1, 9], dtype=torch.int8))
            self.register_buffer("shorts", torch.tensor([-300, 0, 7, 127, 1, 9], dtype=torch.int16))
            self.register_buffer("int32", torch.tensor([1, 2, 3, 4, 5, 6], dtype=torch.int32))
            self.register_buffer("flags", torch.tensor([True, False, True, True, False, True]))
            self.register_buffer("half_buffer", torch.randn(6).half())
            self.register_buffer("brain_buffer", torch.randn(6).bfloat16())
            self.register_buffer("double_buffer", torch.randn(6, dtype=torch.float64))
            self.register_buffer("empty", torch.empty(0, 6))
            self.register_buffer("view", torch.randn(6, 6).t()[1:5, ::2])  # strides and an offset of its own
            self.register_buffer("base", torch.arange(12.0))
            self.register_buffer("slice", self.base[3:9])  # shares storage with base
            self.unused = nn.Parameter(torch.randn(3))
            self.plain = torch.randn(6)  # neither parameter nor buffer
            self.frozen = nn.Parameter(torch.randn(6), requires_grad=False)

        def forward(self, tokens):
            x = self.embed(tokens) * self.scale + self.kept_out + self.plain + self.frozen
            x = x + torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) - torch.tensor(0.5)
            x = x + self.ints + self.bytes.float() + self.small + self.shorts + self.int32 + self.slice
            x = torch.where(self.flags, x, self.half_buffer.float() + self.brain_buffer.float())
            wide = x.double() * self.double_buffer
            y = torch.cat([x.reshape(-1, 6), self.empty])
            logits = self.head(x)
            buffers = self.half_buffer, self.brain_buffer, self.flags, self.ints
            return logits, wide, y, self.view @ torch.ones(3), self.base.sum(), *buffers

    return Case(
        Net(),
        (torch.randint(10, (3, 4)),),
        dynamic_shapes=({0: Dim("batch"), 1: Dim("length")},),
        other=(torch.randint(10, (2, 7)),),
    )


@pt2_model
def half_precision():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fp16 = nn.Linear(8, 8).half()

        def forward(self, x):
            y = F.gelu(self.fp16(x.half()))
            # bfloat16 is only converted: ONNX Runtime has no arithmetic for it on a CPU
            z = F.softmax(y.to(torch.bfloat16), -1, dtype=torch.float32)
            return y, z

    return Case(Net(), (torch.randn(3, 8),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 8),))


@pt2_model
def control_flow():
    """torch.cond: a subgraph in the archive."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Linear(4, 4)

        def forward(self, x, y):
            return torch.cond(x.sum() > 0, lambda x, y: (self.up(x) + y,), lambda x, y: (x.sin() * y - 1,), (x, y))

    def args(n, sign):
        return sign * (torch.rand(n, 4) + 0.1), torch.randn(n, 4)

    batch = Dim("batch")
    return Case(Net(), args(3, 1), dynamic_shapes=({0: batch}, {0: batch}), other=args(5, -1))


@pt2_model
def data_dependent():
    """Sizes that the data decide: unbacked symbols u0, u1, and the asserts about them."""

    class Net(nn.Module):
        def forward(self, x, n):
            found = x[x > 0]
            where = torch.nonzero(x)
            count = n.item()
            torch._check(count >= 1)
            torch._check(count <= x.size(0))
            return found * 2, where, x[:count], torch.ones(count, 2)

    return Case(
        Net(),
        (torch.randn(4, 3), torch.tensor(2)),
        dynamic_shapes=({0: Dim("batch")}, None),
        other=(torch.randn(6, 3), torch.tensor(5)),
    )
