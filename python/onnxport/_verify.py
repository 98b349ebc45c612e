"""Comparisons of a model with its module."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch

from . import _kept, _run
from ._model import Difference, Example, Model

Calls = Iterable[tuple[str, tuple[Any, Any]]]  # with the sizes that they try


def verify(model: Model, example: Example, calls: Calls, others: Calls, rtol: float, atol: float) -> list[Difference]:
    """The worst difference of each output."""
    worst: list[Difference] = []
    with _kept.in_modes(example.modes):
        for sizes, call in (*calls, *others):
            args, kwargs = copy.deepcopy(call)
            found = _compared(model, example.call, args, kwargs, sizes, rtol, atol, len(worst))
            worst = [max(pair, key=_run.badness) for pair in zip(worst or found, found)]
    return worst


def _compared(model: Model, module: Any, args: Any, kwargs: Any, sizes: str, rtol: float, atol: float,
              count: int) -> list[Difference]:  # fmt: skip
    if model.state:
        from . import _state

        return _state.verify(model, module, args, kwargs, rtol, atol)
    expected = _expected(module, args, kwargs)
    try:
        results = model(*args, **kwargs)
    except Exception as error:
        if not sizes:
            raise
        reason = f"with {sizes}: {type(error).__name__}: {error}"
        return [Difference(port.name, float("inf"), float("inf"), False, reason) for port in model.outputs][:count]
    found = _run.compare(model.outputs, expected, results, rtol, atol)
    if all(one.ok for one in found):
        return found
    again = _run.compare(model.outputs, expected, _expected(module, args, kwargs), rtol, atol)
    return [_told(one, other, sizes) for one, other in zip(found, again)]


def _expected(module: Any, args: Any, kwargs: Any) -> list[torch.Tensor]:
    with _kept.state_put_back(module):
        return [value.clone() for value in _run.call_torch(module, args, kwargs)]


def _told(found: Difference, again: Difference, sizes: str) -> Difference:
    """With the sizes it was found at. What PyTorch gives otherwise each time cannot be compared."""
    if found.ok:
        return found
    reason = found.reason
    if not again.ok:
        reason = "random: it differs between two runs of PyTorch, too"
    if sizes:
        reason = f"with {sizes}: {reason or f'by {found.max_abs:.3g}'}"
    return replace(found, reason=reason)
