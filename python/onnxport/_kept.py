"""The caller's module and tensors, as they were before something was done with them."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping
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


def handle_of(tensor: torch.Tensor) -> torch.Tensor:
    """Returns another tensor object with the same memory, for torch.export. That takes one object in two places, also as
    a weight, for one input. It also leaves marks in the objects, which the next export would find."""
    handle = tensor.detach().requires_grad_(tensor.requires_grad)
    for name in tensor.__dict__.keys() - handle.__dict__.keys():
        mark = tensor.__dict__[name]
        setattr(handle, name, copy.copy(mark) if type(mark) in (set, dict, list) else mark)
    return handle
