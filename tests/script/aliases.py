"""Containers with several names, which a loop changes, exchanges or chooses between."""

from typing import List

import torch
from torch import nn

from program import num, script

X = "x=f32[n]"
K = "k=i64[]"
RUNS = [(sign * torch.arange(1.0, n + 1), num(k)) for n in (3, 0, 1, 2) for sign in (1, -1) for k in (3, -2)]
SEQUENCES = (11, 13, 17, 21, 25)
TWO_NAMES = ["only at run time it is known whether another name means the same one", "item]"]


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class TakesAnOlderList(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        d = [k, 2]
        for i in range(x.size(0)):
            c = d
        return len(c), sum(c), sum(d)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class TakesAListThatTheLoopChanges(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        b = [k]
        for i in range(x.size(0)):
            b.append(i)
            c = b
        return len(c), sum(c), sum(b)


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class ChangedAfterTheLoop(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        b = [k]
        for i in range(x.size(0)):
            b.append(i)
            c = b
        b.append(7)
        return len(c), sum(b)


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class ChangedByTheOtherName(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        b = [k]
        for i in range(x.size(0)):
            b.append(i)
            c = b
        c.append(7)
        return len(c), sum(b)


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class TakenBesideAReturn(nn.Module):
    def forward(self, x, k: int):
        b = [k, 1, 2]
        c = [k]
        if x.size(0) != 1:
            if bool(x.sum() > 1):
                return len(b)
            for _ in c[:]:
                c = b
        c.append(9)
        return len(b)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class ChangesTheListItTakes(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        d = [k, 2]
        for i in range(x.size(0)):
            c = d
            c.append(5)
        return len(c), sum(c), sum(d)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class InATuple(nn.Module):
    def forward(self, x, k: int):
        d = [k, 2]
        t = ([k], 0)
        for i in range(x.size(0)):
            d.append(5)
            t = (d, i)
        return len(t[0]), sum(t[0]), t[1], sum(d)


@script(X, K, runs=RUNS)
class ElementsOfTwoNames(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        d = [k]
        for i in range(x.size(0)):
            c[0] = c[0] + i + 1
            d = c
        return c[0], d[0]


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class ElementsChangedAfterTheLoop(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        d = [k]
        for i in range(x.size(0)):
            c[0] = c[0] + i + 1
            d = c
        c[0] = 9
        return c[0], d[0]


@script(X, K, runs=RUNS)
class DictsOfTwoNames(nn.Module):
    def forward(self, x, k: int):
        c = {"a": k}
        d = {"a": 1}
        for i in range(x.size(0)):
            c["a"] = c["a"] + i + 1
            d = c
        return c["a"], d["a"]


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class Exchange(nn.Module):
    """At no time the two are one list: a change of one is none of the other."""

    def forward(self, x, k: int):
        c = [k]
        d = [k, 1]
        for i in range(x.size(0)):
            c.append(i)
            e = c
            c = d
            d = e
        return sum(c), sum(d), len(c), len(d)


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class ChangedBeforeTheChoice(nn.Module):
    """From the third iteration on, the list that is changed may be that of the other name."""

    def forward(self, x, k: int):
        c = [k]
        d = [k, 1]
        for i in range(x.size(0)):
            c.append(i)
            if i == 1:
                c = d
        return sum(c), sum(d)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class OneNewListOfTwoNames(nn.Module):
    """Nobody reads `d` between the change of the list that it names and its next list."""

    def forward(self, x, k: int):
        c = [k]
        d = [k]
        for i in range(x.size(0)):
            c.append(1)
            c = [i]
            d = c
        return len(c), len(d)


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class OneNewListOfTwoNamesThatAreRead(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        d = [k]
        total = 0
        for i in range(x.size(0)):
            c.append(1)
            total += len(d)
            c = [i]
            d = c
        return len(c), total


@script(X, K, runs=RUNS, refused=TWO_NAMES)
class InAListOfLists(nn.Module):
    def forward(self, x, k: int):
        c = [k]
        lists = [c, [k, 1]]
        for i in range(x.size(0)):
            c.append(1)
            lists[1] = c
        return len(lists[0]), len(lists[1])


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class NamesThatThePrinterGives(nn.Module):
    """`_1 = torch.append(b, ...)` is a second name of `b` that nobody reads."""

    def forward(self, x, k: int):
        a = [k, 1, 2]
        b: List[int] = []
        for j in range(2):
            b = []
            for i in range(len(a)):
                b.append(a[i])
            for i in range(x.size(0)):
                a = a[:2]
        return len(b), sum(b), sum(a)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class ComprehensionTwice(nn.Module):
    def forward(self, x, k: int):
        a = [k, 1, 2]
        for j in range(2):
            a.extend([v for v in a])
            for i in range(x.size(0)):
                a = a[:2]
        return len(a), sum(a)


@script(X, K, runs=RUNS, since=13, opsets=SEQUENCES)
class NumbersOfAnEmptyList(nn.Module):
    """It may be empty at run time, and has a sum then."""

    def forward(self, x, k: int):
        a = [k, 1]
        f = [0.5, float(k)]
        b = [k > 0, k < 5]
        for i in range(x.size(0)):
            a = a[1:]
            f = f[1:]
            b = b[1:]
        return len(a), sum(a), sum(f), any(b), all(b), torch.tensor(a), torch.tensor(f).sum()
