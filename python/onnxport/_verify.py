"""Comparisons of a model with its module."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch

from . import _autocast, _compare, _kept, _run, _state
from ._values import Difference, Example, Runnable

Calls = Iterable[tuple[str, tuple[Any, Any]]]  # with the sizes that they try


def verify(
    model: Runnable, example: Example, calls: Calls, others: Calls, tolerances: _compare.Given
) -> list[Difference]:
    """The worst difference of each output."""
    worst: list[Difference] = []
    with _kept.in_modes(example.modes), _autocast.entered(example.autocast), _kept.random_put_back():
        for sizes, call in itertools.chain(calls, _without_traces(others, model, example.call)):
            args, kwargs = copy.deepcopy(call)
            found = _compared(model, example.call, args, kwargs, sizes, tolerances, len(worst))
            worst = [max(pair, key=_compare.badness) for pair in zip(worst or found, found)]
    return worst


def _without_traces(others: Calls, model: Runnable, module: Any) -> Calls:
    """Each call was tried with the module, which has its state as it was."""
    tried = iter(others)
    names = _state.names_of(model, module) if model.state else []
    while True:
        with _state.put_back(module, names):
            found = next(tried, None)
        if found is None:
            return
        yield found


def _compared(model: Runnable, module: Any, args: Any, kwargs: Any, sizes: str, tolerances: _compare.Given,
              count: int) -> list[Difference]:  # fmt: skip
    compare = _state.verify if model.state else _without_state
    try:
        found = compare(model, module, args, kwargs, tolerances)
    except Exception as error:
        if not sizes:
            raise
        reason = f"{type(error).__name__}: {error}"
        found = [Difference(port.name, float("inf"), float("inf"), False, reason) for port in model.outputs][:count]
    return [_told(one, sizes) for one in found]


def _without_state(
    model: Runnable, module: Any, args: Any, kwargs: Any, tolerances: _compare.Given
) -> list[Difference]:
    """Compares one call. Results that differ between two runs of PyTorch cannot be compared."""
    expected = _expected(module, args, kwargs)
    found = _compare.compare(model.outputs, expected, model._run_as_module(args, kwargs), tolerances)
    if all(one.ok for one in found):
        return found
    again = _compare.compare(model.outputs, expected, _expected(module, args, kwargs), tolerances)
    reason = "random: it differs between two runs of PyTorch, too"
    return [one if one.ok or other.ok else replace(one, reason=reason) for one, other in zip(found, again)]


def _expected(module: Any, args: Any, kwargs: Any) -> list[torch.Tensor]:
    with _kept.state_put_back(module):
        return [value.clone() for value in _run.call_torch(module, args, kwargs)]


def _told(found: Difference, sizes: str) -> Difference:
    """With the sizes it was found at."""
    if found.ok or not sizes:
        return found
    return replace(found, reason=f"with {sizes}: {found.reason or f'by {found.max_abs:.3g}'}")
