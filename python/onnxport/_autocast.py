"""An export within torch.autocast: PyTorch captures it only where the module itself enters it."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from typing import Any

import torch

_DEVICES = ("cpu", "cuda", "xpu", "mps")

Dtypes = Mapping[str, torch.dtype]  # that devices compute in


def current() -> Dtypes:
    """Those of the caller."""
    return {device: torch.get_autocast_dtype(device) for device in _DEVICES if torch.is_autocast_enabled(device)}


@contextlib.contextmanager
def entered(dtypes: Dtypes, *, enabled: bool = True) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for device, dtype in dtypes.items():
            # A trace would take a weight that another call has cast for a constant.
            stack.enter_context(torch.autocast(device, dtype, enabled, cache_enabled=False))
        yield


@contextlib.contextmanager
def of_module(model: Any, dtypes: Dtypes) -> Iterator[None]:
    """The module enters it in each call, and nobody before."""
    if not dtypes:
        yield
        return
    forward, own = model.forward, "forward" in model.__dict__

    @functools.wraps(forward)
    def inside(*args: Any, **kwargs: Any) -> Any:
        with entered(dtypes):
            return forward(*args, **kwargs)

    model.forward = inside
    try:
        with entered(dtypes, enabled=False):
            yield
    finally:
        if own:
            model.forward = forward
        else:
            del model.forward
