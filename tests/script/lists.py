"""Lists and tuples: of known length they are host values, else ONNX sequences."""

from typing import List, Tuple

import torch
from torch import nn
from torch.nn import functional as F

from program import ints, rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]


@script(X, runs=SIZES, has_not=["SequenceAt"])
class ListIndex(nn.Module):
    def forward(self, x):
        parts = [x, x + 1, x * 2]
        return parts[1] + parts[-1], len(parts)


@script(X, runs=SIZES, has_not=["SequenceInsert"])
class ListMethods(nn.Module):
    def forward(self, x):
        parts = [x]
        parts.append(x + 1)
        parts.extend([x * 2, x * 3])
        parts.insert(1, x - 7)
        last = parts.pop()
        first = parts.pop(0)
        parts.reverse()
        other = parts.copy()
        parts.clear()
        return torch.stack(other), last - first, len(parts)


@script(X, runs=SIZES)
class ListOperators(nn.Module):
    def forward(self, x):
        a = [x, x + 1] + [x + 2]
        sizes = [1] * 2 + [3]
        return torch.cat(a[1:]), torch.cat(a[:2] * 2), x.repeat(sizes)


@script(X, runs=SIZES)
class ListOfInts(nn.Module):
    def forward(self, x):
        k = [5, 3, 9, 1]
        k.sort()
        total = sum(k) + max(k) - min(k)
        found = 3 in k
        if found and k.index(9) == 3:
            x = x * total
        return x + k[0], k.count(3)


@script(X, runs=SIZES)
class Comprehension(nn.Module):
    def forward(self, x):
        parts = [x * k for k in range(3)]
        wide = [p + 1 for p in parts]
        return torch.cat(wide, 1)


@script(X, runs=SIZES)
class ListAlias(nn.Module):
    """Two variables are one list."""

    def forward(self, x):
        a = [x]
        b = a
        b.append(x + 1)
        a[0] = x * 3
        return b[0] + a[1], len(a)


@script(X, runs=SIZES)
class ListUnpack(nn.Module):
    def forward(self, x):
        parts = torch.split(x, [1, 3], dim=1)
        a, b = parts
        (c, d), e = (a, b), 5
        return c * 2, d + e


@script(X, runs=SIZES)
class ListOfLists(nn.Module):
    def forward(self, x):
        rows: List[List[torch.Tensor]] = [[x, x + 1], [x * 2]]
        rows[1].append(x * 3)
        out: List[torch.Tensor] = []
        for row in rows:
            for part in row:
                out.append(part)
        return torch.stack(out)


@script(X, runs=SIZES)
class ListOfTuples(nn.Module):
    def forward(self, x):
        pairs: List[Tuple[torch.Tensor, int]] = [(x, 2), (x + 1, 3)]
        total = x
        for part, k in pairs:
            total = total + part * k
        return total


@script(X, runs=SIZES)
class ListDelete(nn.Module):
    def forward(self, x):
        parts = [x, x + 1, x + 2]
        del parts[1]
        return torch.cat(parts)


@script(X, runs=SIZES)
class ListEquality(nn.Module):
    def forward(self, x):
        if [1, 2] == [1, 2] and [1] != [2]:
            x = x + 1
        return x


@script(X, runs=SIZES)
class ListAttribute(nn.Module):
    scales: List[float]
    widths: List[int]

    def __init__(self):
        super().__init__()
        self.scales = [0.5, 2.0]
        self.widths = [1, 3]

    def forward(self, x):
        for s in self.scales:
            x = x * s + 1
        return x.split(self.widths, 1)[1]


@script(X, runs=SIZES)
class TensorOfNumbers(nn.Module):
    def forward(self, x):
        a = torch.tensor([1.5, 2.0, 3.0, 4.0])
        b = torch.tensor([[1, 2], [3, 4]])
        c = torch.tensor([True, False])
        return x * a, b, c


@script(X, runs=SIZES)
class TensorOfFreeNumbers(nn.Module):
    def forward(self, x):
        return torch.tensor([x.size(0), 4, x.size(0) * 2]), torch.tensor([float(x.sum()), 1.0])


