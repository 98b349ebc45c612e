"""Class instances, named tuples, enums and functions as values."""

from enum import Enum
from typing import List, NamedTuple

import torch
from torch import nn

from program import rand, script

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
SIGNS = [(rand(3, 4).abs(),), (-rand(5, 4).abs(),)]


@torch.jit.script
class Box:
    def __init__(self, value: torch.Tensor, scale: int):
        self.value = value
        self.scale = scale

    def scaled(self):
        return self.value * self.scale

    def add(self, other: torch.Tensor):
        self.value = self.value + other
        self.scale += 1


@script(X, runs=SIZES)
class Instance(nn.Module):
    def forward(self, x):
        box = Box(x, 3)
        return box.scaled() + box.value


@script(X, runs=SIZES)
class InstanceChanges(nn.Module):
    """An instance is shared: both variables see the change."""

    def forward(self, x):
        box = Box(x, 3)
        other = box
        other.add(x + 1)
        other.scale = other.scale * 2
        return box.scaled(), box.scale


@script(X, runs=SIGNS, has=["If"])
class InstanceInBranch(nn.Module):
    def forward(self, x):
        box = Box(x, 3)
        if x.sum() > 0:
            box.add(x * 2)
        return box.scaled()


@script(X, runs=SIZES, has=["Loop"])
class InstanceInLoop(nn.Module):
    def forward(self, x):
        box = Box(x[0], 1)
        for k in range(x.size(0)):
            box.add(x[k])
        return box.value * 2, box.scale


@script(X, runs=SIZES)
class ListOfInstances(nn.Module):
    def forward(self, x):
        boxes = [Box(x, 1), Box(x + 1, 2)]
        boxes[1].add(x)
        total = x
        for box in boxes:
            total = total + box.scaled()
        return total


@torch.jit.script
class Counter:
    def __init__(self, items: List[int]):
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, k: int) -> int:
        return self.items[k]

    def __contains__(self, k: int) -> bool:
        return k in self.items

    def __add__(self, other: int) -> int:
        return sum(self.items) + other


@script(X, runs=SIZES)
class Operators(nn.Module):
    def forward(self, x):
        c = Counter([4, 5])
        if 5 in c:
            x = x + 1
        return x * len(c) + c[1], c + 2


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor
    count: int = 2


@script(X, runs=SIZES)
class NamedTupleValue(nn.Module):
    def forward(self, x):
        p = Pair(x, x + 1)
        a, b, k = p
        return p.left * p.count + b * k - p[0]


@script(X, runs=SIZES)
class NamedTupleOutput(nn.Module):
    def forward(self, x):
        return Pair(x + 1, x * 2, 7)


@script(
    "p.left=f32[n]",
    "p.right=f32[n]",
    "p.count=4",
    runs=[(Pair(rand(3), rand(3), 4),), (Pair(rand(5), rand(5), 4),)],
)
class NamedTupleInput(nn.Module):
    def forward(self, p: Pair):
        return p.left * p.count - p.right


class Mode(Enum):
    UP = 1
    DOWN = 2


@script(X, runs=SIZES, has_not=["If"])
class EnumValue(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = Mode.DOWN

    def forward(self, x):
        if self.mode == Mode.UP:
            x = x + 1
        else:
            x = x - self.mode.value
        return x


def scale_and_shift(x, scale: float = 2.0, shift: int = 1):
    return x * scale + shift


@script(X, runs=SIZES)
class FreeFunction(nn.Module):
    def forward(self, x):
        return scale_and_shift(x) + scale_and_shift(x, shift=5)


@script(X, runs=SIZES)
def function_alone(x):
    y = scale_and_shift(x, 0.5)
    return torch.relu(y)


@torch.jit.script
class Shapes:
    def __init__(self, width: int):
        self._width = width

    @property
    def width(self) -> int:
        return self._width + 1

    @staticmethod
    def double(k: int) -> int:
        return k * 2


@script(X, runs=SIZES)
class PropertyAndStatic(nn.Module):
    def forward(self, x):
        s = Shapes(3)
        return x * s.width + Shapes.double(4)


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class AddOne(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


@script(X, runs=SIZES)
class Interface(nn.Module):
    """The type of the submodule is an interface; the archive says which module it is."""

    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = AddOne()

    def forward(self, x):
        return self.layer.forward(x) * 2


@script(X, runs=SIZES)
class TupleEquality(nn.Module):
    def forward(self, x):
        shape = (x.dim(), 4)
        if shape == (2, 4):
            x = x + 1
        return x
