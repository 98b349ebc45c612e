"""Compares the tensors of a model with those of PyTorch, by the rules of `exporter verify`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error
from ._tolerances import TOLERANCES
from ._values import Difference, Port


@dataclass(frozen=True)
class Given:
    """Tolerances of the caller; None: those of the type."""

    rtol: float | None = None
    atol: float | None = None


def compare(
    outputs: Sequence[Port], expected: Sequence[torch.Tensor], found: Sequence[Any], given: Given
) -> list[Difference]:
    flat = pytree.tree_leaves(list(found))
    if len(flat) != len(expected):
        raise usage_error(f"PyTorch gives {len(expected)} tensors, the model {len(flat)}")
    names = [port.name for port in outputs] if len(outputs) == len(flat) else [f"{i}" for i in range(len(flat))]
    return [difference(name, *pair, given) for name, *pair in zip(names, expected, flat)]


def difference(name: str, expected: torch.Tensor, found: torch.Tensor, given: Given) -> Difference:
    """Errors of all elements are infinite where only one is NaN or infinite. Relative ones leave out what is expected
    to be 0."""
    expected = expected.detach().cpu()
    if expected.is_complex():
        expected = torch.view_as_real(expected)
    if expected.shape != found.shape or expected.dtype != found.dtype:
        reason = f"{found.dtype}{list(found.shape)} instead of {expected.dtype}{list(expected.shape)}"
        return Difference(name, float("inf"), float("inf"), False, reason)
    if expected.numel() == 0:
        return Difference(name, 0.0, 0.0, True)
    wanted, got = expected.double(), found.double()
    same = (wanted == got) | (wanted.isnan() & got.isnan())
    distance = torch.where(same, 0.0, (wanted - got).abs().nan_to_num(nan=float("inf"), posinf=float("inf")))
    relative = torch.where(same | (wanted == 0), 0.0, distance / wanted.abs())
    relative = relative.nan_to_num(nan=float("inf"), posinf=float("inf"))
    ok = _agree(wanted, got, same, _allowed(expected, wanted, given)) if _is_float(expected) else found.equal(expected)
    return Difference(name, distance.max().item(), relative.max().item(), ok)


def _is_float(tensor: torch.Tensor) -> bool:
    return tensor.dtype.is_floating_point


def _allowed(expected: torch.Tensor, wanted: torch.Tensor, given: Given) -> torch.Tensor:
    """How far each element may be off (runtime/verify/report/tolerances.txt)."""
    rtol, atol = TOLERANCES.get(str(expected.dtype).removeprefix("torch."), TOLERANCES["float32"])
    largest = wanted.abs()[wanted.isfinite()].max().item() if wanted.isfinite().any() else 0.0
    rtol = rtol if given.rtol is None else given.rtol
    atol = atol * max(1.0, largest) if given.atol is None else given.atol
    return atol + rtol * wanted.abs()


def _agree(wanted: torch.Tensor, got: torch.Tensor, same: torch.Tensor, allowed: torch.Tensor) -> bool:
    near = wanted.isfinite() & got.isfinite() & ((wanted - got).abs() <= allowed)
    return bool((same | near).all())


def badness(difference: Difference) -> tuple[bool, float]:
    return not difference.ok, difference.max_abs
