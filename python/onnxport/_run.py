"""Runs of an exported model and of its module."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error
from ._pairing import Given


def run(session: Any, given_values: Given) -> tuple[Any, ...]:
    values = _values([port.name for port in session.get_inputs()], given_values)
    given = {name: _to_ort(value) for name, value in values.items()}
    return tuple(_from_ort(value) for value in session.run_with_ort_values(None, given))


def run_reference(proto: Any, given_values: Given) -> tuple[Any, ...]:
    from onnx.reference import ReferenceEvaluator

    weights = {weight.name for weight in proto.graph.initializer}
    names = [port.name for port in proto.graph.input if port.name not in weights]
    given = {name: value.numpy() for name, value in _values(names, given_values).items()}
    return tuple(torch.from_numpy(value) for value in ReferenceEvaluator(proto).run(None, given))


def with_outputs(proto: Any, names: Sequence[str]) -> Any:
    """The model with these values as its outputs."""
    import onnx

    known = {value.name: value for value in [*proto.graph.value_info, *proto.graph.input, *proto.graph.output]}
    made = {name for node in proto.graph.node for name in node.output}
    made |= {weight.name for weight in proto.graph.initializer}
    missing = [name for name in names if name not in known and name not in made]
    if missing:
        raise usage_error(f"the model has no value {', '.join(map(repr, missing))}")
    outputs = [known.get(name) or onnx.ValueInfoProto(name=name) for name in names]
    del proto.graph.output[:]
    proto.graph.output.extend(outputs)
    return proto


def _values(names: Sequence[str], given: Given) -> dict[str, torch.Tensor]:
    """The arguments as the inputs of the model, in their order."""
    tensors = (torch.as_tensor(value).detach().cpu() for value in given.values(names))
    real = (torch.view_as_real(tensor) if tensor.is_complex() else tensor for tensor in tensors)
    return {name: tensor.resolve_conj().resolve_neg().contiguous() for name, tensor in zip(names, real)}


def _to_ort(tensor: torch.Tensor) -> Any:
    import onnxruntime

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
