"""Writes to a tensor that shares memory with another one only in some runs."""

from typing import List

import torch
from torch import nn

from program import num, rand, script

X = "x=f32[3,4]"
FLAG = "flag=bool[]"
K = "k=i64[]"
BOTH = [(rand(3, 4), num(flag, torch.bool)) for flag in (True, False)]
COUNTS = [(rand(3, 4), num(k)) for k in (0, 1, 2, 3)]
EACH = [(rand(3, 4), num(flag, torch.bool), num(k)) for flag in (True, False) for k in (0, 1, 2, 3)]


@script(X, FLAG, runs=BOTH)
class ViewOfAChosenTensor(nn.Module):
    """Both sides lay the tensor out row by row, so `ravel` is a view of it."""

    def forward(self, x, flag: bool):
        a = x * 2
        if flag:
            a = a * 2 + 2
        v = a.ravel()
        v[-1] = 2.0
        return a, v


@script(X, FLAG, runs=BOTH, has_not=["If"])
class SameTensorOnBothSides(nn.Module):
    def forward(self, x, flag: bool):
        b = x[0] + 1
        v = b.flatten()
        if flag:
            b = v.ravel()
        v[-1] += 1.0
        return b, v


@script(X, K, runs=COUNTS)
class SameTensorAfterEachIteration(nn.Module):
    def forward(self, x, k: int):
        a = x * 2
        v = a.flatten()
        for i in range(k):
            v[-1] += 1.0
            v = v.flatten()
        return a, v


@script(X, FLAG, K, runs=EACH)
class ReplacedInNestedBranches(nn.Module):
    def forward(self, x, flag: bool, k: int):
        b = x[0] + 1
        v = b[:2]
        if flag:
            if k > 1:
                b = b * 2 + 2
        b[0] = 5.0
        v[1] += 1.0
        return b, v


@script(X, FLAG, runs=BOTH)
class OneViewOrAnother(nn.Module):
    def forward(self, x, flag: bool):
        a = x * 2
        up = a[0]
        down = a[1]
        if flag:
            v = up
        else:
            v = down
        v.mul_(3)
        a[:2, 0] = 7.0
        return a, v, up, down


@script(X, K, runs=COUNTS)
class ReplacedByEachIteration(nn.Module):
    """After no iteration `b` is still the tensor that `v` shows a part of."""

    def forward(self, x, k: int):
        b = x[0] + 1
        v = b[:2]
        for i in range(k):
            b = b * 2 + 2
        v[::2] = -1.0
        b[1] = 9.0
        return b, v


@script(X, K, runs=COUNTS)
class WrittenAndReplacedByEachIteration(nn.Module):
    def forward(self, x, k: int):
        b = x[0] + 1
        v = b.ravel()
        for i in range(k):
            v[0] = float(i)
            b[1] += 1.0
            b = b * 2 + 1
        return b, v


@script(X, FLAG, K, runs=EACH)
class ReplacedBySomeIterations(nn.Module):
    def forward(self, x, flag: bool, k: int):
        b = x[0] + 1
        v = b.detach()
        for i in range(k):
            if bool(b.sum() > 3) or flag:
                b = b - 1
            b[0] += 2.0
        v[2] = 8.0
        return b, v


@script(X, K, runs=COUNTS)
class ReplacedInNestedLoops(nn.Module):
    def forward(self, x, k: int):
        b = x[0] + 1
        v = b[1:]
        for i in range(k):
            for j in range(i):
                b = b * 2 + 2
            b[-1] += 1.0
            v[0] -= 1.0
        return b, v


@script(X, K, runs=COUNTS)
class TwoNamesOfWhatALoopLeaves(nn.Module):
    """`a` and `b` are one tensor after an iteration, and another pair before it."""

    def forward(self, x, k: int):
        a = x[0] + 1
        b = x[1] + 1
        for i in range(k):
            a = b * 2
            b = a
            b[0] += 1.0
        return a, b


@script(X, K, runs=COUNTS, refused=["[E0109]", "that it carries and that has another name"])
class Exchanged(nn.Module):
    """In each iteration, another of the two tensors from before the loop is written to."""

    def forward(self, x, k: int):
        a = x[0] + 1
        b = x[1] + 1
        for i in range(k):
            a, b = b, a
            a[0] += 1.0
        return a, b


@script(X, K, runs=COUNTS, since=11, opsets=[11, 13, 17, 21, 25])
class GrowsAfterTheFirst(nn.Module):
    """Where `b` is another tensor, it also has another length."""

    def forward(self, x, k: int):
        b = x[0] + 1
        v = b[1:]
        for i in range(k):
            b[0] += 1.0
            b = torch.cat([b, b])
        v[1] = 3.0
        b[1] = 4.0
        return b, v


