"""`for` and `while`: unrolled when small and known, else ONNX Loop."""

from typing import Dict, List, Tuple

import torch
from torch import nn

from program import OPSETS, num, rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),), (rand(1, 4),)]
ALL_OPSETS = (7, 8) + OPSETS
COUNTS = [(rand(2, 3), 5), (rand(2, 3), 9), (rand(2, 3), 0), (rand(2, 3), 1)]


@script(X, runs=SIZES, has_not=["Loop"])
class ForFewTimes(nn.Module):
    def forward(self, x):
        for k in range(4):
            x = x * 2 - k
        return x


@script(X, runs=SIZES, has=["Loop:1"], since=7, opsets=ALL_OPSETS)
class ForManyTimes(nn.Module):
    def forward(self, x):
        for k in range(1000):
            x = x * 0.99 + k
        return x


@script(
    "x=i64[2,3]",
    "y=i64[]",
    runs=[(torch.ones(2, 3, dtype=torch.int64), num(k)) for k in (5, 9, 0, 1)],
    has=["Loop:1"],
    since=7,
    opsets=ALL_OPSETS,
)
class DocumentationLoop(nn.Module):
    """The loop of PyTorch's ONNX documentation, at other counts."""

    def forward(self, x, y):
        for i in range(int(y)):
            x = x + i
        return x


@torch.jit.script
def documentation_loop(x, y):
    for i in range(int(y)):
        x = x + i
    return x


@trace(
    "x=i64[2,3]",
    "y=i64[]",
    runs=[(torch.ones(2, 3, dtype=torch.int64), num(k)) for k in (5, 9, 0)],
    has=["Loop:1"],
)
class DocumentationLoopTraced(nn.Module):
    """The same, a scripted function inside a traced module."""

    def forward(self, x, y):
        return documentation_loop(x, y)


@script("x=f32[2,3]", "k=i64[]", runs=COUNTS, has=["Loop:1"])
class ForIntInput(nn.Module):
    def forward(self, x, k: int):
        for j in range(k):
            x = x + j
        return x


