"""Answers modules that ask torch.onnx.is_in_onnx_export()."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

import torch

_lock = threading.Lock()
_captures = 0  # that run now, in any thread
_put_back: list[Callable[[], None]] = []


@contextlib.contextmanager
def in_onnx_export() -> Iterator[None]:
    """The answer is True, also where a module has imported that function by its name. This works as long as PyTorch has
    the flag that the function reads, which is no part of its interface."""
    global _captures
    with _lock:
        _captures += 1
        if _captures == 1:
            _answer()
    try:
        yield
    finally:
        with _lock:
            _captures -= 1
            while _captures == 0 and _put_back:
                _put_back.pop()()


def _answer() -> None:
    asked = torch.onnx.is_in_onnx_export
    torch.onnx.is_in_onnx_export = lambda: True
    _put_back.append(lambda: setattr(torch.onnx, "is_in_onnx_export", asked))
    with contextlib.suppress(ImportError, AttributeError):
        from torch.onnx._internal.exporter import _flags

        before = _flags._is_onnx_exporting
        _flags._is_onnx_exporting = True
        _put_back.append(lambda: setattr(_flags, "_is_onnx_exporting", before))