@script(X, runs=SIZES)
class AnyAll(nn.Module):
    def forward(self, x):
        flags = [x.size(1) == 4, x.dim() == 2]
        if all(flags) and any([False, True]):
            x = x + 1
        return x


@script("xs.0=f32[n,4]", "xs.1=f32[n,4]", runs=[([rand(2, 4), rand(2, 4)],), ([rand(5, 4), rand(5, 4)],)])
class ListInput(nn.Module):
    """An input list of known length is one input for each element."""

    def forward(self, xs: List[torch.Tensor]):
        return torch.cat(xs, 1) * len(xs), xs[0] - xs[1]


@script(
    "xs=list[f32[m,4]]",
    runs=[([rand(2, 4), rand(2, 4)],), ([rand(3, 4)],), ([rand(1, 4)] * 5,)],
    has=["Loop"],
    since=11,
)
class SequenceInput(nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        total = torch.zeros(4)
        for x in xs:
            total = total * 0.5 + x.sum(0)
        return total, len(xs)


@script(
    "xs=list[f32[m,4]]",
    runs=[([rand(2, 4), rand(2, 4)],), ([rand(3, 4)],)],
    has=["ConcatFromSequence", "SequenceAt"],
    has_not=["Loop"],
    since=11,
)
class SequenceCat(nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        return torch.cat(xs), xs[-1] + xs[0], len(xs)


@script(
    "xs=list[f32[2,4]]",
    runs=[([rand(2, 4), rand(2, 4)],), ([rand(2, 4)] * 4,)],
    has=["ConcatFromSequence"],
    since=11,
)
class SequenceStack(nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        return torch.stack(xs, 1)


@script(
    "xs=list[f32[m,4]]",
    runs=[([rand(2, 4), rand(2, 4)],), ([rand(3, 4)],)],
    sequences=(0,),
    since=13,
)
class SequenceOutput(nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        out: List[torch.Tensor] = []
        for x in xs:
            out.append(x * 2)
        return out


@script(X, runs=SIZES, since=13, sequences=(0,), has=["SequenceInsert"])
class SequenceOfSlices(nn.Module):
    """The elements' sizes differ, so no scan: a sequence."""

    def forward(self, x):
        out: List[torch.Tensor] = []
        for k in range(x.size(0)):
            out.append(x[: k + 1])
        return out, len(out)


@script(X, "k=i64[]", runs=[(rand(3, 4), 1), (rand(5, 4), 4)], has=["SequenceAt"], since=11)
class SequenceIndex(nn.Module):
    """A list of known length at an index that the run gives."""

    def forward(self, x, k: int):
        parts = [x, x + 1, x * 2, x.exp(), -x]
        return parts[k]


@script(X, runs=[(rand(3, 4),), (rand(6, 4),)], since=11, sequences=(0,), has=["SplitToSequence"])
class SplitFree(nn.Module):
    """How many parts there are depends on the run."""

    def forward(self, x):
        return torch.split(x, 2)


@script(X, runs=[(rand(1, 4),), (rand(2, 4),), (rand(6, 4),)], since=11, sequences=(2,))
class PiecesOfNothing(nn.Module):
    """An axis that may be empty: `chunk` gives as many empty pieces as were asked for, `split` gives one."""

    def forward(self, x):
        rest = x[1:]
        none, other = x[:, :0].chunk(2, 1)
        return rest.chunk(2)[-1], rest.split(2)[-1], rest.chunk(3), none, other


@script(X, runs=[(rand(3, 4),), (rand(6, 4),)], since=11, sequences=(0,), has=["SplitToSequence"])
class UnbindFree(nn.Module):
    def forward(self, x):
        return x.unbind(0)


@script("x=f32[3,3]", runs=[(rand(3, 3),)], has_not=["SplitToSequence"])
class UnbindKnown(nn.Module):
    """`unbind` of the documentation, that it says is not exportable."""

    def forward(self, x):
        return x.unbind(0)


@script("x=f32[3,n]", runs=[(rand(3, 3),), (rand(3, 5),)], has=["Split"])
class DocumentationSplit(nn.Module):
    def forward(self, x):
        return [torch.squeeze(out, 0) for out in torch.split(x, [1, 1, 1], dim=0)]


@trace("x=f32[3,n]", runs=[(rand(3, 3),), (rand(3, 5),)])
class DocumentationSplitTraced(nn.Module):
    def forward(self, x):
        return [torch.squeeze(out, 0) for out in torch.split(x, [1, 1, 1], dim=0)]


@script(X, runs=[(rand(3, 4),), (rand(6, 4),)], since=11)
class StackOfUnbind(nn.Module):
    def forward(self, x):
        return torch.stack(x.unbind(0), 1)


@script(X, runs=SIZES)
class ChunkKnown(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, 1)
        parts = torch.chunk(x, 3, 1)
        return a * b, len(parts)


@script(X, runs=SIZES)
class ListOutput(nn.Module):
    """A list of known length is one output for each element."""

    def forward(self, x):
        return [x + 1, x * 2], [x.sum()]


@script(X, runs=SIZES)
class TupleNested(nn.Module):
    def forward(self, x):
        pair = (x, (x + 1, 3))
        a, (b, k) = pair
        return (a * k, (b, [a, b])), pair[1][1]


@script(
    "t.0=f32[n]",
    "t.1.0=f32[n]",
    "t.1.1=f32[]",
    runs=[((rand(3), (rand(3), rand())),), ((rand(5), (rand(5), rand())),)],
)
class TupleInput(nn.Module):
    def forward(self, t: Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]):
        a, (b, c) = t
        return a * b + c


@script(X, "ks.0=2", "ks.1=3", runs=[(rand(3, 4), [2, 3]), (rand(5, 4), [2, 3])])
class IntListInput(nn.Module):
    def forward(self, x, ks: List[int]):
        return x.repeat(ks)


@script(X, runs=SIZES)
class ListPassedToMethod(nn.Module):
    """A callee changes the caller's list."""

    def add_parts(self, parts: List[torch.Tensor], x: torch.Tensor) -> int:
        parts.append(x * 2)
        parts[0] = x + 5
        return len(parts)

    def forward(self, x):
        parts = [x]
        k = self.add_parts(parts, x)
        return torch.cat(parts) * k


@script("x=i64[n]", runs=[(ints(3, 1, 2),), (ints(4, 5),)])
class ToList(nn.Module):
    """Slices and a loop over a list of sizes."""

    def forward(self, x):
        sizes = list(x.shape)
        out: List[int] = []
        for s in sizes + [7]:
            out.append(s * 2)
        return torch.zeros(out[0], 2), out[1]


@script(X, runs=SIZES)
class StringList(nn.Module):
    def forward(self, x):
        names = ["a", "b", "c"]
        for k, name in enumerate(names):
            if name == "b":
                x = x + k
        return x * len(",".join(names))


@script("xs=list[f32[n,4]]", runs=[([rand(2, 4), rand(3, 4)],), ([rand(1, 4)],)], since=13, has=["Loop"])
class PadBatch(nn.Module):
    """nested_tensor / pad_sequence of a list of the run."""


    def forward(self, xs: List[torch.Tensor]):
        longest = 0
        for t in xs:
            longest = max(longest, t.size(0))
        out: List[torch.Tensor] = []
        for t in xs:
            out.append(F.pad(t, [0, 0, 0, longest - t.size(0)]))
        return torch.stack(out), longest


@script(X, "k=i64[]", runs=[(rand(3, 4), 4), (rand(2, 4), 3), (rand(1, 4), 1)], has=["Loop"], since=13)
class NumbersOfRunLength(nn.Module):
    """Asks about a whole list of numbers whose length is known only at run time."""

    def forward(self, x, k: int):
        squares: List[int] = []
        means: List[float] = []
        flags: List[bool] = []
        for j in range(k):
            squares.append((j - 1) * (j - 1))
            means.append(float(x[0, j]) * 2)
            flags.append(j > 0)
        squares[-1] = squares[-1] + 7
        total = sum(squares) + max(squares) * 10 + min(squares) * 100
        return total, sum(means), max(means), any(flags), all(flags), torch.tensor(squares[1:]), x * squares[k // 2]


@script(X, "k=i64[]", runs=[(rand(3, 4), 4), (rand(2, 4), 3), (rand(1, 4), 1)], has=["Loop"], since=13)
class SliceOfRunLength(nn.Module):
    def forward(self, x, k: int):
        parts: List[torch.Tensor] = []
        for j in range(k):
            parts.append(x * j)
        stacked = torch.cat(parts[: k - 1] + [x])
        parts.insert(0, x - 1)
        parts[-1] = x * 9
        parts[-k] = x + 5
        return stacked, torch.cat(parts[1:]), torch.stack(parts[::2]).sum(0), len(parts[-2:])


@script("x=f32[3,n]", runs=[(rand(3, 6),), (rand(3, 7),), (rand(3, 2),)], since=13, has_not=["SplitToSequence"])
class ChunksOfAFreeAxis(nn.Module):
    """Two chunks there are for any size but 1, and as many sections as are asked for."""

    def forward(self, x):
        a, b = torch.chunk(x, 2, 1)
        c, d, e = torch.tensor_split(x, 3, 1)
        return a * 2, b, c + 1, d, e * 3


@script("x=f32[n]", runs=[(rand(7),), (rand(5),), (rand(9),)], since=11)
class ChunksAreViews(nn.Module):
    """Writes before and after the list is unpacked reach its elements and the tensor."""

    def forward(self, x):
        y = x * 2
        parts = y.chunk(3)
        y.add_(1)
        a, b, c = parts
        b.mul_(3)
        return a + 1, b, c, y


TABLES = [(rand(3, 4),), (rand(5, 2),), (rand(4, 4),)]


@script("x=f32[n,m]", runs=TABLES, since=11)
class SearchesOfOpenNumbers(nn.Module):
    """The length is known, and the numbers are known only at run time."""

    def forward(self, x):
        sizes = [x.size(0), x.size(1), 4]
        sums = [float(x.size(0)), 2.0, 4.0]
        truths = [x.size(0) == 4, x.size(1) == 4]
        kept = [7, x.size(1), x.size(0), x.size(1)]
        kept.remove(x.size(1))
        return (
            (sizes.count(4), sizes.count(x.size(1)), sums.count(4.0), truths.count(True)),
            (4 in sizes, x.size(1) in [2, 7], 4.0 in sums),
            (sizes.index(4), sizes.index(x.size(1)), sums.index(4.0)),
            (kept[0], kept[1], kept[2], len(kept)),
        )


@script("x=f32[n,m]", runs=TABLES, since=11)
class OrderOfOpenNumbers(nn.Module):
    def forward(self, x):
        sizes = [x.size(0), x.size(1), 4, 3]
        ordered = sorted(sizes)
        same = sizes
        same.sort(reverse=True)
        sums = [float(x.sum()), -2.5, float(x.max())]
        sums.sort()
        truths = [x.size(0) == 4, x.size(1) == 4, True]
        truths.sort()
        return ordered[0], ordered[1], ordered[3], sizes[0], sizes[3], sums[0], sums[2], truths[0], truths[1]


@script("x=i64[n]", runs=[(ints(3, 1, 2, 1),), (ints(1),), (ints(5, 1, 9, 9, 0),)], since=11)
class SearchesOfOpenLists(nn.Module):
    """The length is known only at run time."""

    def forward(self, x):
        stacked: List[int] = x.tolist()
        appended: List[float] = []
        for i in range(x.size(0)):
            appended.append(float(x[i]) / 2)
        ordered = sorted(stacked)
        found = stacked.count(1), 9 in stacked, stacked.index(1)
        halves = appended.count(4.5), 0.5 in appended, appended.index(0.5)
        stacked.remove(1)
        appended.sort(reverse=True)
        return found, halves, ordered[0], ordered[-1], len(stacked), sum(stacked), appended[0], appended[-1]
