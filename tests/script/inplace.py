"""Writes: to views, in branches, in loops. ONNX has none, so each becomes a new value under every name."""

from typing import List, Optional

import torch
from torch import nn

from program import ints, num, rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
SIGNS = [(rand(3, 4).abs(),), (-rand(5, 4).abs(),)]


@script("x=f32[n,2,3]", "m=bool[n,6]", runs=[(rand(2, 2, 3), rand(2, 6) > 0), (rand(5, 2, 3), rand(5, 6) > 0)])
class ViewThenMaskedFill(nn.Module):
    """The write to the view must be seen in `x`: torch.onnx's TorchScript exporter gives wrong numbers here."""

    def forward(self, x, m):
        x = x + 1
        y = x.view(x.size(0), 6)
        y.masked_fill_(m, 7.0)
        return x * 2, y


@trace("x=f32[n,2,3]", "m=bool[n,6]", runs=[(rand(2, 2, 3), rand(2, 6) > 0), (rand(5, 2, 3), rand(5, 6) > 0)])
class ViewThenMaskedFillTraced(nn.Module):
    def forward(self, x, m):
        x = x + 1
        y = x.view(x.size(0), 6)
        y.masked_fill_(m, 7.0)
        return x * 2, y


@script(X, runs=SIZES)
class AddToAlias(nn.Module):
    def forward(self, x):
        y = x + 1
        z = y
        y += 5
        return z * 2


