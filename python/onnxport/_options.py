"""Parameters of `export` as options of the library (docs/options.md)."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from ._errors import usage_error
from ._model import external_data_word
from ._warn import warn

OWN_NODES = "map={'my::op': 'my.domain.Node'} or fallthrough=True make operators nodes of a domain of your own"


def of_torch(
    *,
    opset_version: int | None,
    external_data: bool | str | None,
    simplified: bool,
    export_params: bool,
    keep_initializers_as_inputs: bool | None,
    operator_export_type: Any,
    custom_opsets: Mapping[str, int] | None,
    export_modules_as_functions: bool | Collection[Any],
    autograd_inlining: bool,
) -> dict[str, Any]:
    """Those of torch.onnx.export."""
    if not autograd_inlining:
        warn("autograd_inlining=False has no counterpart: functions of autograd are their calls")
    options: dict[str, Any] = {}
    if opset_version is not None:
        options["opset"] = opset_version
    if external_data is not None:
        options["external_data"] = external_data_word(external_data)
    if not simplified:
        options["disabled_passes"] = "all"
    if not export_params:
        options["weights_as_inputs"] = True
    if keep_initializers_as_inputs:
        options["keep_initializers_as_inputs"] = True
    if export_modules_as_functions:
        options["functions"] = _functions(export_modules_as_functions)
    kind = getattr(operator_export_type, "name", operator_export_type)
    if kind in ("ONNX_FALLTHROUGH", "ONNX_ATEN_FALLBACK"):
        options["fallthrough"] = True
    elif kind not in (None, "ONNX"):
        raise usage_error(f"operator_export_type: {kind} has no counterpart; {OWN_NODES}")
    if custom_opsets:
        options["domain_versions"] = dict(custom_opsets)
    return options


def _functions(wanted: bool | Collection[Any]) -> list[str]:
    if wanted is True:
        return []
    if isinstance(wanted, str) or wanted is False:
        raise usage_error("functions: True, or a list of classes or their names")
    return [kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}" for kind in wanted]


def of_our_own(options: Mapping[str, Any], of_torch_onnx: Mapping[str, Any]) -> dict[str, Any]:
    """Options that torch.onnx.export does not have, as JSON has them. Those that are None are left out."""
    said = {key: _plain(value) for key, value in options.items() if value is not None}
    if twice := sorted(set(said) & set(of_torch_onnx)):
        raise usage_error(f"given twice, here and as a parameter of torch.onnx.export: {', '.join(twice)}")
    if isinstance(said.get("map"), dict):
        said["map"] = [f"{operator_name(operator)}={node}" for operator, node in said["map"].items()]
    if "functions" in said:
        wanted = said.pop("functions")
        if wanted:
            said["functions"] = _functions(wanted)
    return said


def operator_name(operator: Any) -> str:
    """`my::op` also of torch.ops.my.op, of its overload, and of what torch.library.custom_op gives."""
    if callable(getattr(operator, "name", None)):  # an overload
        return operator.name()
    return getattr(operator, "_qualified_op_name", None) or getattr(operator, "_qualname", None) or str(operator)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple, set, frozenset)) else value