@script(X, runs=SIZES, has=["Loop:1"])
class ForFreeSize(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for j in range(x.size(0)):
            total = total * 0.5 + x[j]
        return total


@script("x=f32[3,4]", runs=[(rand(3, 4),)], has_not=["Loop"])
class ForRowsKnown(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for row in x:
            total = total * 0.5 + row
        return total


@script(X, runs=SIZES, has=["Loop"])
class ForRowsFree(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for row in x:
            total = total * 0.5 + row
        return total


@script(X, runs=[(rand(2, 4).abs() + 0.1,), (rand(3, 4).abs() * 9 + 1,), (rand(3, 4).abs() + 999,)], has=["Loop:1"])
class WhileOnData(nn.Module):
    def forward(self, x):
        while bool(x.sum() < 100):
            x = x * 2
        return x


@script("x=f32[2,3]", "k=i64[]", runs=COUNTS, has=["Loop:1"])
class WhileCounts(nn.Module):
    def forward(self, x, k: int):
        j = 0
        while j < k:
            x = x + j
            j += 2
        return x, j


@script(X, runs=SIZES, has_not=["Loop"])
class WhileKnown(nn.Module):
    def forward(self, x):
        j = 1
        while j < 10:
            x = x + j
            j *= 2
        return x


@script("x=f32[2,3]", "k=i64[]", runs=COUNTS, has=["Loop:1"])
class WhileOnBoth(nn.Module):
    def forward(self, x, k: int):
        j = 0
        while j < k and bool(x.sum() < 20):
            x = x + j
            j += 1
        return x, j


@script(X, runs=[(rand(3, 4),), (rand(2, 4) + 9,), (rand(2, 4) - 99,)], has=["Loop"])
class Break(nn.Module):
    def forward(self, x):
        count = 0
        for j in range(20):
            if x.sum() > 50:
                break
            x = x + 1
            count = j
        return x, count


@script("x=f32[2,3]", "k=i64[]", runs=COUNTS, has=["Loop"], since=10)
class Continue(nn.Module):
    def forward(self, x, k: int):
        for j in range(k):
            if j % 3 == 1:
                continue
            x = x + j
        return x


@script(X, runs=[(rand(3, 4),), (rand(2, 4) + 9,), (rand(2, 4) - 99,)], has=["Loop"], since=11)
class BreakAndContinue(nn.Module):
    def forward(self, x):
        for j in range(x.size(0) * 5):
            if j == 2:
                continue
            x = x + 1
            if x.max() > 6:
                break
            x = x * 1.5
        return x


@script("x=f32[n,m]", runs=[(rand(2, 3),), (rand(4, 2),)], has=["Loop:2"])
class NestedLoops(nn.Module):
    def forward(self, x):
        total = torch.zeros(1)
        for j in range(x.size(0)):
            for k in range(x.size(1)):
                total = total * 0.9 + x[j, k] * (j + 1)
            total = total + 1
        return total


@script("x=f32[n,m]", runs=[(rand(2, 3),), (rand(4, 2),), (rand(1, 6),)], has=["Loop:2"])
class NestedLoopInnerDepends(nn.Module):
    """The inner trip count is the outer iteration."""

    def forward(self, x):
        total = torch.zeros(1)
        for j in range(x.size(0)):
            for k in range(j + 1):
                total = total * 0.9 + x[j].sum() + k
        return total


@script(X, runs=SIZES, has=["Loop", "If"])
class LoopWithIf(nn.Module):
    def forward(self, x):
        y = torch.zeros(4)
        for j in range(x.size(0)):
            if x[j].sum() > 0:
                y = y + x[j]
            else:
                y = y * 0.5
        return y


@script(X, runs=[(rand(3, 4) + 9,), (rand(5, 4) - 9,)], has=["Loop", "If"])
class IfWithLoop(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            for j in range(x.size(0)):
                x = x + j
        else:
            x = x.abs()
        return x


@script(X, runs=SIZES, has=["Loop:1"], has_not=["SequenceInsert"])
class ScanStack(nn.Module):
    """Appended once in each iteration: a scan output."""

    def forward(self, x):
        state = torch.zeros(4)
        outs: List[torch.Tensor] = []
        for j in range(x.size(0)):
            state = torch.tanh(state + x[j])
            outs.append(state)
        return torch.stack(outs), state


@script(X, runs=SIZES, has=["Loop:1"])
class ScanStackLastAxis(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for j in range(x.size(0)):
            outs.append(x[j] * j)
        return torch.stack(outs, dim=-1), len(outs)


@script(X, runs=SIZES, has=["Loop:1"], since=13)
class ScanCat(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for j in range(x.size(0)):
            outs.append(x[j : j + 1] * j)
        return torch.cat(outs, 0)


@script(X, runs=SIZES, has=["Loop"])
class ScanTwoLists(nn.Module):
    def forward(self, x):
        a: List[torch.Tensor] = []
        b: List[torch.Tensor] = []
        for j in range(x.size(0)):
            a.append(x[j] + 1)
            b.append(x[j].sum())
        return torch.stack(a), torch.stack(b)


@script(X, runs=SIZES, has=["Loop"])
class ScanNumbers(nn.Module):
    def forward(self, x):
        outs: List[int] = []
        for j in range(x.size(0)):
            outs.append(j * j)
        return torch.tensor(outs)


@script(X, runs=SIZES, has=["Loop"])
class ScanFloats(nn.Module):
    def forward(self, x):
        outs: List[float] = []
        for j in range(x.size(0)):
            outs.append(float(x[j].sum()) * 0.5)
        return torch.tensor(outs)


@script(X, runs=[(rand(3, 4),), (rand(5, 4),), (rand(2, 4).abs(),)], has=["Loop", "If"], since=13)
class AppendsSometimes(nn.Module):
    """Appended in some iterations only: a carried sequence."""

    def forward(self, x):
        outs: List[torch.Tensor] = [x[0]]
        for j in range(x.size(0)):
            if x[j].sum() > 0:
                outs.append(x[j])
        return torch.stack(outs), len(outs)


@script(X, runs=SIZES, has=["Loop"])
class CarriedInts(nn.Module):
    def forward(self, x):
        a, b = 0, 1
        for _ in range(x.size(0)):
            a, b = b, a + b
        return x * a, b


@script(X, runs=SIZES, has=["Loop"])
class CarriedFloat(nn.Module):
    def forward(self, x):
        rate = 1.0
        for _ in range(x.size(0)):
            rate *= 0.5
            x = x + rate
        return x


@script(X, runs=SIZES, has=["Loop"])
class CarriedBool(nn.Module):
    def forward(self, x):
        seen = False
        for j in range(x.size(0)):
            seen = seen or bool(x[j].sum() > 0)
        return x, seen


@script(X, runs=SIZES, has=["Loop"])
class CarriedGrows(nn.Module):
    """The carried tensor has another size after each iteration."""

    def forward(self, x):
        y = x[:1]
        for j in range(x.size(0)):
            y = torch.cat([y, x[j].unsqueeze(0) + j])
        return y


@script(X, runs=SIZES, has=["Loop"])
class CarriedTuple(nn.Module):
    def forward(self, x):
        state: Tuple[torch.Tensor, torch.Tensor] = (torch.zeros(4), torch.ones(4))
        for j in range(x.size(0)):
            state = (state[1], state[0] + x[j])
        return state


@script(X, runs=SIZES, has=["Loop"])
class CarriedSwaps(nn.Module):
    def forward(self, x):
        a, b = x + 1, x * 2
        for _ in range(x.size(0)):
            a, b = b, a
        return a, b


@script(X, runs=SIZES, has=["Loop"])
class CarriedKnownList(nn.Module):
    """Elements of a list of known length are replaced in the loop."""

    def forward(self, x):
        states = [torch.zeros(4), torch.ones(4)]
        for j in range(x.size(0)):
            states[0] = states[0] + x[j]
            states[1] = states[1] * states[0]
        return states[0], states[1]


@script(X, runs=SIZES + [(rand(4, 4) - 99,)], has=["Loop"])
class ReturnFromLoop(nn.Module):
    def forward(self, x):
        for j in range(x.size(0)):
            if x[j].sum() < 0:
                return x[j] - j
        return x[0] + 100


@script(X, runs=SIZES, has=["Loop"])
class RangeStartStop(nn.Module):
    def forward(self, x):
        total = torch.zeros(1)
        for j in range(1, x.size(0) + 2):
            total = total * 2 + j
        return total


@script(X, runs=SIZES + [(rand(8, 4),)], has=["Loop"])
class RangeStep(nn.Module):
    def forward(self, x):
        total = torch.zeros(1)
        for j in range(1, x.size(0), 2):
            total = total * 2 + j
        return total


@script(X, runs=SIZES + [(rand(8, 4),)], has=["Loop"])
class RangeDown(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for j in range(x.size(0) - 1, -1, -1):
            total = total * 0.5 + x[j]
        return total


@script(X, runs=SIZES, has_not=["Loop"])
class EnumerateList(nn.Module):
    def forward(self, x):
        parts = [x, x + 1, x + 2]
        for j, part in enumerate(parts, 1):
            x = x + part * j
        return x


@script(X, runs=SIZES, has_not=["Loop"])
class ZipLists(nn.Module):
    def forward(self, x):
        for part, k, name in zip([x, x + 1], [2, 3, 4], ["a", "bc"]):
            x = x + part * k + len(name)
        return x


@script(X, runs=SIZES, has=["Loop"])
class EnumerateRows(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for j, row in enumerate(x):
            total = total + row * j
        return total


@script(X, runs=SIZES, has=["Loop"], since=10)
class SliceByIteration(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        for j in range(x.size(0)):
            total = total + x[: j + 1].mean(0)
        return total


@script("x=f32[time,batch,3]", runs=[(rand(4, 2, 3),), (rand(7, 1, 3),)], has=["Loop"], weights=["cell.weight_ih.T"])
class CellOverTime(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 5)

    def forward(self, x):
        h = torch.zeros(x.size(1), 5)
        outs: List[torch.Tensor] = []
        for t in range(x.size(0)):
            h = self.cell(x[t], h)
            outs.append(h)
        return torch.stack(outs), h


@script("start=i64[]", runs=[(num(3),), (num(0),), (num(7),)], has=["Loop"])
class GreedyDecode(nn.Module):
    """Tokens are appended until the end token comes or the limit is reached."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 6)
        self.head = nn.Linear(6, 8)

    def forward(self, start):
        tokens = start.reshape(1)
        while tokens.size(0) < 12:
            logits = self.head(self.embed(tokens).mean(0))
            following = logits.argmax(0, keepdim=True)
            tokens = torch.cat([tokens, following])
            if int(following) == 5:
                break
        return tokens


@script("n=i64[]", runs=[(num(1),), (num(6),), (num(27),)], has=["Loop", "If"], since=10)
class Collatz(nn.Module):
    """A while loop on ints alone."""

    def forward(self, n):
        k = int(n)
        steps = 0
        while k != 1:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            steps += 1
        return steps


@script("x=f32[n,n]", runs=[(rand(4, 4),), (rand(2, 2),)], has=["Loop"])
class PowerIteration(nn.Module):
    def forward(self, x):
        v = torch.ones(x.size(0))
        for _ in range(100):
            v = x @ v
            v = v / v.norm()
        return v.abs()


@script(X, runs=SIZES, has=["Loop"])
class LoopInvariant(nn.Module):
    """A value that does not change stays outside or is captured."""

    def forward(self, x):
        scale = x.abs().max() + 1
        y = x
        for _ in range(x.size(0)):
            y = y / scale
        return y


@script(X, runs=SIZES, has_not=["Loop"])
class LoopDead(nn.Module):
    def forward(self, x):
        y = x
        for _ in range(x.size(0)):
            y = y + 1
        return x * 2


@script(X, runs=[(rand(4, 4),), (rand(2, 4) + 9,)], has=["Loop"])
class LoopInLoopBreaks(nn.Module):
    def forward(self, x):
        total = torch.zeros(1)
        for j in range(x.size(0)):
            for k in range(4):
                if x[j, k] > 0:
                    break
                total = total + x[j, k]
            total = total * 2
        return total


@script("x=f32[n]", runs=[(rand(6),), (rand(3),)], has=["Loop"], since=10)
class BubbleSort(nn.Module):
    """In-place swaps of elements in two loops."""

    def forward(self, x):
        y = x.clone()
        for a in range(y.size(0)):
            for b in range(y.size(0) - 1 - a):
                if y[b] > y[b + 1]:
                    t = y[b].clone()
                    y[b] = y[b + 1]
                    y[b + 1] = t
        return y


@script(X, runs=SIZES, has=["Loop"])
class LoopReturnsIteration(nn.Module):
    """The loop variable is used after the loop."""

    def forward(self, x):
        last = -1
        for last in range(x.size(0)):
            x = x + 1
        return x, last


@script("x=i64[n]", runs=[(torch.tensor([1, 2]),), (torch.tensor([5]),)], has=["Loop"])
class CarriedDtypeSettles(nn.Module):
    """The carried int is a float after the first iteration."""

    def forward(self, x):
        y = x.to(torch.float32)
        for j in range(x.size(0) + 2):
            y = y * 0.5 + j
        return y


@script("x=f32[n,4]", runs=SIZES, has=["Loop"], since=13)
class NestedScan(nn.Module):
    def forward(self, x):
        rows: List[torch.Tensor] = []
        for i in range(x.size(0)):
            cells: List[torch.Tensor] = []
            for j in range(x.size(0)):
                cells.append((x[i] * x[j]).sum())
            rows.append(torch.stack(cells))
        return torch.stack(rows)


@script("x=f32[n,4]", runs=SIZES, has=["Loop"], since=11)
class WhileBool(nn.Module):
    def forward(self, x):
        done = torch.zeros(x.size(0), dtype=torch.bool)
        steps = 0
        y = x.abs() + 1
        while not bool(done.all()) and steps < 20:
            y = torch.where(done.unsqueeze(1), y, y * 0.7)
            done = y.max(dim=1)[0] < 0.5
            steps += 1
        return y, steps


@script("emission=f32[t,4]", runs=[(rand(6, 4),), (rand(1, 4),)], has=["Loop"], since=13)
class Viterbi(nn.Module):
    """CRF decode: scores forward, back pointers backward."""

    def __init__(self):
        super().__init__()
        self.trans = nn.Parameter(rand(4, 4))

    def forward(self, emission):
        score = emission[0]
        history: List[torch.Tensor] = []
        for i in range(1, emission.size(0)):
            total = score.unsqueeze(1) + self.trans + emission[i].unsqueeze(0)
            score, index = total.max(dim=0)
            history.append(index)
        best = score.argmax()
        path = [best]
        for k in range(len(history)):
            best = history[len(history) - 1 - k][best]
            path.append(best)
        path.reverse()
        return torch.stack(path), score.max()


@script(X, runs=SIZES, has=["Loop:1"], since=13)
class LengthOfGrowingList(nn.Module):
    """Reading the list keeps it a sequence."""


    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            outs.append(x[i] * len(outs))
        return torch.stack(outs)


@script(X, runs=SIZES, has=["Loop:1", "If"], since=13)
class LastOfGrowingList(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            if i > 0:
                y = outs[-1] + x[i]
            else:
                y = x[i] * 2
            outs.append(y)
        return torch.stack(outs)


@script(X, runs=SIZES, has=["Loop:1"], since=13)
class ScanReadAfter(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            outs += [x[i] * i]
        last = outs[-1]
        count = len(outs)
        outs.append(last * 2)
        return torch.stack(outs), last, count, len(outs)


@script(X, runs=SIZES, has=["Loop:1"], since=13)
class AppendsTwice(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            outs.append(x[i])
            outs.append(x[i] * 2)
        return torch.stack(outs)


@script(X, runs=SIZES, has=["Loop:1"], since=11)
class AppendsToAlias(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        same = outs
        for i in range(x.size(0)):
            same.append(x[i] + 1)
        return torch.stack(outs), len(same)


@script(X, runs=SIZES, has=["Loop:1"], since=11)
class ScanInBothBranches(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            if x[i].sum() > 0:
                outs.append(x[i])
            else:
                outs.append(-x[i])
        return torch.stack(outs)


@script(X, "k=i64[]", runs=[(rand(3, 4), 2), (rand(5, 4), 5), (rand(1, 4), 1)], has=["Loop:1"], since=11)
class ScanInWhile(nn.Module):
    def forward(self, x, k: int):
        outs: List[torch.Tensor] = []
        counts: List[int] = []
        i = 0
        while i < k:
            outs.append(x[i % x.size(0)] * i)
            counts.append(i * 2)
            i += 1
        return torch.stack(outs, 1), torch.tensor(counts), i


@script(X, runs=SIZES, has=["Loop:1"], since=11)
class ScanHasTheLength(nn.Module):
    """The first size of what was stacked is the trip count, so it adds to x without a look at its shape."""


    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            outs.append(x[i] * i)
        y = torch.stack(outs) + x
        if y.size(0) != x.size(0):
            y = y * 0
        return y


@script(X, runs=SIZES, has=["Loop"], since=13)
class ScanOfLoopInLoop(nn.Module):
    def forward(self, x):
        outs: List[torch.Tensor] = []
        for i in range(x.size(0)):
            for j in range(i + 1):
                outs.append(x[j] * i)
        return torch.stack(outs)


@script(X, runs=SIZES, has=["Loop"], since=11)
class ScanAsAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2
    def collect(self, x, into: Dict[str, List[torch.Tensor]]):
        for i in range(x.size(0)):
            into["a"].append(x[i])
            into["b"].append(x[i] * self.k)

    def forward(self, x):
        d: Dict[str, List[torch.Tensor]] = {"a": [], "b": []}
        self.collect(x, d)
        return torch.stack(d["a"]) + torch.stack(d["b"])


FOUND = [(torch.ones(3, 4),), (-torch.ones(5, 4),), (torch.tensor([[-9.0] * 4, [1.0] * 4]),)]


@script(X, runs=FOUND, has=["Loop"])
class ReturnsConstantFromLoop(nn.Module):
    """Not set before the loop, the same constant whenever it is set."""

    def forward(self, x):
        for k in range(x.size(0)):
            if x[k].sum() > 0.5:
                return 7
        return 3


@script(X, runs=FOUND, has=["Loop"])
class FlagFromLoop(nn.Module):
    def found(self, x) -> bool:
        for k in range(x.size(0)):
            if bool(x[k].sum() > 0.5):
                return True
        return False

    def forward(self, x):
        if self.found(x):
            return x + 1
        return x - 1


@script(X, runs=FOUND, has=["Loop"])
class ReturnsTupleFromLoop(nn.Module):
    def forward(self, x):
        for k in range(x.size(0)):
            if x[k].sum() > 0.5:
                return x[k], k
            if x[k].sum() < -20:
                return x[k] * 0, -k
        return x[0] * 2, 100


@script(X, runs=FOUND, has=["Loop"])
class ReturnsListFromLoop(nn.Module):
    def forward(self, x):
        for k in range(x.size(0)):
            if x[k].sum() > 0.5:
                return [x[k], x[k] + k]
        return [x[0] * 2, x[0]]


@script(X, runs=[(rand(3, 4),), (rand(2, 4) * 9,), (rand(1, 4),)], has=["Loop"], since=13)
class BreaksAndReturnsFromWhile(nn.Module):
    def forward(self, x):
        k = 0
        outs: List[torch.Tensor] = []
        while True:
            x = x * 1.5 + 0.1
            outs.append(x.sum())
            k += 1
            if k >= x.size(0) * 2:
                break
            if x.abs().sum() > 50:
                return torch.stack(outs), -k
        return torch.stack(outs), k


@script("x=f32[3]", "n=i64[]", "m=i64[]", runs=[(rand(3), num(2), num(3)), (rand(3), num(0), num(1))], has=["Loop:2"], since=7,
        opsets=ALL_OPSETS)
class CarriesForNobody(nn.Module):
    """Before opset 11 the inner Loop must carry something, so `a` stays in both, or in none."""

    def forward(self, x, n: int, m: int):
        a = x
        t = x
        for i in range(n):
            rows: List[torch.Tensor] = []
            for j in range(m):
                a = a * 2
                rows.append(t + j)
            t = t + torch.stack(rows).sum(0)
        return t
