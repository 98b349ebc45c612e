"""Runs of an exported model and of its module, and what differs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error
from ._values import Difference, Example, Port


@dataclass(frozen=True)
class Given:
    """Arguments of a call, with what is known of the module's; nothing is of a file's."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    example: Example | None = None

    def in_order(self) -> list[Any]:
        """Those that are inputs of the model; what the module has no argument for is behind them."""
        if self.example is None:
            values = pytree.tree_leaves((self.args, dict(self.kwargs)))
            return [value for value in values if value is not None]
        leaves = self.example.leaves_of(tuple(self.args), dict(self.kwargs))
        by_path = {leaf.path: leaf.value for leaf in leaves}
        missing = [".".join(path) for path in self.example.takes if by_path.get(path) is None]
        if missing and not self.kwargs and all(isinstance(leaf.value, torch.Tensor) for leaf in leaves):
            return [leaf.value for leaf in leaves]  # by their places, as the inputs of the model
        if missing:
            raise usage_error(f"the model has inputs that are not given: {', '.join(missing)}")
        known = {leaf.path for leaf in self.example.leaves}
        more = [leaf.value for leaf in leaves if leaf.path not in known and isinstance(leaf.value, torch.Tensor)]
        return [by_path[path] for path in self.example.takes] + more


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
    values = given.in_order()
    if given.example is None and len(values) != len(names):  # other arguments are part of the model
        values = [value for value in values if isinstance(value, torch.Tensor)]
    if len(values) != len(names):
        raise usage_error(f"the model has {len(names)} inputs ({', '.join(names)}), "
                          f"and {len(values)} tensors are given")  # fmt: skip
    tensors = (torch.as_tensor(value).detach().cpu() for value in values)
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


def badness(difference: Difference) -> tuple[bool, float]:
    return not difference.ok, difference.max_abs
