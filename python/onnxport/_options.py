"""Parameters of `export` as options of the library (docs/c.md)."""

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
    nodes: dict[str, Any] = {}
    kind = getattr(operator_export_type, "name", operator_export_type)
    if kind in ("ONNX_FALLTHROUGH", "ONNX_ATEN_FALLBACK"):
        nodes["fallthrough"] = True
    elif kind not in (None, "ONNX"):
        raise usage_error(f"operator_export_type: {kind} has no counterpart; {OWN_NODES}")
    if custom_opsets:
        nodes["domain_versions"] = dict(custom_opsets)
    if nodes:
        options["custom_nodes"] = nodes
    return options


def _functions(wanted: bool | Collection[Any]) -> list[str]:
    if wanted is True:
        return []
    if isinstance(wanted, str) or wanted is False:
        raise usage_error("functions: True, or a list of classes or their names")
    return [kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}" for kind in wanted]


def of_our_own(
    options: dict[str, Any],
    *,
    map: Mapping[str, str] | None,
    fallthrough: bool,
    weights: str | os.PathLike[str] | None,
    quantized_weights: str | Mapping[str, Any] | None,
    half_precision: str | Mapping[str, Any] | None,
    functions: Any,
    metadata: bool,
    specs: Any,
    by_name: Mapping[str, Any] | None,
    **same: Any,
) -> dict[str, Any]:
    """Those that torch.onnx.export has not, added to its own."""
    if specs is not None:
        raise usage_error(f"specs: entries in YAML need an exporter built with them (docs/rules.md); {OWN_NODES}")
    options |= {key: list(value) if isinstance(value, tuple) else value for key, value in same.items() if value}
    if map or fallthrough:
        nodes = options.setdefault("custom_nodes", {})
        if map:
            nodes["mappings"] = [f"{operator}={node}" for operator, node in map.items()]
        if fallthrough:
            nodes["fallthrough"] = True
    if weights is not None:
        options["weights"] = os.fspath(weights)
    for key, wanted in (("quantized_weights", quantized_weights), ("half_precision", half_precision)):
        if wanted is not None:
            options[key] = {"type": wanted} if isinstance(wanted, str) else dict(wanted)
    if functions:
        options["functions"] = _functions(functions)
    if not metadata:
        options["metadata"] = False
    return options | dict(by_name or {})
