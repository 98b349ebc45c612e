"""Classes that are those of torch.onnx, too, where PyTorch is there."""

from __future__ import annotations

import functools
import operator
import sys
from typing import Any


def with_theirs(ours: type, name: str) -> type:
    """A class of ours that is also `torch.onnx.NAME`, for programs that ask `isinstance` or catch its errors. Only ours
    as long as nobody has imported torch.onnx: this package does not import it for that."""
    torch_onnx = sys.modules.get("torch.onnx")
    try:
        theirs = operator.attrgetter(name)(torch_onnx)
    except AttributeError:  # not imported, or of a version without it
        return ours
    return _joined(ours, theirs)


@functools.cache
def _joined(ours: type, theirs: type) -> type:
    known: dict[str, Any] = {"__module__": ours.__module__, "__qualname__": ours.__qualname__, "__doc__": ours.__doc__}
    return type(ours.__name__, (ours, theirs), known)
