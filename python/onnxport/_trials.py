"""Calls of a module with other sizes than those of the example."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from . import _kept
from ._axes import Leaf

_MOST_ELEMENTS = 2**27  # of one argument
_MOST_CALLS = 3

Call = tuple[tuple[Any, ...], dict[str, Any]]


class Trials:
    """Tries a module with one call of it."""

    def __init__(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]):
        self._call = call
        self._flat, self._spec = pytree.tree_flatten((args, kwargs))

    def takes(self, leaves: list[Leaf], sizes: Sequence[list[int] | None]) -> bool:
        """Returns whether the module runs with arguments of these sizes."""
        if any(size is not None and (math.prod(size) > _MOST_ELEMENTS or min(size, default=0) < 0) for size in sizes):
            return False
        args, kwargs = self.of_sizes(leaves, sizes)
        kept = _kept.state_put_back(self._call), _kept.random_put_back()
        with torch.no_grad(), kept[0], kept[1], contextlib.suppress(Exception):
            self._call(*args, **kwargs)
            return True
        return False

    def of_sizes(self, leaves: list[Leaf], sizes: Sequence[list[int] | None]) -> Call:
        """The call with arguments of other sizes, which repeat those of the example."""
        made = iter([resized(leaf.value, size) for leaf, size in zip(leaves, sizes) if size is not None])
        flat = [next(made) if isinstance(value, torch.Tensor) else value for value in self._flat]
        return pytree.tree_unflatten(flat, self._spec)

    def others(self, leaves: list[Leaf]) -> Iterator[tuple[str, Call]]:
        """Some calls with other sizes of the free axes that the module takes, each with what they are."""
        count = 0
        for changed in _choices(leaves):
            sizes = [_changed(leaf, changed) for leaf in leaves]
            if count < _MOST_CALLS and self.takes(leaves, sizes):
                count += 1
                yield ", ".join(f"{name}={size}" for name, size in changed.items()), self.of_sizes(leaves, sizes)


def resized(tensor: torch.Tensor, sizes: list[int]) -> torch.Tensor:
    for axis, size in enumerate(sizes):
        if tensor.shape[axis] == 0:
            tensor = tensor.new_zeros([*tensor.shape[:axis], size, *tensor.shape[axis + 1 :]])
        elif tensor.shape[axis] != size:
            tensor = tensor.index_select(axis, torch.arange(size, device=tensor.device) % tensor.shape[axis])
    return tensor.clone()


def _name(leaf: Leaf, axis: int) -> str:
    return leaf.axes[axis].name or f"{leaf.name}.{axis}"


def _choices(leaves: list[Leaf]) -> Iterator[dict[str, int]]:
    """Sizes by name: all unlike each other, or the same where the example's are."""
    named = {(_name(leaf, i)): (leaf.value.shape[i], said) for leaf in leaves for i, said in leaf.axes.items()
             if not said.parts}  # fmt: skip
    if not named:
        return
    for change in (lambda size, i: 2 * size + 3 + i, lambda size, i: size + 1 + i, lambda size, _: 4 * size,
                   lambda size, _: size + 1, lambda size, _: max(size // 2, 1)):  # fmt: skip
        sizes = {name: change(size, i) for i, (name, (size, _)) in enumerate(named.items())}
        limits = {name: (said.min or 0, said.max or 2**31) for name, (_, said) in named.items()}
        if all(limits[name][0] <= size <= limits[name][1] for name, size in sizes.items()):
            yield sizes


def _changed(leaf: Leaf, sizes: dict[str, int]) -> list[int] | None:
    if not isinstance(leaf.value, torch.Tensor):
        return None
    found = list(leaf.value.shape)
    for axis, said in leaf.axes.items():
        parts = said.parts or (_name(leaf, axis),)
        found[axis] = sum(int(part) if part.isdigit() else sizes[part] for part in parts)
    return found