@script(X, runs=SIZES)
class SliceAssign(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[1:, :2] = 0
        y[:, -1] += 2.5
        y[..., ::2] *= -1
        return y


@script(X, "row=f32[4]", runs=[(rand(3, 4), rand(4)), (rand(5, 4), rand(4))])
class SelectAssign(nn.Module):
    def forward(self, x, row):
        y = x.clone()
        y[0] = row
        y[-1] = row * 2
        y[1, 2] = 9.0
        return y


@script(X, runs=SIZES, since=11)
class MaskAssign(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[y > 0.5] = 0.5
        y[x < -0.5] = torch.tensor(-0.5)
        return y


@script("x=f32[n,4]", "k=i64[m]", runs=[(rand(3, 4), ints(0, 2)), (rand(5, 4), ints(4, 1, 2))], since=11)
class IndexAssign(nn.Module):
    def forward(self, x, k):
        y = x.clone()
        y[k] = -1.0
        y[k, 1] = 2.0
        return y


@script(
    "data=f32[n,4]",
    "index=i64[]",
    "new_data=f32[4]",
    runs=[(torch.zeros(3, 4), num(1), rand(4)), (rand(5, 4), num(4), rand(4))],
)
class DocumentationIndexedAssignment(nn.Module):
    """`data[index] = new_data`, which the documentation says is not supported in exporting."""

    def forward(self, data, index, new_data):
        data[index] = new_data
        return data


@script(
    "data=f32[n,4]",
    "index=i64[]",
    "new_data=f32[4]",
    runs=[(torch.zeros(3, 4), num(1), rand(4)), (rand(5, 4), num(4), rand(4))],
    since=11,
)
class DocumentationScatter(nn.Module):
    def forward(self, data, index, new_data):
        new_data = new_data.unsqueeze(0)
        index = index.expand(1, new_data.size(1))
        data.scatter_(0, index, new_data)
        return data


@script(X, runs=SIGNS, has=["If"])
class WriteInBranch(nn.Module):
    def forward(self, x):
        y = x + 1
        if x.sum() > 0:
            y.add_(10)
        return y


@script(X, runs=SIGNS, has=["If"])
class WriteToViewInBranch(nn.Module):
    """The view is made outside, the write is inside, the base is read after it."""

    def forward(self, x):
        y = x + 1
        v = y[1:]
        if x.sum() > 0:
            v.mul_(3)
        else:
            y[0] = 0
        return y, v


@script(X, runs=SIZES, has=["Loop"])
class WriteInLoop(nn.Module):
    def forward(self, x):
        y = x + 1
        for k in range(x.size(0)):
            y.mul_(0.5).add_(k)
        return y


@script(X, runs=SIZES, has=["Loop"], since=11)
class WriteRowsInLoop(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        for k in range(x.size(0)):
            y[k] = x[k] * k + y[k - 1]
        return y


@script(X, runs=SIZES + [(-rand(4, 4).abs(),)], has=["Loop", "If"], since=11)
class WriteInBranchInLoop(nn.Module):
    def forward(self, x):
        y = x.clone()
        column = y[:, 1]
        for k in range(x.size(0)):
            if y[k].sum() > 0:
                y[k] -= 1
                column.mul_(1.5)
        return y, column


@script(X, runs=SIZES, has_not=["Loop"])
class WriteUnrolled(nn.Module):
    def forward(self, x):
        y = x.clone()
        for k in range(4):
            y[:, k] = y[:, k] * k + y.sum(1)
        return y


@script(X, runs=SIZES)
class ViewOfView(nn.Module):
    def forward(self, x):
        y = x.clone()
        v = y.t()[1:3]
        w = v.unsqueeze(0)[..., 0]
        w.fill_(4.0)
        v.add_(1)
        return y, v, w


@script(X, runs=SIZES)
class BaseWrittenViewRead(nn.Module):
    def forward(self, x):
        y = x.clone()
        v = y.transpose(0, 1)
        y.add_(3)
        copy = v.clone()
        y.zero_()
        return v, copy


@script("x=f32[n,4]", "y=f32[n,4]", runs=[(rand(3, 4), rand(3, 4)), (rand(5, 4), rand(5, 4))])
class CopyTo(nn.Module):
    def forward(self, x, y):
        a = torch.zeros_like(x)
        a.copy_(y)
        a[:, 1:].copy_(x[:, :1])
        a[0].fill_(0.5)
        return a


@script("x=f32[n,4]", "k=i64[m]", runs=[(rand(3, 4), ints(0, 0)), (rand(5, 4), ints(4, 1, 4))], since=16)
class IndexPutAccumulates(nn.Module):
    def forward(self, x, k):
        y = x.clone()
        y.index_put_([k], torch.ones(4), accumulate=True)
        y.index_add_(0, k, torch.ones(k.size(0), 4))
        return y


@script("x=f32[n,4]", runs=SIZES, since=11)
class IndexFillCopy(nn.Module):
    def forward(self, x):
        y = x.clone()
        k = torch.tensor([2, 0])
        y.index_fill_(1, k, 3.5)
        y.index_copy_(0, k, torch.ones(2, 4))
        return y


@script("x=f32[1,n,4]", runs=[(rand(1, 3, 4),), (rand(1, 5, 4),)])
class ShapeInPlace(nn.Module):
    """In-place changes of the shape alone."""

    def forward(self, x):
        y = x + 1
        z = x + 2
        y.squeeze_(0)
        y.t_()
        z.transpose_(1, 2).unsqueeze_(-1)
        y.add_(1)
        return y, z


@script(X, runs=SIZES)
class OutArgument(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        torch.add(x, 1, out=y)
        v = y[:, :2]
        torch.mul(x[:, :2], 3, out=v)
        return y


@script(X, runs=SIZES)
class WriteListElement(nn.Module):
    """A tensor in a list is the same tensor."""

    def forward(self, x):
        a = x.clone()
        parts: List[torch.Tensor] = [a, x + 1]
        parts[0].add_(1)
        parts[1][:, 0] = 0
        return a, parts[1]


@script("x=f32[4,n]", runs=[(rand(4, 3),), (rand(4, 6),)])
class WriteToChunks(nn.Module):
    def forward(self, x):
        y = x.clone()
        a, b = y.chunk(2)
        a.mul_(2)
        b.sub_(a)
        for part in y.split(1):
            part[0, 0] = 9
        return y, a, b


@script("x=f32[n,n]", runs=[(rand(3, 3),), (rand(5, 5),)])
class WriteDiagonal(nn.Module):
    def forward(self, x):
        y = x.clone()
        y.diagonal().fill_(1.0)
        y.narrow(0, 1, 2).mul_(2)
        return y


@script("x=f32[n,m]", runs=[(rand(3, 4),), (rand(11, 2),), (rand(4, 3),), (rand(1, 1),)])
class FillDiagonals(nn.Module):
    """An operator that has no form that does not write."""

    def forward(self, x):
        y = x.clone()
        y.fill_diagonal_(2.5)
        z = torch.stack([x, x])
        z[1].fill_diagonal_(7, wrap=True)
        if bool(x.sum() > 0):
            y.fill_diagonal_(-1.0)
        return y, z, y.t()


@trace("x=f32[n,n,n]", runs=[(rand(3, 3, 3),), (rand(5, 5, 5),)])
class FillDiagonalOfThreeAxes(nn.Module):
    def forward(self, x):
        y = x * 2
        return y.fill_diagonal_(0, True), y + 1


@script("x=f32[2,3,3]", refused=["functional::fill_diagonal", "n != dim(self, 0)"], runs=[(rand(2, 3, 3),)])
class FillDiagonalOfUnequalAxes(nn.Module):
    """PyTorch refuses it when it runs."""

    def forward(self, x):
        y = x * 2
        return y.fill_diagonal_(0)


@script("x=f32[3,4]", runs=SIZES[:1])
class ReshapeShares(nn.Module):
    """`reshape` shares memory when it can, and copies when it cannot."""

    def forward(self, x):
        y = x.clone()
        a = y.reshape(-1)
        a.add_(1)
        b = y.t().reshape(-1)
        b.add_(100)
        c = y.flatten()
        c.mul_(2)
        return y, a, b


@script(X, refused=["may share memory", "clone it before the write"], runs=SIZES)
class ReshapeSharesOneRow(nn.Module):
    """A transposed matrix of one row can be viewed, one of more is copied."""

    def forward(self, x):
        y = x.clone()
        y.t().reshape(-1).add_(100)
        return y


@script("x=f32[3,4]", runs=SIZES[:1])
class ContiguousShares(nn.Module):
    """`contiguous` of a contiguous tensor is the tensor itself, of a transposed one a copy; so with `to`."""

    def forward(self, x):
        y = x.clone()
        y.contiguous().add_(1)
        y.t().contiguous().add_(100)
        y.to(torch.float32).mul_(2)
        y.to(torch.float64).mul_(50)
        y.detach().sub_(3)
        return y


@script("x=f32[3,4]", runs=SIZES[:1])
class ToShares(nn.Module):
    """`to` the dtype that a tensor has, or to none, is the tensor itself; so where the dtype is an Optional."""

    def forward(self, x):
        y = x.clone()
        same: Optional[int] = y.dtype
        none: Optional[int] = None
        other: Optional[int] = torch.float64
        y.to(same).add_(1)
        y.to(none).mul_(2)
        y.to(other).mul_(50)
        y.to(torch.device("cpu")).sub_(3)
        y.to("cpu", same).mul_(7)
        return y


@script(X, runs=SIZES)
class WriteToInput(nn.Module):
    """The caller's tensor changes in PyTorch; the model's results are the same."""

    def forward(self, x):
        x.add_(1)
        x[0] = 0
        return x * 2


@script(X, runs=SIZES, remarks=["count"], weights=["mean"])
class WriteToBuffer(nn.Module):
    """A model has no state: the new value is used, and lost after the call. `count` is known, so it becomes 4."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor(3))
        self.register_buffer("mean", torch.ones(4))

    def forward(self, x):
        self.count += 1
        self.mean = self.mean * 0.9 + x.mean(0) * 0.1
        return x - self.mean + self.count


@script(X, runs=SIZES)
class CallerSeesWrite(nn.Module):
    """A callee writes to its argument and to a view of it."""

    def scale(self, x):
        x.mul_(2)
        x[0].add_(1)

    def forward(self, x):
        y = x.clone()
        self.scale(y)
        self.scale(y[:, :2])
        return y


@script("x=i64[n]", runs=[(ints(1, 2),), (ints(5, 6, 7),)])
class WriteKeepsDtype(nn.Module):
    """A write casts to the dtype of what is written to."""

    def forward(self, x):
        y = x.clone()
        y.fill_(2.7)
        z = x.clone()
        z[0] = 3.9
        w = torch.zeros(2)
        w.copy_(torch.tensor([True, False]))
        return y, z, w


@script("x=f32[n,3,4,4]", runs=[(rand(2, 3, 4, 4),), (rand(1, 3, 4, 4),)])
class ReluInPlace(nn.Module):
    """ReLU(inplace=True) on a tensor that is used again."""

    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x):
        y = self.conv(x)
        z = self.relu(y)
        return y + z, nn.functional.dropout(z, 0.5, False, True)


@trace("x=f32[n,4]", "k=i64[]", runs=[(rand(3, 4), num(1)), (rand(5, 4), num(3))], since=11)
class IndexAssignTraced(nn.Module):
    def forward(self, x, k):
        y = x.clone()
        y[k] = 1.0
        y[:, 1:3] = y[:, :2] * 2
        y[y > 1.5] = 1.5
        return y


@script(X, runs=SIGNS, has=["If"])
class RebindInBranch(nn.Module):
    """One branch writes to the tensor, the other gives the name another tensor."""

    def forward(self, x):
        y = x + 1
        z = y
        if x.sum() > 0:
            y.add_(10)
        else:
            y = y * 2
        return y, z


@script(X, runs=SIZES, has=["Loop"])
class ListElementInLoop(nn.Module):
    def forward(self, x):
        a = x[0] * 0  # of a list of constants LibTorch makes a constant, and forgets the writes
        b = a + 1
        states = [a, b]
        for k in range(x.size(0)):
            states[0].add_(x[k])
            states[1].mul_(states[0])
        return states[0] - 2 * a, states[1] * b, a, b


@script(X, "k=i64[]", runs=[(rand(3, 4), 1), (rand(5, 4), -1), (rand(5, 4), -5), (rand(1, 4), 0)], since=11)
class WriteAtIndexOfRun(nn.Module):
    """Positions known only at run time may count from the end."""

    def forward(self, x, k: int):
        y = x.clone()
        row = y[k]
        row[0] = 8.0
        y[k, 1:3] += 2.0
        y[:, 3][k] = 5.0
        return y, row


@script(
    X,
    "k=i64[]",
    runs=[(rand(3, 4), 1), (rand(5, 4), -1), (rand(5, 4), -7), (rand(1, 4), 9), (rand(2, 4), -2)],
    since=11,
)
class WriteToSlicesOfRun(nn.Module):
    """Bounds in any order and out of range: what follows a slice begins where it ends."""

    def forward(self, x, k: int):
        y = x.clone()
        y[k:].mul_(2.0)
        y[:k, 3] = 0.0
        part = y[k : k + 2]
        part.sub_(1.0)
        y[1:k] += 3.0
        y[k:-1] *= 0.5
        return y, part


@script(X, runs=[(rand(n, 4),) for n in (7, 3, 2, 1)])
class WriteToShortSlices(nn.Module):
    """One bound from the front, one from the end: on a short axis they cross."""

    def forward(self, x):
        y = x.clone()
        y[1:-1] += 10.0
        y[2:-2] *= 2.0
        y[-2:3] -= 1.0
        return y


@script(X, runs=[(rand(n, 4),) for n in (7, 2, 1)], since=11)
class WriteToEverySecond(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[::2] = 0.0
        y[1::3] += 1.0
        return y


@script(X, "k=i64[]", runs=[(rand(5, 4), 1), (rand(4, 4), -2), (rand(2, 4), 0), (rand(3, 4), -3)], since=10)
class NarrowAtIndexOfRun(nn.Module):
    def forward(self, x, k: int):
        y = x.clone()
        y.narrow(0, k, 2).neg_()
        z = x.narrow(0, k, 2)
        return y, z * 2


@script(X, runs=SIZES + [(rand(1, 4),)], has=["Loop"], since=11)
class TwoViewsInList(nn.Module):
    """A list holds overlapping views of one tensor."""

    def forward(self, x):
        y = x.clone()
        views = [y[:, 0:2], y[:, 1:3], y.t()]
        for k in range(x.size(0) * 30):
            views[0].add_(1.0)
            views[1].mul_(0.9)
            views[2][k % 4].sub_(0.1)
        return y, views[0], views[1], views[2]


@script(X, runs=SIZES, since=11)
class WriteToViewsOfBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(6, 4))

    def forward(self, x):
        part = self.table[1:3]
        every = part[:, ::2]
        if x.sum() > 0:
            every.fill_(3.0)
        else:
            self.table.add_(1.0)
        part.mul_(2.0)
        for k in range(x.size(0)):
            self.table[k + 1] = self.table[k] * 2 + x[k]
        return self.table, every.clone()


@script(X, runs=SIZES, has=["Loop"])
class AppendedThenWritten(nn.Module):
    """In the iteration that made the tensor: its element is what it is at the end."""

    def forward(self, x):
        outs: List[torch.Tensor] = []
        for k in range(x.size(0)):
            total = x[k] * 2
            outs.append(total)
            total.mul_(3.0)
        return torch.stack(outs)


@script(X, refused=["appends a tensor", "append a clone of it", "inplace.py"], runs=SIZES)
class AppendedThenWrittenLater(nn.Module):
    """All elements are one tensor, which later iterations change."""

    def forward(self, x):
        outs: List[torch.Tensor] = []
        total = torch.zeros(4) + x.sum()
        for k in range(x.size(0)):
            outs.append(total)
            total.add_(x[k])
        return torch.stack(outs)


@script(X, refused=["append a clone of it", "inplace.py"], runs=SIZES)
class AppendedViewsWrittenLater(nn.Module):
    def forward(self, x):
        y = x.clone()
        outs: List[torch.Tensor] = []
        for k in range(x.size(0)):
            outs.append(y[k])
            y.add_(1.0)
        return torch.stack(outs), y


@script(X, refused=["may share memory", "inplace.py"], runs=SIZES)
class WriteToEarlierElement(nn.Module):
    """A write to an element of a sequence, on one side of an `if`."""

    def forward(self, x):
        outs: List[torch.Tensor] = []
        for k in range(x.size(0)):
            row = x[k] * 2
            outs.append(row)
            if k > 0:
                outs[k - 1].add_(row)
        return torch.stack(outs)


@script(X, refused=["may share memory", "inplace.py"], runs=SIZES)
class WriteAfterScan(nn.Module):
    """The first element is the state from before the loop."""

    def forward(self, x):
        first = x[0] + 1
        state = first
        outs: List[torch.Tensor] = []
        for k in range(x.size(0)):
            outs.append(state)
            state = state * 0.5 + x[k]
        first.add_(100.0)
        return torch.stack(outs)


@script(X, runs=SIZES + [(rand(1, 4),)], has=["Loop"], since=11)
class WrittenAndReplacedInLoop(nn.Module):
    """A variable is written to and gets another tensor: what it held before the loop has no other name."""

    def forward(self, x):
        y = x.clone()
        z = x + 1
        for k in range(x.size(0)):
            y[k] = y[k] * 2
            y = y * 0.5 + z
            z[k] -= 1
            if z.sum() > 0:
                z = torch.tanh(z)
        return y, z


@script(X, runs=SIZES + [(rand(1, 4),)], has=["Loop"], since=11)
class WrittenAndReplacedHasName(nn.Module):
    """... here it has one, which the first iteration writes to."""

    def forward(self, x):
        y = x.clone()
        first = y
        for k in range(x.size(0)):
            y[k] = y[k] * 2
            y = y * 0.5
        return y, first


@script(X, refused=["clone it before the write", "inplace.py"], runs=SIZES)
class WrittenThenAViewOfAnOlderOne(nn.Module):
    """From the second iteration on the write may be one to `a`."""

    def forward(self, x):
        a = x * 2
        b = x[0] + 1
        for _ in range(x.size(0)):
            b[::2] += 1.0
            if x.sum() > 0:
                b = a[0]
        return torch.relu(a)


@script(X, refused=["clone it before the write", "inplace.py"], runs=SIZES)
class WrittenThenAViewOnOneSide(nn.Module):
    """... also where both are on one side of an `if`."""

    def forward(self, x):
        a = x * 2
        b = x[0] + 1
        for _ in range(x.size(0)):
            if x.sum() > 0:
                b[::2] += 1.0
                b = a[0]
        return torch.relu(a)


@script(X, refused=["clone it before the write", "inplace.py"], runs=SIZES)
class WrittenThenAViewInWhile(nn.Module):
    """... in a `while`."""

    def forward(self, x):
        a = x * 2
        b = x[0] + 1
        while b.sum() < 20:
            b.add_(1.0)
            b = a[0] if x.sum() > 0 else b
        return torch.relu(a)


@script(X, refused=["clone it before the write", "inplace.py"], runs=SIZES)
class WrittenThenAViewInnerLoop(nn.Module):
    """... in the iterations of a loop within."""

    def forward(self, x):
        a = x * 2
        b = x[0] + 1
        for i in range(x.size(0)):
            for _ in range(x.size(0) + i):
                b.add_(1.0)
                if x.sum() > 0:
                    b = a[i]
        return torch.relu(a)


@script(X, refused=["clone it before the write", "inplace.py"], runs=SIZES)
class WrittenThenAViewInAList(nn.Module):
    """... of a tensor in a list."""

    def forward(self, x):
        a = x * 2
        kept = [x[0] + 1]
        for _ in range(x.size(0)):
            kept[0].add_(1.0)
            if x.sum() > 0:
                kept[0] = a[0]
        return torch.relu(a)


@script(X, runs=SIZES + [(-rand(3, 4).abs(),)], has=["Loop"], since=11)
class AViewThenWrittenElsewhere(nn.Module):
    """Nothing is written to what may be another tensor."""

    def forward(self, x):
        a = x * 2
        b = x[0] + 1
        c = x[0] * 3
        for _ in range(x.size(0)):
            c.add_(b)
            if x.sum() > 0:
                b = a[0]
        return torch.relu(a), b, c


@script(X, runs=SIGNS, since=11)
class SizesOfWhatMayBeWritten(nn.Module):
    """A write changes no sizes."""

    def forward(self, x):
        a = torch.cat([x, x])
        b = x[x.size(0) // 2 :]
        if x.sum() > 0:
            c = a
        else:
            c = b
        c.add_(1.0)
        return c, a.size(0), b.numel()


class Counting(nn.Module):
    """`int(buffer)` gives the value after a write, whatever name it was written through."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1, dtype=torch.int64))
        self.register_buffer("total", torch.tensor(0))


ONCE = [(rand(3, 4),)]


@script(X, runs=ONCE)
class NumberAfterElementWrite(Counting):
    def forward(self, x):
        self.count[0] += 1
        return x * int(self.count)


@script(X, runs=ONCE)
class NumberAfterWriteToView(Counting):
    def forward(self, x):
        torch.add(self.count.view(-1), 7, out=self.count.view(-1))
        self.total.view(-1).add_(5)
        return x * int(self.count) + float(self.total)


@script(X, runs=ONCE)
class NumberAfterWriteToDetached(Counting):
    def forward(self, x):
        torch.fill_(self.count.detach(), 3)
        return x * int(self.count), x * self.count.item()


@script(X, runs=ONCE)
class NumberAfterOut(Counting):
    def forward(self, x):
        torch.add(self.total, 7, out=self.total)
        return x * int(self.total)


@script(X, runs=ONCE)
class NumberBeforeAndAfterWrite(Counting):
    def forward(self, x):
        before = int(self.total)
        self.total.add_(7)
        return x * before + 1, x * int(self.total)


@script(X, runs=[(rand(3, 4).abs(),)])
class NumberAfterWriteInBranch(Counting):
    def forward(self, x):
        if bool(x.sum() > 0):
            self.count[0] = 4
        return x * int(self.count)


@script(X, runs=[(rand(3, 4),)], has=["Loop"], since=11)
class NumberWhileWrittenInLoop(Counting):
    def forward(self, x):
        y = x
        for i in range(x.size(0)):
            self.count[0] += 1
            y = y * int(self.count)
        return y


@script("x=f32[3,4]", "flag=bool[]", runs=[(rand(3, 4), True)], refused=["the index is beside the axis", "aten::select_scatter", "inplace.py"])
class WriteBesideAnAxis(nn.Module):
    """One side raises. The tensor that it would have written has no place, and the model must not lose it for that."""

    def forward(self, x, flag: bool):
        y = x[0] + 1
        z = y.unsqueeze(0)
        if flag:
            x = x + 1
        else:
            z[1, 2] += 1.0
        return x, y, z


@script("x=f32[n,m]", runs=[(rand(4, 6),), (rand(5, 3),), (rand(2, 8),)], opsets=[14, 17, 21, 25])
class WriteToNoElements(nn.Module):
    """A size that is a part of another may be 0, which Reshape takes for "as in the input" unless it is told."""

    def forward(self, x):
        y = x[:, torch.arange(x.size(1) // 4)]
        y.view(-1)[1:].neg_()
        return y


JOINED = [(rand(4, 3), True, 3), (rand(2, 3), False, 2), (rand(3, 3), False, 0), (rand(3, 3), True, 1)]


@script("x=f32[n,3]", "flag=bool[]", "k=i64[]", runs=JOINED, since=11)
class WriteToWhatAnIfChose(nn.Module):
    """Which tensor a name is, the condition knows: a write to it is one to that tensor, and back."""

    def forward(self, x, flag: bool, k: int):
        a = x + 1
        row = a[0]
        b = a
        if flag:
            b = x[:1] * 2
        if not flag:
            b[0] = 7
        b.add_(5)
        a.mul_(2)
        row.sub_(1)
        for i in range(k):
            b[0] += i
            row.mul_(2)
        return a, b, row


@script("x=f32[n,3]", "flag=bool[]", "k=i64[]", runs=JOINED, since=11)
class WriteToOneOfTwo(nn.Module):
    def forward(self, x, flag: bool, k: int):
        a = x + 1
        b = x * 2
        chosen = a if flag else b
        other = chosen if k > 1 else x * 7
        chosen.mul_(3)
        other.add_(1)
        a.sub_(2)
        return a, b, chosen, other


@script("x=f32[n,3]", "flag=bool[]", runs=[run[:2] for run in JOINED], since=11)
class WriteToOneOfTwoViews(nn.Module):
    def forward(self, x, flag: bool):
        a = x + 1
        b = x * 2
        first = a[0]
        column = b[:, 0]
        part = first if flag else column
        part.add_(1)
        a.mul_(2)
        b.sub_(1)
        part.mul_(4)
        return a, b, part, first, column


@script("x=f32[n,3]", "flag=bool[]", "k=i64[]", runs=JOINED, refused=["may share memory", "inplace.py"])
class WriteToOneOfTwoTwice(nn.Module):
    """Two names for the same two tensors: a write to one would reach the other on two ways."""

    def forward(self, x, flag: bool, k: int):
        a = x + 1
        b = x * 2
        c = a if flag else b
        d = b if flag else a
        c.add_(1)
        return c, d


@script("x=f32[n,4]", runs=SIZES, since=11)
class WriteThroughSplitsAndWindows(nn.Module):
    def forward(self, x):
        y = torch.cat([x, x], 1)
        left, right = torch.hsplit(y, 2)
        right[0] = 5
        left.add_(1)
        top, rest = torch.vsplit(y, [1])
        rest.mul_(2)
        deep = torch.stack([x, x], 2)
        deep.dsplit(2)[1].sub_(1)
        y.unfold(1, 2, 3)[:, 0].mul_(3)
        flat = y.view(-1).unfold(0, 3, 4)
        flat[0] = 7
        return y, left, right, top, rest, deep, flat


@script("x=f32[n,4]", runs=SIZES, refused=["elements that are, or may be, one in memory", "unfold", "inplace.py"])
class WriteThroughWindowsThatOverlap(nn.Module):
    def forward(self, x):
        y = x + 1
        y.unfold(1, 3, 1).mul_(2)
        return y
