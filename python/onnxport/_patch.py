"""`onnxport.export` in the place of torch.onnx.export."""

from __future__ import annotations

from typing import Any


class patch_torch:
    """From the call on, `torch.onnx.export` is `onnxport.export`; programs of others use it unchanged.

    `with patch_torch(): ...` puts PyTorch's own back at the end, and so does `patch_torch().undo()`.
    Functions that were imported by name before (`from torch.onnx import export`) stay as they are.
    """

    def __init__(self) -> None:
        import torch.onnx
        import torch.onnx.utils

        from . import export

        self._before: list[tuple[Any, Any]] = []
        for place in (torch.onnx, torch.onnx.utils):
            if hasattr(place, "export"):
                self._before.append((place, place.export))
                place.export = export

    def undo(self) -> None:
        """Puts back what was there."""
        while self._before:
            place, function = self._before.pop()
            place.export = function

    def __enter__(self) -> patch_torch:
        return self

    def __exit__(self, *_: Any) -> None:
        self.undo()
