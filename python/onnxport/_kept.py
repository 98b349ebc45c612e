"""The caller's module and tensors, as they were before something was done with them."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch

Modes = Mapping[torch.nn.Module, bool]


def modes_of(model: Any) -> Modes:
    """Returns the modules that are in training mode."""
    if not isinstance(model, torch.nn.Module) or isinstance(model, torch.jit.ScriptModule):
        return {}
    return {module: module.training for module in model.modules()}


@contextlib.contextmanager
def in_modes(modes: Modes) -> Iterator[None]:
    """The modules run in these; their own are put back."""
    before = {module: module.training for module in modes}
    _set(modes)
    try:
        yield
    finally:
        _set(before)


def _set(modes: Modes) -> None:
    for module, training in modes.items():
        module.training = training


@contextlib.contextmanager
def state_put_back(model: Any) -> Iterator[None]:
    """Buffers have the tensors and values that they had, whatever a call writes."""
    known = isinstance(model, torch.nn.Module) and not isinstance(model, torch.jit.ScriptModule)
    before = [(module, dict(module._buffers)) for module in model.modules()] if known else []
    tensors = [tensor for _, held in before for tensor in held.values() if tensor is not None]
    if isinstance(model, torch.jit.ScriptModule):
        tensors = list(model.buffers())
    values = [tensor.detach().clone() for tensor in tensors]
    try:
        yield
    finally:
        with torch.no_grad():
            for tensor, value in zip(tensors, values):
                tensor.set_(value) if tensor.shape != value.shape else tensor.copy_(value)
        for module, held in before:
            module._buffers.update(held)


def random_put_back() -> Any:
    """The random numbers that come next are those that would have come."""
    return torch.random.fork_rng(devices=range(torch.cuda.device_count()))


@contextlib.contextmanager
def without_marks(values: Iterable[Any]) -> Iterator[None]:
    """torch.export notes free axes in the tensors themselves, where the next export would find them."""
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    before = [_marks(tensor) for tensor in tensors]
    try:
        yield
    finally:
        for tensor, marks in zip(tensors, before):
            for name in _marks(tensor).keys() - marks.keys():
                delattr(tensor, name)
            for name, value in marks.items():
                setattr(tensor, name, value)


def _marks(tensor: torch.Tensor) -> dict[str, Any]:
    kinds = (set, dict, list)
    return {name: copy.copy(value) if type(value) in kinds else value for name, value in tensor.__dict__.items()}
