"""Failures as values, with the text that the command prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._kin import with_theirs
from ._text import visible, visible_lines

_SHOWN_SITES = 5

# Codes of what this package itself refuses (onnxport/codes.h).
USAGE = "E0001"
UNSUPPORTED_PROGRAM = "E0100"
AXIS_IS_NARROWED = "E0105"
NOT_CAPTURED = "E0115"
UNKNOWN_OPERATOR = "E0201"
CANNOT_WRITE = "E0400"


@dataclass(frozen=True)
class Site:
    """A place in the user's program, as far as it is known."""

    module: str = ""
    file: str = ""
    line: int = 0
    code: str = ""
    function: str = ""
    node: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        function = f"in {self.function}" if self.function else ""
        known = [part for part in (self.module, place, self.code, function) if part]
        return "  ".join(known) or self.node


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong; calls of one operator that fail for one reason are one. The reason can be shown,
    whatever PyTorch or a file has in it."""

    code: str  # "E0104": `exporter explain E0104` and docs/codes.md say more
    reason: str
    op: str = ""
    calls: int = 0
    opset: int = 0  # the lowest later opset that can express it
    spec: str = ""
    options: tuple[str, ...] = ()  # that the reason speaks of
    sites: tuple[Site, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", visible(self.reason))

    def __str__(self) -> str:
        text = self.reason
        if self.op:
            text = f"{self.op} ({self.calls} {'call' if self.calls == 1 else 'calls'}): {self.reason}"
        if self.opset:
            text += f"\n      opset {self.opset} can express it"
        places = list(dict.fromkeys(str(site) for site in self.sites))
        for place in places[:_SHOWN_SITES]:
            text += f"\n      {place}"
        if len(places) > _SHOWN_SITES:
            text += f"\n      and {len(places) - _SHOWN_SITES} more places"
        return text


class ExportError(RuntimeError):
    """Why a model was not exported: `kind` ("cannot_export", "usage", "bad_input", "cannot_write", "memory_budget",
    "deadline" or "cancelled"; "capture" where PyTorch itself could not), and all `diagnostics`.

    It is a torch.onnx.errors.OnnxExporterError, too, if torch.onnx is imported."""

    def __new__(cls, *args: Any) -> ExportError:
        return super().__new__(with_theirs(cls, "errors.OnnxExporterError") if cls is ExportError else cls, *args)

    def __init__(self, kind: str, diagnostics: list[Diagnostic], headline: str = ""):
        self.kind = kind
        self.headline = visible(headline)
        self.diagnostics = diagnostics
        between = "\n  " if headline else "\n"
        found = [f"[{diagnostic.code}] {diagnostic}" for diagnostic in diagnostics]
        text = between.join([f"{headline}:"] * bool(headline) + found)
        super().__init__(visible_lines(text))

    def __reduce__(self) -> tuple[Any, ...]:
        return ExportError, (self.kind, self.diagnostics, self.headline)


def usage_error(reason: str) -> ExportError:
    """Arguments that do not fit."""
    return ExportError("usage", [Diagnostic(USAGE, reason)])


def write_error(reason: str) -> ExportError:
    """An output that cannot be written."""
    return ExportError("cannot_write", [Diagnostic(CANNOT_WRITE, reason)])


def error_from_report(report: dict[str, Any]) -> ExportError:
    """The error of a failure's report (docs/c.md)."""
    diagnostics = []
    for found in report.get("diagnostics", []):
        known = {key: found[key] for key in ("code", "op", "calls", "opset", "spec") if key in found}
        options = tuple(found.get("options", ()))
        sites = tuple(Site(**{key: site[key] for key in Site.__annotations__ if key in site})
                      for site in found.get("sites", []))  # fmt: skip
        diagnostics.append(Diagnostic(reason=found["reason"], options=options, sites=sites, **known))
    return ExportError(report.get("kind", "bad_input"), diagnostics, report.get("headline", ""))
