"""Comparisons of models with state, which run several times."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import torch

from . import _run
from ._errors import usage_error
from ._model import Difference, Model, State

RUNS = 3  # the first one may have nothing but zeros to read


def verify(
    model: Model, call: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], rtol: float, atol: float
) -> list[Difference]:
    """The worst difference of each output, also of the states' next values."""
    _check(model, call)
    names = [state.first_value for state in model.state]
    worst: list[Difference] = []
    with _put_back(call, names):
        given = _behind_all(names, _values(call, names))
        for _ in range(RUNS):
            expected = [*_run.call_torch(call, args, kwargs), *_values(call, names)]
            found = model(*args, **kwargs, **given)
            given = _behind_all(names, found[len(found) - len(names) :])
            differences = _run.compare(model.outputs, expected, found, rtol, atol)
            worst = [max(pair, key=_badness) for pair in zip(worst or differences, differences)]
    return worst


def _behind_all(names: list[str], values: Sequence[torch.Tensor]) -> dict[str, torch.Tensor]:
    """As arguments behind all others, by names that no argument has."""
    return {f"state {name}": value for name, value in zip(names, values)}


def _badness(difference: Difference) -> tuple[bool, float]:
    return not difference.ok, difference.max_abs


def _check(model: Model, call: Any) -> None:
    if not isinstance(call, torch.nn.Module) or isinstance(call, torch.jit.ScriptModule):
        raise usage_error("verify: the state of a model is compared with that of the torch.nn.Module that it was "
                          "exported from")  # fmt: skip
    written = [state.input for state in model.state if state.first_value is None]
    if written:
        raise usage_error(f"verify: arguments that the module writes to are not followed ({', '.join(written)})")


def _values(module: torch.nn.Module, names: list[str]) -> list[torch.Tensor]:
    return [attrgetter(name)(module).detach().clone() for name in names]


@contextlib.contextmanager
def _put_back(module: torch.nn.Module, names: list[str]) -> Iterator[None]:
    tensors = [attrgetter(name)(module) for name in names]
    values = _values(module, names)
    try:
        yield
    finally:
        with torch.no_grad():
            for name, tensor, value in zip(names, tensors, values):
                tensor.copy_(value)
                path, _, attribute = name.rpartition(".")
                setattr(module.get_submodule(path), attribute, tensor)
