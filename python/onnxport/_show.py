"""A model in a line of text, and as a table for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._text import visible
from ._values import Port


def type_text(port: Port) -> str:
    """`float32[batch, 3]`"""
    text = port.dtype if port.shape is None else f"{port.dtype}[{', '.join(map(str, port.shape))}]"
    return visible(f"sequence of {text}" if port.is_sequence else text)


def line(report: Mapping[str, Any], inputs: Iterable[Port], seconds: float, path: str | None) -> str:
    """`m.onnx: 12 nodes, opset 18, x: float32[batch, 3], 1.2 MB, 0.84 s`"""
    ports = [f"{visible(port.name)}: {type_text(port)}" for port in inputs]
    parts = [_count(report["nodes"], "node"), f"opset {report['options']['opset']}", *ports]
    if path is not None:
        parts.append(size_text(report))
    return f"{visible(path or 'in memory')}: {', '.join(parts)}, {seconds:.2f} s"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def size_text(report: Mapping[str, Any]) -> str:
    """The size of the files that the last export has written."""
    files = report.get("files", {})
    size = float(files.get("model_bytes", 0) + files.get("data_bytes", 0))
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def table(report: Mapping[str, Any], inputs: Sequence[Port], outputs: Sequence[Port], remarks: Iterable[str]) -> str:
    """HTML with inputs, outputs, axes and remarks."""
    head = f"ONNX model, opset {report['options']['opset']}, {_count(report['nodes'], 'node')}, "
    head += _count(report["weights"], "weight")
    if "files" in report:
        head += f", {size_text(report)}"
    rows = [(kind, port.name, type_text(port)) for kind, ports in (("input", inputs), ("output", outputs)) for port in ports]
    rows += [("axis", name, _axis_text(said)) for name, said in report.get("axes", {}).items()]
    cells = "".join(f"<tr>{''.join(f'<td>{_escaped(text)}</td>' for text in row)}</tr>" for row in rows)
    notes = "".join(f"<li>{_escaped(remark)}</li>" for remark in remarks)
    return f"<p>{_escaped(head)}</p><table>{cells}</table>" + (f"<ul>{notes}</ul>" if notes else "")


def _axis_text(said: Mapping[str, Any]) -> str:
    low, high = said.get("min"), said.get("max")
    sizes = f"{low or 0} and more" if high is None else f"{low or 0} to {high}"
    return f"axis {said['axis']} of {said['input']}, {sizes}"


def _escaped(text: str) -> str:
    return html.escape(visible(text))
