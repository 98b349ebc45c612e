"""Sizes that a program of torch.export leaves out, as it took a branch for those of the example."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from ._axes import Axis, Leaf
from ._errors import AXIS_IS_NARROWED, Diagnostic, ExportError
from ._trials import Trials
from ._warn import warn

_NO_BOUND = 2**31


@dataclass(frozen=True)
class _Narrowed:
    """An axis, its range in the program, and a size without that the module takes."""

    leaf: Leaf
    number: int
    said: Axis
    low: int
    high: int | None
    taken: int
    line: str

    def __str__(self) -> str:
        name = f" ({self.said.name})" if self.said.name else ""
        sizes = f"{self.low} to {self.high}" if self.high is not None else f"{self.low} and more"
        return (f"axis {self.number} of `{self.leaf.name}`{name}: torch.export made the program for sizes {sizes}, and the "
                f"module takes {self.taken}, too{self.line}")  # fmt: skip


def check(program: torch.export.ExportedProgram, leaves: list[Leaf], values: list[Any], trials: Trials,
          *, labels: bool) -> None:  # fmt: skip
    """An axis with a name is a promise, unless names are labels: an error. Else a warning. A size that the module itself refuses is no loss."""
    found = list(_narrowed(program, leaves, values, trials))
    promised = [str(one) for one in found if one.said.name is not None and not labels]
    if promised:
        advice = "; name the range, as in Dim('batch', max=4), or write the branch with torch.cond"
        raise ExportError("cannot_export", [Diagnostic(AXIS_IS_NARROWED, text + advice) for text in promised])
    for one in found:
        warn(f"{one}; for these the model is wrong")


def _narrowed(program: Any, leaves: list[Leaf], values: list[Any], trials: Trials) -> Iterator[_Narrowed]:
    for leaf, value in zip(leaves, values):
        for number, said in leaf.axes.items():
            size = value.shape[number] if isinstance(value, torch.Tensor) else None
            symbol = getattr(getattr(size, "node", None), "expr", None)
            if symbol not in program.range_constraints:
                continue
            low, high = bounds_of(program, symbol)
            outside = [low - 1] if low > max(said.min or 2, 2) else []
            if high is not None and (said.max is None or high < said.max):
                outside.append(high + 1)
            for other in outside:
                sizes = _sizes_with(leaves, values, symbol, other)
                if sizes is not None and trials.takes(leaves, sizes):
                    yield _Narrowed(leaf, number, said, low, high, other, _line(size, symbol))
                    break


def bounds_of(program: torch.export.ExportedProgram, symbol: Any) -> tuple[int, int | None]:
    """The sizes that a symbol has in a program, both included."""
    known = program.range_constraints.get(symbol)
    return (0, None) if known is None else (_bound(known.lower) or 0, _bound(known.upper))


def _bound(value: Any) -> int | None:
    with contextlib.suppress(TypeError, ValueError, OverflowError, AttributeError):
        number = int(value)
        return number if number < _NO_BOUND else None
    return None


def _sizes_with(leaves: list[Leaf], values: list[Any], symbol: Any, other: int) -> list[list[int] | None] | None:
    """Returns the sizes of all arguments if this symbol has another size. None where a size has a symbol that no
    argument shows."""
    sizes: dict[Any, int] = {}
    for leaf, value in zip(leaves, values):
        if isinstance(value, torch.Tensor):
            for size, number in zip(value.shape, leaf.value.shape):
                if not isinstance(size, int) and size.node.expr.is_symbol:
                    sizes[size.node.expr] = number
    sizes[symbol] = other

    def number_of(size: Any) -> int:
        return size if isinstance(size, int) else int(size.node.expr.subs(sizes))

    try:
        return [[number_of(size) for size in value.shape] if isinstance(value, torch.Tensor) else None for value in values]
    except TypeError:  # of sympy
        return None


def _line(size: Any, symbol: Any) -> str:
    """Where the module looked at the size, if PyTorch knows."""
    for guard in getattr(size.node.shape_env, "guards", ()):
        sloc = getattr(guard, "sloc", None)
        place = getattr(sloc, "maybe_user_loc", None) or getattr(sloc, "framework_loc", None)
        if hasattr(place, "filename"):
            place = f"{place.filename}:{place.lineno}"
        if place and str(symbol) in map(str, guard.expr.free_symbols):
            return f" (at {place})"
    return ""
