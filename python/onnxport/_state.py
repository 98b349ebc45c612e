"""Comparisons of models with state, which run several times."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from . import _compare, _run
from ._errors import usage_error
from ._values import Difference, Runnable

RUNS = 3  # the first one may have nothing but zeros to read


def verify(
    model: Runnable, call: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], tolerances: _compare.Given
) -> list[Difference]:
    """The worst difference of each output, also of the states' next values."""
    names = names_of(model, call)
    worst: list[Difference] = []
    with put_back(call, names):
        state = _values(call, names)
        for number in range(RUNS):
            try:
                expected = [*_run.call_torch(call, args, kwargs), *_values(call, names)]
            except Exception:
                if number == 0:
                    raise
                break  # a cache that is full
            found = model._run_as_module(args, kwargs, state)
            state = found[len(found) - len(names) :]
            differences = _compare.compare(model.outputs, expected, found, tolerances)
            worst = [max(pair, key=_compare.badness) for pair in zip(worst or differences, differences)]
    return worst


def names_of(model: Runnable, call: Any) -> list[str]:
    """The names of the state in the module."""
    if not isinstance(call, torch.nn.Module):
        raise usage_error("verify: the state of a model is compared with that of the torch.nn.Module or ScriptModule "
                          "that it was exported from")  # fmt: skip
    written = [state.input for state in model.state if state.first_value is None]
    if written:
        raise usage_error(f"verify: arguments that the module writes to are not followed ({', '.join(written)})")
    return [state.first_value for state in model.state if state.first_value is not None]


def _values(module: torch.nn.Module, names: list[str]) -> list[torch.Tensor]:
    return [_tensor(module, name).detach().clone() for name in names]


def _tensor(module: torch.nn.Module, name: str) -> torch.Tensor:
    """At a path of attributes; in a script also of positions and keys: "pair.0"."""
    holder, attribute, inner = _holder(module, name)
    value = getattr(holder, attribute)
    for part in inner:
        value = value[part] if isinstance(value, Mapping) else value[int(part)]
    return value


def _holder(module: torch.nn.Module, name: str) -> tuple[Any, str, list[str]]:
    """The module, or object of a script, with the attribute that is the tensor or has it in it, and where."""
    holder, parts = module, name.split(".")
    for i, part in enumerate(parts):
        value = getattr(holder, part)
        if isinstance(value, (torch.Tensor, Sequence, Mapping)):
            return holder, part, parts[i + 1 :]
        holder = value
    raise usage_error(f"verify: `{name}` is no tensor of the module")


@contextlib.contextmanager
def put_back(module: torch.nn.Module, names: list[str]) -> Iterator[None]:
    tensors = [_tensor(module, name) for name in names]
    values = [tensor.detach().clone() for tensor in tensors]
    # A script gives a copy of a list, with the tensors that it has now.
    attributes = [(holder, part, getattr(holder, part)) for holder, part, _ in (_holder(module, name) for name in names)]
    try:
        yield
    finally:
        with torch.no_grad():
            for tensor, value in zip(tensors, values):
                tensor.copy_(value)
        for holder, part, value in attributes:
            setattr(holder, part, value)
