"""Models with free sizes: a few lines each that compute what models of today compute with them."""

import math

import torch
from case import Case, pt2_model
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

FREE = Dim.AUTO


@pt2_model
def free_attention():
    """New tokens after those of a cache: masks, positions and biases of sizes that are sums of free ones."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Parameter(torch.randn(64, 4))
            self.bias = nn.Parameter(torch.randn(8, 2))

        def rotated(self, q, first):
            n = q.shape[2]
            steps = torch.arange(first, first + n)[:, None].float() / 10 ** torch.arange(0, 4, 2).float()
            angles = torch.cat([steps, steps], -1)[None, None]
            half = q.shape[-1] // 2
            turned = torch.cat([-q[..., half:], q[..., :half]], -1)
            return q * angles.cos() + turned * angles.sin()

        def buckets(self, n, m):
            distance = (torch.arange(n)[:, None] + m - n - torch.arange(m)[None]).clamp(min=0)
            far = 4 + (torch.log(distance.float() / 4 + 1e-6) / math.log(8) * 4).long()
            far = torch.min(far, torch.full_like(far, 7))
            return self.bias[torch.where(distance < 4, distance, far)].permute(2, 0, 1)[None]

        def forward(self, q, past):
            n, old = q.shape[2], past.shape[2]
            k = torch.cat([past, self.rotated(q, old)], 2)
            m = k.shape[2]
            seen = torch.tril(torch.ones(n, m, dtype=torch.bool), diagonal=m - n)
            added = torch.full((n, m), float("-inf")).triu(old + 1)
            a = F.scaled_dot_product_attention(q, k, k, attn_mask=seen)
            b = (q @ k.transpose(2, 3) + self.buckets(n, m) + added).softmax(-1) @ k
            c = F.scaled_dot_product_attention(q, k, k, is_causal=True)
            positions = self.table[old : old + n] + self.table.index_select(0, torch.arange(n) + old)
            return a, b, c + positions, k, seen[-n:, :old]

    def args(batch, n, old):
        return torch.randn(batch, 2, n, 4), torch.randn(batch, 2, old, 4)

    lengths = {0: FREE, 2: Dim("n", max=20)}, {0: FREE, 2: Dim("old", max=20)}
    return Case(Net(), args(2, 3, 5), dynamic_shapes=lengths, other=args(3, 6, 4))


@pt2_model
def free_windows():
    """Windows of a picture that is padded to a multiple of them, or whose sizes a guard of the file says are one."""

    class Net(nn.Module):
        def forward(self, x, divided):
            return *self.padded(x), self.merged(x), self.overlapping(x.flatten(1, 2)), *self.parted(*divided)

        def padded(self, x):
            b, h, w, c = x.shape
            x = F.pad(x, (0, 0, 0, (4 - w % 4) % 4, 0, (4 - h % 4) % 4))
            _, high, wide, _ = x.shape
            parts = torch.roll(x, (-2, -2), (1, 2)).view(b, high // 4, 4, wide // 4, 4, c).transpose(2, 3)
            parts = parts.reshape(-1, 16, c).softmax(1)
            whole = parts.view(b, high // 4, wide // 4, 4, 4, c).transpose(2, 3).reshape(b, high, wide, c)
            return parts, torch.roll(whole, (2, 2), (1, 2))[:, :h, :w].contiguous()

        def merged(self, x):
            b, h, w, c = x.shape
            x = F.pad(x, (0, 0, 0, w % 2, 0, h % 2))
            x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
            return x.view(b, -1, 4 * c)

        def overlapping(self, x):
            b, n, c = x.shape
            rows = F.pad(x, (0, 0, 0, -n % 4)).view(b, -1, 4, c)
            before = torch.cat([torch.zeros_like(rows[:, :1]), rows[:, :-1]], 1)
            both = torch.cat([before, rows], 2)
            weights = (rows @ both.transpose(2, 3)).softmax(-1)
            return (weights @ both).flatten(1, 2)[:, :n] + x

        def parted(self, x):
            b, n, c = x.shape
            rows = x.view(b, n // 4, 4, c)
            near = torch.cat([rows[:, :-2], rows[:, 1:-1], rows[:, 2:]], 2)
            mid = (rows[:, 1:-1] @ near.transpose(2, 3)) @ near
            return torch.cat([rows[:, :1], mid, rows[:, -1:]], 1).view(b, -1, c) + x, rows.mean(2)

    def args(b, h, w, n):
        return torch.randn(b, h, w, 3), (torch.randn(b, n, 3),)

    sizes = {0: FREE, 1: FREE, 2: FREE}, ({0: FREE, 1: FREE},)
    return Case(Net(), args(2, 7, 9, 20), dynamic_shapes=sizes, other=args(3, 10, 6, 28))


@pt2_model
def free_views():
    """Products and parts of free sizes in views, cuts, repetitions and ranges."""

    class Net(nn.Module):
        def forward(self, x, y):
            return *self.views(x), *self.parts(x, y), *self.repeated(x, y), *self.counted(x)

        def views(self, x):
            b, t, c = x.shape
            heads = x.view(b, t, 2, -1).transpose(1, 2).reshape(b * 2, t, -1)
            back = heads.view(b, 2, t, c // 2).transpose(1, 2).contiguous().view(b, t, c)
            rows = x.reshape(b * t, c)
            shifted = torch.cat([torch.zeros(b, t, 1), x], 2).view(b, c + 1, t)[:, 1:].reshape(b, t, c)
            flat = x.reshape(b, t * c).view(b, -1, c)
            return back + x, rows.view(-1, t, c) + flat, shifted, x.flatten(0, 1).unflatten(0, (b, t)), x.view(b, -1)

        def parts(self, x, y):
            n, m = x.shape[1], y.shape[1]
            both = torch.cat([x, y, x], 1)
            first, mid, last = both.split([n, m, n], 1)
            short = min(n, m)
            swapped = torch.cat([x[:, n // 2 :], x[:, : n // 2]], 1)
            wide = F.pad(x, (0, 0, 0, max(n, m) - n))
            return first * last, mid, both[:, -m:], both.chunk(2, 1)[0], x[:, :short] + y[:, :short], swapped, wide

        def repeated(self, x, y):
            m = y.shape[1]
            return x[:, :, None].expand(-1, -1, m, -1) + y[:, None], x.repeat(1, m, 1), x.repeat_interleave(m, 1)

        def counted(self, x):
            b, t, c = x.shape
            steps = torch.arange(t)
            distance = steps[None] - steps[:, None] + t - 1
            table = torch.arange(2 * t - 1) * 0.5
            gy, gx = torch.meshgrid(steps, torch.arange(b), indexing="ij")
            return table[distance], torch.arange(b * t).view(b, t), torch.arange(1, t), gx / b + gy / t

    def args(b, n, m):
        return torch.randn(b, n, 4), torch.randn(b, m, 4)

    sizes = ({0: FREE, 1: FREE},) * 2
    return Case(Net(), args(2, 6, 9), dynamic_shapes=sizes, other=args(3, 8, 7))


@pt2_model
def free_pictures():
    """Pictures that become larger and smaller, and what must be as large as another one."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.same = nn.Conv2d(3, 3, 3, padding="same")
            self.up = nn.ConvTranspose2d(3, 3, 2, stride=2)
            self.positions = nn.Parameter(torch.randn(1, 3, 4, 4))

        def forward(self, x):
            b, c, h, w = x.shape
            a = self.same(x)
            u = self.up(F.max_pool2d(a, 2))
            dh, dw = h - u.shape[2], w - u.shape[3]
            u = torch.cat([a, F.pad(u, [dw // 2, dw - dw // 2, dh // 2, dh - dh // 2])], 1)
            small = F.interpolate(x, scale_factor=0.5, mode="nearest")
            like = F.interpolate(small, size=x.shape[2:], mode="bilinear", align_corners=True) + x
            large = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
            positions = F.interpolate(self.positions, size=(h // 2, w // 2), mode="bilinear")
            even = F.pad(x, (0, w % 2, 0, h % 2), mode="replicate")
            groups = F.group_norm(x.view(b, 1, c, h, w).transpose(1, 2).reshape(b, c, h, w), 3)
            shrunk = F.pixel_unshuffle(even, 2)
            average = F.adaptive_avg_pool2d(x, 1).expand(b, c, h, w)
            return u, like, large, small + positions, shrunk, groups, average, x.flatten(2) @ x.flatten(2).mT

    def args(b, h, w):
        return (torch.randn(b, 3, h, w),)

    return Case(Net(), args(2, 9, 10), dynamic_shapes=({0: FREE, 2: FREE, 3: FREE},), other=args(1, 12, 7))


@pt2_model
def free_kernels():
    """Kernels that are inputs, padded by half of their size, and several index tensors that broadcast."""

    class Net(nn.Module):
        def forward(self, x, kernel, rows, columns):
            same = F.conv2d(x, kernel, padding="same")
            apart = F.conv2d(x, kernel, padding="same", dilation=(2, 1))
            lines = F.conv1d(x[:, :, 0], kernel[:, :, 0], padding="same")
            points = x[:, :, rows, columns[: rows.shape[0]]]
            grid = x[:, :, rows[:, None], columns]
            parted = x[:, :, rows[:, None], :][:, 0, :, :, columns]
            turned = x.permute(2, 0, 3, 1)[rows[:, None], :, columns]
            put = x.index_put((torch.tensor([0]), torch.tensor([1]), rows[:, None], columns), torch.tensor(5.0))
            return same, apart, lines, points, grid, parted, turned, put

    def args(b, h, w, kernel, rows, columns):
        at = torch.arange(rows) * 2 - 1, torch.arange(columns) - 2
        return torch.randn(b, 3, h, w), torch.randn(4, 3, *kernel), *at

    sizes = {0: FREE, 2: FREE, 3: FREE}, {2: FREE, 3: FREE}, {0: FREE}, {0: FREE}
    return Case(Net(), args(2, 9, 8, (3, 2), 3, 5), dynamic_shapes=sizes, other=args(3, 7, 11, (5, 4), 2, 4))


@pt2_model
def sizes_of_data():
    """Sizes that only the data of a run tells, beside free ones."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate = nn.Parameter(torch.randn(3, 4))
            self.experts = nn.Parameter(torch.randn(4, 3, 3))

        def forward(self, x, mask, count):
            rows = torch.nonzero(mask)
            n = count.item()
            torch._check(n > 0)
            torch._check(n <= x.shape[1])
            first = x[:, :n]
            both = torch.cat([first, x], 1)
            return x[mask] * 2, rows, self.routed(x), first + torch.zeros(n, 3), both, torch.arange(n) * 2

        def routed(self, x):
            rows = x.flatten(0, 1)
            weights, chosen = torch.topk((rows @ self.gate).softmax(-1), 2)
            out = torch.zeros_like(rows)
            mask = F.one_hot(chosen, 4).permute(2, 1, 0)
            for i in range(4):
                k, of = torch.where(mask[i])
                out.index_add_(0, of, rows[of] @ self.experts[i] * weights[of, k, None])
            return out.view_as(x)

    def args(b, t, n):
        return torch.randn(b, t, 3), torch.randn(b, t) > 0, torch.tensor(n)

    sizes = {0: FREE, 1: FREE}, {0: FREE, 1: FREE}, None
    return Case(Net(), args(2, 5, 3), dynamic_shapes=sizes, other=args(3, 4, 2))


@pt2_model
def nothing_chosen():
    """Selects rows that some runs do not have, such as pictures that a text need not have."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))

        def forward(self, x, mask):
            chosen = self.layer(x[mask])
            return x.masked_scatter(mask[..., None], chosen), chosen.mean(0).nan_to_num(-1.0), chosen.sum()

    sizes = {0: FREE, 1: FREE}, {0: FREE, 1: FREE}
    first = torch.randn(2, 5, 4), torch.rand(2, 5) > 0.5
    return Case(Net(), first, dynamic_shapes=sizes, other=(torch.randn(3, 7, 4), torch.zeros(3, 7) > 0))