@script(X, runs=[(rand(3, 4),)], since=11)
class WindowsApart(nn.Module):
    """The windows overlap, but one of them shows each element once."""

    def forward(self, x):
        a = x * 2
        v = a.unfold(0, 2, 1)[0]
        v[1:] += 1.0
        v.mul_(2)
        return a, v


@script(X, FLAG, runs=BOTH, refused=["[E0109]", "changes the shape of a tensor in place"])
class ReshapedUnderOneOfTwoNames(nn.Module):
    """Where `flag` is false, `a` changes its shape as well."""

    def forward(self, x, flag: bool):
        a = x * 2
        b = a
        if flag:
            b = a.detach()
        b.t_()
        return a, b


class WithBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(4))


@script("x=f32[4]", FLAG, runs=[(rand(4), num(True, torch.bool))], remarks=["new value of 'count' is not kept"])
class WritesToABufferInABranch(WithBuffer):
    def forward(self, x, flag: bool):
        if flag:
            self.count.add_(1)
        return x * 2


@script("x=f32[4]", FLAG, runs=[(rand(4), num(False, torch.bool))], remarks=["input 'x' is not written to"])
class WritesToAnInputInABranch(nn.Module):
    def forward(self, x, flag: bool):
        y = x * 2
        if flag:
            x.add_(1)
        return y


@script(
    "x=f32[4]",
    FLAG,
    runs=[(rand(4), num(True, torch.bool)), (rand(4), num(False, torch.bool))],
    remarks=["new value of 'count' is not kept", "input 'x' is not written to"],
)
class WritesToABufferOrAnInput(WithBuffer):
    """Only a run knows which of the two it is."""

    def forward(self, x, flag: bool):
        y = x * 2
        b = x
        if flag:
            b = self.count
        b.add_(1)
        return y


@script("x=f32[4]", "k=i64[]", runs=[(rand(4), num(2))], remarks=["new value of 'count' is not kept"])
class WritesToABufferInTheFirstIteration(WithBuffer):
    def forward(self, x, k: int):
        b = self.count
        for i in range(k):
            b.add_(1)
            b = b * 2
        return x * 2


OVERLAPS = ["elements that are", "one in memory", "clone it before the write"]


@script("x=f32[3,4]", FLAG, runs=[(rand(3, 4), num(True, torch.bool))], refused=OVERLAPS)
class WritesToWindowsOfOneSide(nn.Module):
    """A result of an If is a tensor of its own in the model. It must not forget that elements of it are one."""

    def forward(self, x, flag: bool):
        a = x * 2
        windows = (x[0] + 1).unfold(0, 2, 1)
        if flag:
            windows = a[:, 1:3]
        windows[:, 1] += 1.0
        return windows


@script("x=f32[4]", FLAG, runs=[(rand(4), num(True, torch.bool))], refused=OVERLAPS)
class WritesToARowOfOneSide(nn.Module):
    def forward(self, x, flag: bool):
        y = x.expand(3, 4)
        if flag:
            y = y.clone()
        y[0] += 1.0
        return y


@script("x=f32[4]", "k=i64[]", runs=[(rand(4), num(2))], refused=OVERLAPS)
class WritesToARowInALoop(nn.Module):
    def forward(self, x, k: int):
        y = (x * 2).expand(3, 4)
        for i in range(k):
            y[0] += 1.0
            y = y * 2
        return y


@script("x=f32[4]", "k=i64[]", runs=[(rand(4), num(2))], refused=OVERLAPS)
class WritesToARowAfterALoop(nn.Module):
    def forward(self, x, k: int):
        y = torch.zeros(3, 4)
        for i in range(k):
            y = (x + y[0]).expand(3, 4)
        y[0] += 1.0
        return y


@script("x=f32[4]", "k=i64[]", runs=[(rand(4), num(2))], refused=OVERLAPS)
class WritesToARowOfAnElement(nn.Module):
    """A list that a loop fills is one tensor in the model."""

    def forward(self, x, k: int):
        rows: List[torch.Tensor] = []
        for i in range(k):
            rows.append((x * i).expand(3, 4))
        y = rows[0]
        y[0] += 1.0
        return y


@script("x=f32[n,4]", "k=i64[]", runs=[(rand(2, 4), num(1))], since=13, refused=OVERLAPS)
class WritesToARowOfASequence(nn.Module):
    def forward(self, x, k: int):
        rows: List[torch.Tensor] = [x[0].expand(3, 4)]
        for i in range(k):
            rows.append(x[i : i + 1].expand(i + 2, 4))
        y = rows[k]
        y[0] += 1.0
        return y
