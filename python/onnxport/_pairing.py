"""Which input of a model each argument of a call is. The exported signature says it, or the call is refused."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from . import _axes
from ._errors import usage_error
from ._values import Example

# Constants that can be compared. Others may be equal and not say so.
_PLAIN = (bool, int, float, str, torch.dtype, torch.device)

_NOTHING = object()


@dataclass(frozen=True)
class Given:
    """The arguments of a call. `state` is behind them. `example`: what is known of the module, nothing for a file."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    example: Example | None = None
    state: Sequence[torch.Tensor] = ()
    of_module: bool = False  # the module takes the same call

    def values(self, names: Sequence[str]) -> list[Any]:
        """Those that are inputs of the model, which has these `names`, in their order."""
        values = _by_names(self, names) if self.example is None else _by_signature(self, self.example, len(names))
        if len(values) != len(names):
            raise usage_error(f"the model has {len(names)} inputs ({', '.join(names)}), "
                              f"and {len(values)} tensors are given")  # fmt: skip
        return values


def is_known(example: Example | None) -> bool:
    """Returns whether the signature is known. That of a module without inputs is, too: it has only constants."""
    if example is None:
        return False
    no_inputs = bool(example.leaves) and not any(isinstance(leaf.value, torch.Tensor) for leaf in example.leaves)
    return bool(example.takes) or no_inputs


def _by_signature(given: Given, example: Example, count: int) -> list[Any]:
    leaves = example.leaves_of(tuple(given.args), dict(given.kwargs))
    by_path = {leaf.path: leaf.value for leaf in leaves}
    missing = [".".join(path) for path in example.takes if by_path.get(path) is None]
    if missing and not given.of_module and _are_inputs(leaves, given, example, count):
        return [leaf.value for leaf in leaves]
    if missing:
        raise usage_error(f"the model has inputs that are not given: {', '.join(missing)}")
    _refuse_other_constants(by_path, example)
    return [by_path[path] for path in example.takes] + _behind(leaves, given, example) + list(given.state)


def _are_inputs(leaves: Sequence[Any], given: Given, example: Example, count: int) -> bool:
    """Returns whether these are the inputs of the model by their places: tensors, one for each input. None of them may
    be an argument of the module that was not given when it was exported."""
    parameters = {parameter.name for parameter in _parameters_of(example)}
    exported = {leaf.path[0] for leaf in example.leaves}
    tensors = all(isinstance(leaf.value, torch.Tensor) for leaf in leaves)
    new = any(leaf.parameter in parameters and leaf.path[0] not in exported for leaf in leaves)
    return tensors and not new and not given.kwargs and len(leaves) == count


def _refuse_other_constants(by_path: Mapping[tuple[str, ...], Any], example: Example) -> None:
    inputs = set(example.takes)
    for leaf in example.leaves:
        value = by_path.get(leaf.path, leaf.value)
        if leaf.path not in inputs and not _is_same(leaf.value, value):
            got = "a tensor" if isinstance(value, torch.Tensor) else repr(value)
            raise usage_error(f"argument `{leaf.name}` is part of the model, as it was exported: {leaf.value!r}, not "
                              f"{got}")  # fmt: skip


def _is_same(exported: Any, value: Any) -> bool:
    if exported is None or value is None:
        return exported is value
    if not isinstance(exported, _PLAIN):
        return True
    return isinstance(value, _PLAIN) and exported == value


def _behind(leaves: Sequence[Any], given: Given, example: Example) -> list[torch.Tensor]:
    """Tensors that the module has no argument for: a model with state or weights as inputs takes them behind the others.
    Everything else that the exported call did not have is refused, unless it is the default of its parameter."""
    known = {leaf.path for leaf in example.leaves}
    defaults = {parameter.name: parameter.default for parameter in _parameters_of(example)}
    behind = []
    for leaf in leaves:
        if leaf.path in known or leaf.value is None:
            continue
        by_keyword = leaf.path[0] in given.kwargs or leaf.parameter in given.kwargs
        beside_known = any(leaf.path[0] == path[0] for path in known)
        if isinstance(leaf.value, torch.Tensor) and not by_keyword and (not given.of_module or beside_known):
            behind.append(leaf.value)
        elif isinstance(leaf.value, torch.Tensor) or not _is_same(defaults.get(leaf.path[0], _NOTHING), leaf.value):
            raise usage_error(f"the model has no argument `{leaf.name}`: it was not given when the module was exported")
    return behind


def _parameters_of(example: Example) -> list[inspect.Parameter]:
    return _axes.parameters_of(getattr(example.call, "forward", example.call)) if example.call else []


def _by_names(given: Given, names: Sequence[str]) -> list[Any]:
    """Arguments by keyword have the names of inputs: `past_0` or `past.0` is that of `past=(tensor,)`. Others are the
    rest of the inputs, in order. An argument that is no tensor may be part of the model."""
    inputs = {name.replace(".", "_"): name for name in names}
    named, unknown = {}, []
    for leaf in _axes.leaves_of(lambda: None, (), given.kwargs):
        name = inputs.get("_".join(leaf.path))
        if name is not None and leaf.value is not None:
            named[name] = leaf.value
        elif isinstance(leaf.value, torch.Tensor):
            unknown.append(leaf.name)
    if unknown:
        raise usage_error(f"the model has no input {', '.join(unknown)}: it has {', '.join(names)}")
    values = [value for value in [*pytree.tree_leaves(given.args), *given.state] if value is not None]
    rest = [name for name in names if name not in named]
    if len(values) != len(rest):
        values = [value for value in values if isinstance(value, torch.Tensor)]
    if len(values) != len(rest):
        return [*values, *named.values()]  # too many or too few
    named |= dict(zip(rest, values))
    return [named[name] for name in names]
