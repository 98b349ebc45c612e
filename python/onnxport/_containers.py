"""Arguments that hold tensors, which PyTorch has to look into: else the tensors would be constants."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error

_DEPTH = 4  # of objects in objects


def register_caches(arguments: Any) -> None:
    """PyTorch knows the caches of transformers once they are registered, and programs for torch.export do that."""
    kind = getattr(sys.modules.get("transformers.cache_utils"), "DynamicCache", None)
    if kind is None or not any(type(value) is kind for value in pytree.tree_leaves(arguments)):
        return
    with contextlib.suppress(ImportError):
        from transformers.integrations import executorch

        executorch.register_dynamic_cache_export_support()


def check(arguments: Any) -> None:
    """Refuses a container that PyTorch takes for one value."""
    for value in pytree.tree_leaves(arguments):
        if hasattr(value, "__array__") and getattr(value, "ndim", 0) and not isinstance(value, torch.Tensor):
            raise usage_error(f"args: a {type(value).__name__} is no tensor and would be a constant: give torch.as_tensor "
                              "of it")  # fmt: skip
        if not isinstance(value, torch.Tensor) and _holds_tensors(value, _DEPTH):
            kind = f"{type(value).__module__}.{type(value).__qualname__}"
            raise usage_error(f"args: PyTorch does not look into {kind}, so that its tensors would be constants; register "
                              "it with torch.export.register_dataclass or torch.utils._pytree.register_pytree_node")  # fmt: skip


def _holds_tensors(value: Any, depth: int) -> bool:
    if isinstance(value, torch.Tensor):
        return True
    if depth == 0 or isinstance(value, torch.nn.Module):  # whose weights are constants
        return False
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple, set)) else ()
    return any(_holds_tensors(part, depth - 1) for part in [*inner, *getattr(value, "__dict__", {}).values()])
