"""The files that an export leaves beside the model: reports, dumps, warnings."""

from __future__ import annotations

import io
import json
import os
import time
from typing import Any

from . import _library
from ._errors import usage_error
from ._model import Model
from ._text import visible
from ._warn import warn


def check_paths(model: Any, f: Any, report: Any) -> None:
    """A report in the place of the model, or of what it is made of, would be all that is left."""
    if not report or report is True:
        return
    for what, other in (("f", f), ("model", model)):
        if isinstance(other, (str, os.PathLike)) and _same(os.fspath(report), os.fspath(other)):
            raise usage_error(f"report: {os.fspath(report)} is `{what}`, too; write it elsewhere")


def _same(one: str, other: str) -> bool:
    one, other = os.fsdecode(one), os.fsdecode(other)
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def write(made: Model, report: Any, dump: bool, folder: Any, others: list[str], *, timed: bool) -> None:
    """`report`: True for a file in `folder`, or its path; `others`: the files that the export reads or writes."""
    others = others + [made.report.get("files", {}).get("data_file", "")]
    stamp = time.strftime("%Y-%m-%d_%H-%M-%S")
    if report:
        path = os.path.join(folder, f"onnxport_report_{stamp}.json") if report is True else os.fspath(report)
        text = json.dumps(made.report | {"remarks": made.remarks}, indent=2)
        _library.write_file(path, text.encode(), others)
    if dump and made.exported_program is not None:
        import torch

        program = io.BytesIO()
        torch.export.save(made.exported_program, program)
        _library.write_file(os.path.join(folder, f"onnxport_program_{stamp}.pt2"), program.getvalue(), others)
    if timed:
        for stage in made.report.get("stages", []):
            print(f"onnxport: {stage['name']}: {stage['ms']:.1f} ms")


def tell(made: Model) -> None:
    print(made)
    for remark in made.remarks:
        print(f"onnxport: note: {remark}")


def check(made: Model) -> None:
    """A warning for each output that differs by more than torch.onnx allows."""
    for found in made.verify(rtol=1e-1, atol=5e-3):
        if not found.ok:
            how = found.reason or f"by {found.max_abs:.3g}"
            warn(f"output `{visible(found.output)}` differs from PyTorch's: {how}")
