"""Optional, Union and isinstance."""

from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import nn

from program import rand, script

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
SIGNS = [(rand(3, 4).abs(),), (-rand(5, 4).abs(),)]


@script(X, runs=SIZES, has_not=["If"])
class OptionalLeftOut(nn.Module):
    def forward(self, x, bias: Optional[torch.Tensor] = None):
        if bias is not None:
            x = x + bias
        return x * 2


@script(X, "bias=f32[4]", runs=[(rand(3, 4), rand(4)), (rand(5, 4), rand(4))], has_not=["If"])
class OptionalGiven(nn.Module):
    def forward(self, x, bias: Optional[torch.Tensor] = None):
        if bias is not None:
            x = x + bias
        return x * 2


@script(X, "bias=none", runs=[(rand(3, 4), None), (rand(5, 4), None)], has_not=["If"])
class OptionalNone(nn.Module):
    def forward(self, x, bias: Optional[torch.Tensor]):
        if bias is None:
            bias = x.mean(0)
        return x - bias


@script(X, "k=3", runs=[(rand(3, 4), 3), (rand(5, 4), 3)])
class OptionalInt(nn.Module):
    def forward(self, x, k: Optional[int] = None):
        if k is None:
            k = 7
        return x * k


@script(X, runs=SIZES)
class OptionalAttribute(nn.Module):
    bias: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.bias = None
        self.scale: Optional[float] = 0.25

    def forward(self, x):
        bias = self.bias
        if bias is not None:
            x = x + bias
        scale = self.scale
        if scale is not None:
            x = x * scale
        return x


@script(X, runs=SIZES)
class OptionalFromFunction(nn.Module):
    def pick(self, x, k: int) -> Optional[torch.Tensor]:
        if k > 2:
            return x + k
        return None

    def forward(self, x):
        a = self.pick(x, 3)
        b = self.pick(x, 1)
        assert a is not None
        if b is None:
            return a
        return a + b


@script(X, runs=SIZES)
class OptionalList(nn.Module):
    def forward(self, x):
        parts: List[Optional[torch.Tensor]] = [x, None, x + 1]
        total = x
        for p in parts:
            if p is not None:
                total = total + p
        return total


@script(X, runs=SIGNS, has=["If"])
class OptionalSetInBothBranches(nn.Module):
    """None before the branch, a tensor after it."""

    def forward(self, x):
        y: Optional[torch.Tensor] = None
        if x.sum() > 0:
            y = x + 1
        else:
            y = x - 1
        assert y is not None
        return y


@script(X, runs=SIZES)
class AnnotateNone(nn.Module):
    def forward(self, x):
        y = torch.jit.annotate(Optional[torch.Tensor], None)
        if y is None:
            y = x
        return y + 1


@script(X, "k=2", runs=[(rand(3, 4), 2), (rand(5, 4), 2)], has_not=["If"])
class UnionInput(nn.Module):
    def forward(self, x, k: Union[int, torch.Tensor]):
        if isinstance(k, int):
            return x * k
        return x + k


@script(X, "k=f32[4]", runs=[(rand(3, 4), rand(4)), (rand(5, 4), rand(4))], has_not=["If"])
class UnionInputTensor(nn.Module):
    def forward(self, x, k: Union[int, torch.Tensor]):
        if isinstance(k, int):
            return x * k
        return x + k


# `isinstance(x, list)` says nothing of the elements; a list is never taken for a tensor
@script(X, runs=SIZES, has_not=["If"])
class UnionOfTensorAndList(nn.Module):
    def scales(self, x) -> Union[torch.Tensor, List[torch.Tensor]]:
        if x.dim() == 2:
            return [x, x * 2, x[:, 1:]]
        return x

    def head(self, x: Union[torch.Tensor, List[torch.Tensor]]):
        if isinstance(x, list):
            return torch.stack([part[:, 0] for part in x], dim=1)
        return x[:, 0]

    def forward(self, x):
        return self.head(self.scales(x)), self.head(self.scales(x.unsqueeze(-1)))


@script(X, runs=SIZES, has_not=["If"])
class IsAnyTuple(nn.Module):
    def describe(self, v: Any) -> int:
        if isinstance(v, tuple):
            return 1
        elif isinstance(v, list):
            return 2
        return 3

    def forward(self, x):
        return x + (self.describe((x, 1)) + 10 * self.describe([x]) + 100 * self.describe(x))


@script(X, runs=SIZES, has_not=["If"])
class IsInstance(nn.Module):
    def describe(self, v: Any) -> int:
        if isinstance(v, torch.Tensor):
            return 1
        elif isinstance(v, int):
            return 2
        elif torch.jit.isinstance(v, List[int]):
            return 3
        elif torch.jit.isinstance(v, Tuple[int, str]):
            return 4
        return 5

    def forward(self, x):
        k = self.describe(x) + 10 * self.describe(3) + 100 * self.describe([1, 2]) + 1000 * self.describe((1, "a"))
        return x + k


