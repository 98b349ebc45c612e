"""`if` in all its forms: what is known folds, what only a run decides becomes ONNX If."""

from typing import List, Tuple

import torch
from torch import nn

from program import num, rand, script

X = "x=f32[n,4]"
SIGNS = [(rand(3, 4).abs(),), (-rand(5, 4).abs(),)]


@script(X, runs=SIGNS, has=["If:1"])
class IfOnValue(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            y = x + 1
        else:
            y = x * 3
        return y


@script(X, runs=SIGNS, has=["If:1"])
class IfWithoutElse(nn.Module):
    def forward(self, x):
        y = x
        if x.max() > 0:
            y = y * 2
        return y + x


@script(X, runs=[(rand(2, 4) + 5,), (rand(3, 4) * 0.01,), (rand(4, 4) - 5,)], has=["If:2"])
class IfElifElse(nn.Module):
    def forward(self, x):
        m = x.mean()
        if m > 1:
            y = x.exp()
        elif m > -1:
            y = x.sin()
        else:
            y = x.abs()
        return y


@script(X, runs=[(rand(2, 4) + 5,), (rand(7, 4) + 5,), (rand(4, 4) - 5,)], has=["If:2"])
class IfInsideIf(nn.Module):
    def forward(self, x):
        y = x
        if x.sum() > 0:
            y = y + 1
            if x.size(0) > 3:
                y = y * 2
            y = y - 0.5
        return y


@script(X, runs=SIGNS, has=["If:1"])
class IfTwoTensors(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y, z = x + 1, x[:, 0]
        else:
            y, z = x - 1, x[:, 1] * 2
        return y, z


@script(X, runs=SIGNS, has=["If:1"])
class IfGivesAnInt(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            k = 2
        else:
            k = 5
        return x * k, k


@script(X, runs=SIGNS, has=["If:1"])
class IfGivesAFloat(nn.Module):
    def forward(self, x):
        k = 0.5
        if x.sum() > 0:
            k = 2.25
        return x * k


@script(X, runs=SIGNS)
class IfGivesABool(nn.Module):
    def forward(self, x):
        good = False
        if x.sum() > 0:
            good = True
        return x, good


@script(X, runs=SIGNS, has_not=["If"])
class IfBothTheSame(nn.Module):
    """Both branches give the same number: it is known after the `if`."""

    def forward(self, x):
        if x.sum() > 0:
            k = 2
        else:
            k = 2
        return x.repeat(k, 1)


@script(X, runs=[(rand(2, 4),), (rand(6, 4),)], has=["If:1"])
class IfOnFreeSize(nn.Module):
    def forward(self, x):
        if x.size(0) > 3:
            return x + 1
        return x - 1


@script("x=f32[5,4]", runs=[(rand(5, 4),)], has_not=["If"])
class IfOnKnownSize(nn.Module):
    def forward(self, x):
        if x.size(0) > 3:
            return x + 1
        return x - 1


@script(X, runs=SIGNS, has_not=["If"])
class IfOnRank(nn.Module):
    def forward(self, x):
        if x.dim() == 3:
            y = x.squeeze(0)
        elif x.dim() == 2:
            y = x.unsqueeze(0)
        else:
            y = x
        return y


@script(X, runs=SIGNS, has_not=["If"])
class IfOnDtype(nn.Module):
    def forward(self, x):
        if x.dtype == torch.float64:
            x = x.float()
        if x.is_floating_point():
            x = x + 0.5
        return x


@script(X, runs=SIGNS, has_not=["If"])
class IfOnAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True
        self.training_steps = 3

    def forward(self, x):
        if self.double and self.training_steps > 2:
            x = x * 2
        return x


@script(X, runs=SIGNS, has_not=["If"])
class IfTraining(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * torch.rand_like(x)
        return x + 1


@script(X, runs=SIGNS, has=["If"])
class EarlyReturn(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        y = x * 2
        return y - 1


@script(X, runs=[(rand(2, 4) + 5,), (rand(7, 4) + 5,), (rand(4, 4) - 5,)], has=["If"], since=11)
class EarlyReturnTwice(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            if x.size(0) > 3:
                return x + 1
            x = x * 3
        else:
            return x.abs()
        return x - 1


@script(X, runs=[(rand(3, 4).abs(),), (rand(5, 4).abs(),)], has_not=["If"], remarks=["a check that can only be made"])
class IfRaises(nn.Module):
    """A branch that only raises: what is left is the other one."""

    def forward(self, x):
        if x.sum() < 0:
            raise ValueError("negative sum")
        return x.sqrt()


@script(X, runs=[(rand(3, 4) + 9,), (rand(2, 4) - 9,), (rand(3, 4) * 0,)], has=["If"])
class ShortCircuitAnd(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 1) and bool(x.min() > 0) and x.size(0) > 2:
            return x + 1
        return x


@script(X, runs=[(rand(3, 4) + 9,), (rand(2, 4) - 9,), (rand(5, 4) * 0,)], has=["If"])
class ShortCircuitOr(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 1) or not bool(x.min() < 0):
            return x + 1
        return x


@script(X, runs=SIGNS, has=["If"])
class ConditionalExpression(nn.Module):
    def forward(self, x):
        return x.exp() if x.sum() > 0 else -x


@script("x=i64[n]", runs=[(torch.tensor([3, 1]),), (torch.tensor([1, 1, 2]),)], has=["If"])
class IfOnItem(nn.Module):
    def forward(self, x):
        k = int(x[0])
        if 1 < k < 7:
            return x + k
        return x * 10


@script("x=f32[n,4]", runs=[(rand(2, 4) + 5,), (rand(3, 4) - 5,)], has=["If"], since=11)
class IfDifferentSizes(nn.Module):
    """Both branches have rank 2, their sizes differ and are unknown after it."""

    def forward(self, x):
        if x.sum() > 0:
            y = x[:1]
        else:
            y = torch.cat([x, x])
        return y, y.size(0), y.sum(0)


@script("x=f32[n,4]", "up=bool[]", runs=[(rand(2, 4), True), (rand(3, 4), False)], has=["If:1"])
class IfOnBoolInput(nn.Module):
    def forward(self, x, up: bool):
        if up:
            return x + 1
        return x - 1


@script("x=f32[n,4]", "up=true", runs=[(rand(2, 4), True), (rand(3, 4), True)], has_not=["If"])
class IfOnGivenBool(nn.Module):
    def forward(self, x, up: bool):
        if up:
            return x + 1
        return x - 1


@script("x=f32[n,4]", runs=[(rand(2, 4),), (rand(3, 4),)], has_not=["If"])
class IfOnDefault(nn.Module):
    """A parameter that is not named has its default."""

    def forward(self, x, up: bool = False, k: int = 3):
        if up:
            return x + 1
        return x * k


@script("x=f32[n,4]", "k=i64[]", runs=[(rand(2, 4), 3), (rand(3, 4), -2)], has=["If"])
class IfOnIntInput(nn.Module):
    def forward(self, x, k: int):
        if k > 0:
            return x + k
        return x - 1


@script(X, runs=SIGNS, has=["If"])
class IfTupleResult(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            pair = (x + 1, 3)
        else:
            pair = (x - 1, 4)
        return pair[0] * pair[1]


@script(X, runs=SIGNS, has=["If"])
class IfAppends(nn.Module):
    """Both branches append one: the list's length stays known."""

    def forward(self, x):
        parts: List[torch.Tensor] = [x]
        if x.sum() > 0:
            parts.append(x + 1)
        else:
            parts.append(x - 1)
        return torch.stack(parts), len(parts)


@script(X, runs=SIGNS, has=["If"], since=13)
class IfAppendsOnOneSide(nn.Module):
    """The list's length depends on the run: a sequence."""

    def forward(self, x):
        parts: List[torch.Tensor] = [x]
        if x.sum() > 0:
            parts.append(x + 1)
        return torch.cat(parts), len(parts)


@script(X, runs=SIGNS, has=["If"], weights=["up.weight", "up.bias", "down.weight.T"])
class IfWithWeights(nn.Module):
    """Weights stand in the outer graph, under their state_dict names."""

    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 3)
        self.down = nn.Linear(4, 3, bias=False)

    def forward(self, x):
        if x.sum() > 0:
            y = self.up(x)
        else:
            y = self.down(x)
        return y


@script(X, runs=SIGNS, has=["If"])
class IfCapturesEarlier(nn.Module):
    """A branch reads values computed before it, one of them only there."""

    def forward(self, x):
        a = x.exp()
        b = a + 1
        if x.sum() > 0:
            c = a * b
        else:
            c = x
        return c


@script(X, runs=SIGNS, has=["If"])
class IfPassesValueThrough(nn.Module):
    def forward(self, x):
        y = x + 1
        z = x + 2
        if x.sum() > 0:
            y, z = z, y
        return y, z


@script("x=f32[n,4]", "c=bool[]", runs=[(rand(2, 4), num(True, torch.bool)), (rand(3, 4), num(False, torch.bool))])
class IfOnTensorInput(nn.Module):
    def forward(self, x, c):
        if c:
            x = x + 1
        return x * 2


@script("x=i64[n]", runs=[(torch.tensor([3, 1]),), (torch.tensor([0, 0, 0]),)], has=["If"])
class IfOnIntTensor(nn.Module):
    """A tensor of ints as the condition: not zero."""

    def forward(self, x):
        if x.sum():
            return x + 1
        return x - 1


@script("x=f32[n,4]", runs=[(rand(3, 4),), (rand(1, 4),), (rand(8, 4),)], since=11)
class IfOnEvenSize(nn.Module):
    def forward(self, x):
        half = x.size(0) // 2
        if x.size(0) % 2 == 0:
            y = x[:half]
        else:
            y = x[half:]
        return y * 2


@script(X, runs=SIGNS, has_not=["If"])
class IfDeadAfterwards(nn.Module):
    """Nobody uses what the branches computed."""

    def forward(self, x):
        y = x
        if x.sum() > 0:
            y = x.exp()
        return x + 1


@script(X, runs=SIGNS, has=["If"])
class IfResultDtypes(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            k = (x > 0).sum(1)
        else:
            k = x.argmax(1)
        return k


@script(X, runs=SIGNS, has=["If"])
class RankDecidedByRun(nn.Module):
    """Another rank on either side: what follows is exported on both."""

    def forward(self, x):
        if x.sum() > 0:
            y = x.unsqueeze(0)
        else:
            y = x
        if y.dim() == 3:
            y = y.squeeze(0) * 2
        return y + 1


@script(X, runs=SIGNS, has=["If"])
class DtypeDecidedByRun(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y = x.long()
        else:
            y = x
        return (y * 2).sum().float()


@script(X, runs=SIGNS, has=["If"])
class LengthDecidedByRun(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            parts = [x, x + 1]
        else:
            parts = [x - 1]
        total = parts[0] * len(parts)
        for part in parts:
            total = total + part
        return total


LEVELS = [(rand(2, 4).abs() + 2,), (rand(3, 4).abs() * 0.1,), (-rand(4, 4).abs() - 2,), (-rand(2, 4).abs() * 0.1,)]


@script(X, runs=LEVELS, has=["If"], since=11)
class EarlyReturnOfContainers(nn.Module):
    """A value that only one side of a nested `if` makes leaves it through the If."""

    def pick(self, x) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        if x.sum() > 0:
            if x.max() > 1:
                return x, [x, x]
            y = x * 2
        else:
            if x.min() < -1:
                return x + 1, [x, x * 3]
            y = x * 5
        return y, [y, y + 1]

    def forward(self, x):
        a, b = self.pick(x)
        return a, b[0], b[1]


@script("x=f32[2,3,4]", runs=[(rand(2, 3, 4),)], has_not=["If"])
class IfContiguous(nn.Module):
    def digits(self, tensors: List[torch.Tensor]):
        number = 0
        for x in tensors:
            number = 2 * number + (1 if x.is_contiguous() else 0)
        return number

    def forward(self, x):
        y = x.transpose(1, 2)
        z = x.clone()
        z.transpose_(0, 1)
        p = x.unsqueeze(1)
        q = p.transpose(1, 3)
        views = self.digits([x, y, y.contiguous(), z, x[:, :2], x[:1], x[1], x[:, 1], x.flatten(1), y.reshape(-1), x + 1])
        formats = [
            p.is_contiguous(memory_format=torch.channels_last),
            q.is_contiguous(memory_format=torch.channels_last),
            p.is_contiguous(memory_format=torch.contiguous_format),
            x.is_contiguous(memory_format=torch.channels_last),
            p.is_contiguous(memory_format=torch.channels_last_3d),
        ]
        for f in formats:
            views = 2 * views + int(f)
        return x + views


@script(X, runs=[(rand(3, 4),), (rand(5, 4),)], has_not=["If"])
class IfContiguousOfAnySize(nn.Module):
    def forward(self, x):
        y = x * 2 if x.is_contiguous() else x
        if not torch.ones(3, 4)[:, 1:3].is_contiguous():
            y = y + 1
        return y
