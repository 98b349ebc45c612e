"""Runs of an exported model and of its module, and what differs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error
from ._model import Difference, Port


def run(session: Any, inputs: Sequence[Port], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    values = [value for value in pytree.tree_leaves((args, dict(kwargs))) if value is not None]
    if len(values) != len(inputs):  # other arguments are part of the model
        values = [value for value in values if isinstance(value, torch.Tensor)]
    if len(values) != len(inputs):
        raise usage_error(f"the model has {len(inputs)} inputs ({', '.join(port.name for port in inputs)}), "
                          f"and {len(values)} tensors are given")  # fmt: skip
    given = {port.name: _to_ort(port, value) for port, value in zip(inputs, values)}
    return tuple(_from_ort(value) for value in session.run_with_ort_values(None, given))


def _to_ort(port: Port, value: Any) -> Any:
    import onnxruntime

    tensor = torch.as_tensor(value).detach().cpu()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    tensor = tensor.resolve_conj().resolve_neg().contiguous()
    types = {torch.bfloat16: 16, torch.float8_e4m3fn: 17, torch.float8_e5m2: 19}
    if tensor.dtype in types:
        words = tensor.view(torch.uint16 if tensor.dtype == torch.bfloat16 else torch.uint8).numpy()
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(words, types[tensor.dtype])
    return onnxruntime.OrtValue.ortvalue_from_numpy(tensor.numpy())


def _from_ort(value: Any) -> Any:
    if not value.is_tensor():
        return [torch.from_numpy(element) for element in value.numpy()]
    try:
        return torch.from_numpy(value.numpy().copy())
    except (RuntimeError, TypeError):  # a type that numpy has not
        return torch.utils.dlpack.from_dlpack(value._ortvalue.to_dlpack())


def call_torch(call: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[torch.Tensor]:
    """The module's tensors, in order. The arguments stay as they are."""
    args, kwargs = copy.deepcopy((args, dict(kwargs)))
    with torch.no_grad():
        values = pytree.tree_leaves(call(*args, **kwargs))
    return [torch.as_tensor(value) for value in values if isinstance(value, (torch.Tensor, int, float))]


def compare(outputs: Sequence[Port], expected: Sequence[torch.Tensor], found: Sequence[Any], rtol: float,
            atol: float) -> list[Difference]:  # fmt: skip
    flat = pytree.tree_leaves(list(found))
    if len(flat) != len(expected):
        raise usage_error(f"PyTorch gives {len(expected)} tensors, the model {len(flat)}")
    names = [port.name for port in outputs] if len(outputs) == len(flat) else [f"{i}" for i in range(len(flat))]
    return [_difference(name, *pair, rtol, atol) for name, *pair in zip(names, expected, flat)]


def _difference(name: str, expected: torch.Tensor, found: torch.Tensor, rtol: float, atol: float) -> Difference:
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
    distance = torch.where(same, 0.0, (wanted - got).abs())
    relative = torch.where(same, 0.0, distance / wanted.abs().clamp_min(1e-12))
    ok = torch.allclose(wanted, got, rtol, atol, equal_nan=True)
    return Difference(name, distance.max().item(), relative.max().item(), ok)