@script(X, runs=SIZES)
class OptionalInLoop(nn.Module):
    """None before the first iteration: the loop is unrolled or its first iteration taken out."""

    def forward(self, x):
        previous: Optional[torch.Tensor] = None
        for k in range(3):
            if previous is None:
                previous = x
            else:
                previous = previous * 2 + x
        assert previous is not None
        return previous


LENGTHS = [(rand(3, 4),), (rand(1, 4),), (rand(2, 4),)]


@script(X, runs=LENGTHS, has=["Loop:1"], has_not=["If"], since=13)
class OptionalStateOfLoop(nn.Module):
    """A free axis has an element, so there is a first iteration: it is made before the Loop."""

    def step(self, x, state: Optional[Tuple[torch.Tensor, torch.Tensor]]) -> Tuple[torch.Tensor, torch.Tensor]:
        if state is None:
            state = (torch.zeros_like(x), torch.ones_like(x))
        return state[0] + x, state[1] * 2

    def forward(self, x):
        state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
        outs: List[torch.Tensor] = []
        for k in range(x.size(0)):
            state = self.step(x[k] * k, state)
            outs.append(state[0])
        assert state is not None
        return torch.stack(outs), state[0], state[1]


@script(X, runs=LENGTHS, has=["Loop:1"], since=11)
class DictFilledByFirstIteration(nn.Module):
    def forward(self, x):
        best: Dict[str, torch.Tensor] = {}
        for k in range(x.size(0)):
            row = x[k]
            if "row" in best:
                row = torch.max(row, best["row"])
            best["row"] = row
        return best["row"]


@script(X, "n=i64[]", runs=[(rand(3, 4), 2)], refused=["`last` is None before an iteration", "set it before", "zeros"])
class OptionalStateOfLoopThatMayNotRun(nn.Module):
    def forward(self, x, n: int):
        last: Optional[torch.Tensor] = None
        for k in range(n):
            last = x * k if last is None else last + x
        return x if last is None else last


@script(X, "mask=bool[n]", runs=[(rand(3, 4), rand(3) > 0), (rand(5, 4), rand(5) > 0)])
class OptionalChained(nn.Module):
    """Handed on through two calls."""

    def inner(self, x, mask: Optional[torch.Tensor]):
        if mask is not None:
            x = x * mask.unsqueeze(1)
        return x

    def forward(self, x, mask: Optional[torch.Tensor] = None):
        return self.inner(x, mask) + self.inner(x, None)


@script(X, runs=SIGNS, has=["If:1"])
class OptionalDecidedByRun(nn.Module):
    """The code after the first `if` is in both its sides, where `bias` is certainly None or certainly a tensor."""

    def forward(self, x):
        bias: Optional[torch.Tensor] = None
        if x.sum() > 0:
            bias = x.mean(0)
        y = x * 2
        if bias is not None:
            y = y + bias
        return y


@script(X, runs=SIGNS, has=["If:1"])
class EarlyReturnOnNone(nn.Module):
    def forward(self, x):
        y: Optional[torch.Tensor] = None
        if x.sum() > 0:
            y = x + 1
        if y is None:
            return x
        return y * 2


@script(X, runs=SIGNS, has=["If:1"])
class TextDecidedByRun(nn.Module):
    def forward(self, x):
        mode = "up" if bool(x.sum() > 0) else "down"
        y = x + 1
        if mode == "up":
            y = y * 3
        return y, y.sum(0)


@script(X, "bias=f32[4]", runs=[(x[0], rand(4)) for x in SIGNS], has=["If:3"])
class OptionalDecidedTwice(nn.Module):
    """The second `if` is in both sides of the first."""

    def forward(self, x, bias):
        first: Optional[torch.Tensor] = None
        second: Optional[int] = None
        if x.sum() > 0:
            first = bias
        if first is None:
            y = x - bias
        else:
            y = x * first
        if x.max() > 1e6:
            second = 2
        return y if second is None else y * second


@script(X, runs=SIGNS, has=["If:1"])
class ConditionKnownInside(nn.Module):
    """In a side of an `if` its condition needs no second If."""

    def forward(self, x):
        flag = bool(x.sum() > 0)
        y = x + 1
        if flag:
            y = y * 2
            if flag:
                y = y - 3
        else:
            if not flag:
                y = y / 2
        return y


@script(X, runs=SIGNS, has=["If:1"])
class ReturnWhenNone(nn.Module):
    def forward(self, x):
        y: Optional[torch.Tensor] = None
        if x.sum() > 0:
            y = x + 1
        if y is None:
            return x
        return y * 2


@script("x=f32[n,4]", runs=SIZES, has=["If"])
class OptionalState(nn.Module):
    def step(
        self, x: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]]
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        if state is None:
            z = torch.zeros_like(x)
            state = (z, z)
        h, c = state
        c = c + x
        h = torch.tanh(c) + h
        return h, (h, c)

    def forward(self, x):
        y, s = self.step(x, None)
        if x.mean() > 0:
            y, s = self.step(y, s)
        return y, s
