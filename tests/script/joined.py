"""Lists and dicts of other lengths on the two sides of an `if`, and lists that an iteration changes and replaces."""

from typing import List

import torch
from torch import nn

from program import ints, num, rand, script

X = "x=f32[n]"
FLAG = "flag=bool[]"
UP, DOWN = torch.ones(3), -torch.ones(3)
BOTH = [(x, num(flag, torch.bool)) for x in (UP, DOWN) for flag in (True, False)]
SEQUENCES = (11, 13, 17, 21, 25)
COUNTS = [(torch.arange(n),) for n in (3, 0, 1)]


@script(X, FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class LengthOfNested(nn.Module):
    """The inner `if` has two names for what it leaves: both must be the list of the side that ran."""

    def forward(self, x, flag: bool):
        a = [0, 1, 2]
        if flag:
            if bool(x.sum() > 0):
                a = [9, 8]
        return len(a)


@script(X, FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class ElementsOfNested(nn.Module):
    def forward(self, x, flag: bool):
        a = [0, 1, 2]
        if flag:
            if bool(x.sum() > 0):
                a = [9, 8]
        total = 0
        for item in a:
            total += item
        return total, a[-1], max(a)


@script(X, FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class LengthOfElif(nn.Module):
    def forward(self, x, flag: bool):
        a = [0.5, 1.0, 2.0]
        if flag:
            a = [4.0]
        elif bool(x.sum() > 0):
            a = [9.0, 8.0]
        return len(a), a[0]


@script(X, FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class TensorsOfNested(nn.Module):
    def forward(self, x, flag: bool):
        a = [x, x + 1]
        if flag:
            if bool(x.sum() > 0):
                a = [x * 2]
        return torch.cat(a), len(a)


@script(X, FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class EmptyOfNested(nn.Module):
    def forward(self, x, flag: bool):
        a: List[int] = []
        if flag:
            if bool(x.sum() > 0):
                a = [9, 8]
        return len(a)


@script(X, runs=[(UP,), (DOWN,)], since=13, opsets=SEQUENCES)
class ShorterInUnrolledLoop(nn.Module):
    def forward(self, x):
        a = [0, 1, 2, 3]
        for i in range(2):
            if bool(x[i] > 0):
                a = a[1:]
        return len(a), a[0]


@script(X, runs=[(UP,), (DOWN,), (torch.tensor([1.0, -1.0, 1.0, -1.0]),)], since=13, opsets=SEQUENCES)
class ShorterInFreeLoop(nn.Module):
    def forward(self, x):
        a = [0, 1, 2, 3]
        for i in range(x.size(0)):
            if bool(x[i] > 0):
                a = a[1:]
        return len(a), a[0]


@script(X, FLAG, runs=BOTH)
class KeysThatOneSideAdds(nn.Module):
    def forward(self, x, flag: bool):
        d = {"a": 1, "b": 2}
        if flag:
            d["c"] = 3
        return len(d), "c" in d


@script("x=f32[n]", FLAG, "k=i64[]", runs=[(UP, num(False, torch.bool), num(k)) for k in (0, 3, 7)])
class AKeyThatIsNotJoinedIsNoRaise(nn.Module):
    """Only one side has the key that is looked up: that is no check of the program."""

    def forward(self, x, flag: bool, k: int):
        d = {"a": 1, "b": k}
        c = 0
        if k < 5:
            for i in range(2):
                if flag:
                    pass
                else:
                    d["c"] = k
            c = d["c"]
        return c, len(d)


@script(X, FLAG, runs=BOTH)
class KeysOfNested(nn.Module):

    def forward(self, x, flag: bool):
        d = {"a": 1, "b": 2}
        if flag:
            if bool(x.sum() > 0):
                d = {"c": 1}
        return len(d), "a" in d


@script("x=i64[n]", runs=COUNTS, since=13, opsets=SEQUENCES)
class AppendAndCut(nn.Module):
    """A history of the last three."""

    def forward(self, x):
        a = [4, 3, 1]
        for j in range(x.size(0)):
            a.append(j)
            a = a[-3:]
        return len(a), a[0], a[2]


@script("x=i64[n]", runs=COUNTS, since=13, opsets=SEQUENCES)
class ExtendAndCut(nn.Module):
    def forward(self, x):
        a = [4, 3, 1]
        for j in range(x.size(0)):
            a.extend([5, j])
            a = a[1:]
        return len(a), a[0]


@script("x=i64[n]", runs=COUNTS, since=13, opsets=SEQUENCES)
class AppendAndMap(nn.Module):
    def forward(self, x):
        a = [4, 3, 1]
        for j in range(x.size(0)):
            a.append(5)
            a = [v + 1 for v in a]
        return len(a), a[0]


@script("x=i64[n]", runs=COUNTS, refused=["changes in place and then replaces", "item]"])
class AppendAndCutOfTwoNames(nn.Module):
    """The first iteration alone changes what `b` sees."""

    def forward(self, x):
        a = [4, 3, 1]
        b = a
        for j in range(x.size(0)):
            a.append(5)
            a = a[:3]
        return len(a), len(b)


@script("x=i64[n]", runs=COUNTS, since=13, opsets=SEQUENCES)
class CutThatIsNotInPlace(nn.Module):
    """Follows the advice of the refusal above."""

    def forward(self, x):
        a = [4, 3, 1]
        b = a
        for j in range(x.size(0)):
            a = a + [5]
            a = a[:3]
        return len(a), len(b)


@script(X, FLAG, runs=BOTH)
class ChangedHereAndReplacedThere(nn.Module):
    """The side that changes the list leaves it as it is at its end."""

    def forward(self, x, flag: bool):
        a = [1, 2]
        d = {"p": 1}
        if flag:
            a[0] = 7
            d["p"] = 5
        else:
            a = [3, 4]
            d = {"p": 2}
        return a[0], a[1], d["p"]


@script("x=f32[n]", FLAG, runs=BOTH, since=13, opsets=SEQUENCES)
class ChangedHereAndReplacedThereInALoop(nn.Module):
    def forward(self, x, flag: bool):
        a = [x, x + 1]
        for i in range(x.size(0)):
            if flag:
                a.append(x)
            else:
                a = [x * 2]
        return torch.cat(a), len(a)


@script(X, FLAG, runs=BOTH, refused=["changed in place", "make a new one"])
class OneOfTwoListsIsChanged(nn.Module):
    """`a` changes where `b` is still another name of it."""

    def forward(self, x, flag: bool):
        a = [1, 2]
        b = a
        if flag:
            b = [3, 4]
        b.append(5)
        return len(a), len(b)


@script(X, FLAG, runs=BOTH, refused=["changed in place", "make a new one"])
class OneOfTwoDictsIsChanged(nn.Module):
    def forward(self, x, flag: bool):
        a = {"p": 1, "q": 2}
        b = a
        if flag:
            b = {"p": 7, "q": 3}
        a["p"] = 9
        return a["p"], b["p"]


@script(X, FLAG, runs=BOTH)
class OneOfTwoListsThatNobodyElseHas(nn.Module):
    def forward(self, x, flag: bool):
        a = [1, 2]
        if flag:
            a = [3, 4]
        a.append(5)
        return len(a), a[0]


FLAG_AND_4 = [(x, num(flag, torch.bool), num(4)) for x in (UP, DOWN) for flag in (True, False)]


@script(X, FLAG, "k=i64[]", runs=FLAG_AND_4, since=13, opsets=SEQUENCES)
class ListsOfAnEarlyReturn(nn.Module):
    """The side that goes on has no result yet: what stands for it has elements of the same rank."""

    def forward(self, x, flag: bool, k: int):
        a = [k, 1, 2]
        n = len(a)
        if flag:
            if bool(x.sum() > -1):
                a = [v + 1 for v in a]
                a.append(n)
            else:
                a.extend([v + 1 for v in a])
                return sum(a)
        return sum(a)
