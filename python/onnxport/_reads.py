"""Where a module reads what its inputs hold as a bool or number of Python: a trace keeps the value of the example."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

Place = tuple[str, int]  # file, line

_OF_OTHERS = (os.path.dirname(torch.__file__) + os.sep, os.path.dirname(__file__) + os.sep)
_WHOLE = (torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.__array__)  # they read memory, without a dispatch


def frozen_reads(run: Callable[[], Any], inputs: Iterable[torch.Tensor],
                 warned: list[warnings.WarningMessage]) -> list[Place]:  # fmt: skip
    """The lines of the module whose reads a trace froze. `run` calls the module on the inputs without a trace. A value
    that depends on sizes alone is a tensor in a trace, and a number here. A value that the trace follows has no
    warning."""
    places = {(said.filename, said.lineno) for said in warned if issubclass(said.category, torch.jit.TracerWarning)}
    if not places:
        return []
    found = _Dependent(inputs)
    with torch.no_grad(), _WholeReads(found), found:
        run()
    return [stack[0] for stack in dict.fromkeys(found.reads) if stack and not places.isdisjoint(stack)]


class _Dependent(TorchDispatchMode):
    """Follows the storages of the inputs through all operators."""

    def __init__(self, inputs: Iterable[torch.Tensor]):
        super().__init__()
        self.reads: list[tuple[Place, ...]] = []
        self._storages: dict[int, StorageWeakRef] = {}  # that hold what depends on inputs; no other has their address
        for tensor in inputs:
            self._note(tensor)

    def has(self, tensor: torch.Tensor) -> bool:
        return tensor.untyped_storage()._cdata in self._storages

    def _note(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        self._storages[storage._cdata] = StorageWeakRef(storage)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        given = [value for value in pytree.tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
        if any(self.has(tensor) for tensor in given if tensor.layout is torch.strided):
            for value in pytree.tree_leaves(result):
                if isinstance(value, torch.Tensor) and value.layout is torch.strided:
                    self._note(value)
                elif isinstance(value, (bool, int, float, complex)):
                    self.reads.append(stack_of_module())
        return result


class _WholeReads(TorchFunctionMode):
    def __init__(self, dependent: _Dependent):
        super().__init__()
        self._dependent = dependent

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in _WHOLE and self._dependent.has(args[0]):
            self._dependent.reads.append(stack_of_module())
        return func(*args, **(kwargs or {}))


def stack_of_module() -> tuple[Place, ...]:
    """The lines that led here, the innermost that is not PyTorch's first."""
    places = []
    frame: Any = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OF_OTHERS[1]):
            places.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    first = next((place for place in places if not place[0].startswith(_OF_OTHERS[0])), None)
    return tuple(places) if first is None else (first, *places)
