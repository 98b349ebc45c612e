"""Runs programs of others with onnxport in the place of torch.onnx.export.

Both exporters make each of their exports, and this compares names, axes and opset. It also compares the results of our
file in ONNX Runtime with PyTorch, with the program's arguments and with those of other sizes.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from torch.utils import _pytree as pytree

import onnxport

ATOL, RTOL = 2e-4, 2e-3  # models of random weights, of up to a hundred layers


@dataclass
class Call:
    """One call of torch.onnx.export."""

    model: str
    differences: list[str] = field(default_factory=list)  # from the model of torch.onnx
    wrong: list[str] = field(default_factory=list)
    off: float = 0.0
    sizes: str = "-"  # what other sizes gave
    nodes: str = ""
    theirs: str = ""  # why torch.onnx has no model


class Recorder:
    """Stands in the place of torch.onnx.export."""

    def __init__(self, theirs: Callable[..., Any], ours: Callable[..., Any], both: bool):
        self.calls: list[Call] = []
        self._theirs = theirs
        self._ours = ours
        self._both = both
        functools.update_wrapper(self, ours)  # programs look at its signature

    def __call__(self, model: Any, args: Any = (), f: Any = None, **kwargs: Any) -> Any:
        call = Call(type(model).__name__)
        self.calls.append(call)
        with tempfile.TemporaryDirectory() as folder:
            made = self._ours(model, args, f, **kwargs)
            ours = f if isinstance(f, (str, os.PathLike)) else os.path.join(folder, "ours.onnx")
            if ours is not f:
                made.save(ours)
            proto = onnx.load(ours, load_external_data=False)
            call.nodes = f"{len(proto.graph.node)}"
            _run(call, made, ours)
            reference = None  # is made last: torch.onnx may leave the module changed
            if self._both:
                reference = self._export_theirs(call, model, args, os.path.join(folder, "theirs.onnx"), kwargs)
            if reference is not None:
                call.nodes += f"/{len(reference.graph.node)}"
                call.differences += _differences(proto, reference)
        return made

    def _export_theirs(self, call: Call, model: Any, args: Any, path: str, kwargs: Any) -> Any:
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._theirs(model, copy.deepcopy(args), path, **kwargs)
            return onnx.load(path, load_external_data=False)
        except Exception as error:
            call.theirs = f"{type(error).__name__}: {str(error).strip().splitlines()[0][:100]}"
            return None


def _differences(ours: Any, theirs: Any) -> Iterator[str]:
    for kind in ("input", "output"):
        mine, other = _ports(getattr(ours.graph, kind)), _ports(getattr(theirs.graph, kind))
        if list(mine) != list(other):
            yield f"{kind}s {_listed(mine)} instead of {_listed(other)}"
        for name in mine:
            if name in other and mine[name] != other[name]:
                yield f"{name}: {mine[name]} instead of {other[name]}"
    mine, other = ours.opset_import[0].version, theirs.opset_import[0].version
    if mine != other:
        yield f"opset {mine} instead of {other}"


def _listed(names: Any) -> str:
    shown = list(names)
    return ", ".join(shown) if len(shown) < 40 else f"{', '.join(shown[:3])} and {len(shown) - 3} more"


def _ports(values: Any) -> dict[str, str]:
    found = {}
    for value in values:
        tensor = value.type.tensor_type
        dims = [dim.dim_param or (str(dim.dim_value) if dim.HasField("dim_value") else "?") for dim in tensor.shape.dim]
        found[value.name] = f"{onnx.TensorProto.DataType.Name(tensor.elem_type)}[{','.join(dims)}]"
    return found


def _run(call: Call, made: onnxport.Model, path: Any) -> None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if made._options.get("training"):  # the optimiser drops dropout
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    example = made._example
    _compare(call, session, example, example.args, example.kwargs)
    some = "warnings" in made.report
    for times in (2,) if some else (1, 2):  # some modules take multiples alone
        other = _other_sizes(session, example, times)
        if other is None:
            return
        try:
            with torch.no_grad():
                example.call(*copy.deepcopy(other[0]), **copy.deepcopy(other[1]))
        except Exception as error:
            call.sizes = f"PyTorch: {type(error).__name__}"
            continue
        before = len(call.wrong)
        _compare(call, session, example, *other)
        call.sizes = "ok" if len(call.wrong) == before else "WRONG"
        return


def _feed(session: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    names = [port.name for port in session.get_inputs()]
    values = [value for value in pytree.tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
    if len(values) != len(names):
        raise ValueError(f"{len(values)} tensors for the inputs {names}")
    return {name: value.detach().cpu().numpy() for name, value in zip(names, values)}


def _call_torch(example: Any, args: Any, kwargs: Any) -> list[torch.Tensor]:
    with torch.no_grad():
        values = pytree.tree_leaves(example.call(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
    return [torch.as_tensor(value) for value in values if isinstance(value, (torch.Tensor, bool, int, float))]


def _compare(call: Call, session: Any, example: Any, args: Any, kwargs: Any) -> None:
    expected, again = _call_torch(example, args, kwargs), _call_torch(example, args, kwargs)
    if not all(torch.equal(one, other) for one, other in zip(expected, again)):
        call.differences.append("PyTorch itself gives other numbers in each run")
        return
    try:
        found = session.run(None, _feed(session, args, kwargs))
    except Exception as error:
        call.wrong.append(f"{type(error).__name__}: {str(error).strip().splitlines()[0][:300]}")
        return
    if len(found) != len(expected):
        call.wrong.append(f"{len(found)} outputs instead of {len(expected)}")
    for port, mine, theirs in zip(session.get_outputs(), found, expected):
        other = theirs.detach().cpu().numpy()
        if mine.shape != other.shape or mine.dtype != other.dtype:
            call.wrong.append(f"{port.name}: {mine.dtype}{mine.shape} instead of {other.dtype}{other.shape}")
        elif mine.size:
            off = np.abs(mine.astype(np.float64) - other.astype(np.float64))
            call.off = max(call.off, float(np.nanmax(off)))
            if not np.allclose(mine, other, RTOL, ATOL, equal_nan=True):
                call.wrong.append(f"{port.name} is off by {np.nanmax(off):.3g}")


def _other_sizes(session: Any, example: Any, times: int) -> tuple[Any, Any] | None:
    """Arguments with one more in each named axis, or `times` as many; None if there is no such axis."""
    flat, spec = pytree.tree_flatten((example.args, example.kwargs))
    tensors = [i for i, value in enumerate(flat) if isinstance(value, torch.Tensor)]
    shapes = [port.shape for port in session.get_inputs()]
    if len(tensors) != len(shapes) or not any(isinstance(size, str) for shape in shapes for size in shape):
        return None
    for i, shape in zip(tensors, shapes):
        for axis, size in enumerate(shape):
            if isinstance(size, str) and flat[i].shape[axis]:
                names = sum(not part.strip().isdigit() for part in size.split("+"))  # `past + sequence` grows with both
                count = flat[i].shape[axis]
                wanted = count + names if times == 1 else count * times
                flat[i] = flat[i].index_select(axis, torch.arange(wanted) % count)
    return pytree.tree_unflatten(flat, spec)


def settle(model: torch.nn.Module, *args: Any) -> None:
    """Gives norms the statistics of these inputs, so that the outputs of random weights are neither nothing nor too
    much."""
    norms = [module for module in model.modules() if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)]
    momenta = [norm.momentum for norm in norms]
    was_training = model.training
    model.train()
    with torch.no_grad():
        for norm in norms:
            norm.momentum = 1.0
        model(*args)
        for norm, momentum in zip(norms, momenta):
            norm.momentum = momentum
    model.train(was_training)


def main(programs: dict[str, Callable[[], None]], wanted: list[str]) -> int:
    """Prints a line for each export; the number of programs that failed. `wanted`: beginnings of their names; `--ours`
    leaves torch.onnx out."""
    failed = 0
    both = "--ours" not in wanted
    wanted = [word for word in wanted if word != "--ours"]
    theirs = torch.onnx.export
    for name, program in programs.items():
        if wanted and not any(name.startswith(word) for word in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), onnxport.patch_torch():
            recorder = Recorder(theirs, torch.onnx.export, both)
            torch.onnx.export = recorder
            told = io.StringIO()
            reason = ""
            try:
                with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                    program()
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                told.write(traceback.format_exc())
                reason = f"{type(error).__name__}: {str(error).strip()[:600]}"
            finally:
                torch.onnx.export = onnxport.export  # for the patch to undo
        if not recorder.calls and not reason:
            reason = "never called torch.onnx.export"
        bad = bool(reason) or any(call.wrong for call in recorder.calls)
        failed += bad
        print(f"{'FAIL' if bad else 'ok  '} {name}", flush=True)
        for call in recorder.calls:
            print(f"     {call.model}: off {call.off:.1e}, other sizes {call.sizes}, nodes {call.nodes}", flush=True)
            for text in [*call.wrong, *call.differences, *([f"torch.onnx: {call.theirs}"] if call.theirs else [])]:
                print(f"       {text}")
        if reason:
            print(f"     {reason}")
        if bad and os.environ.get("SHOW_LOG"):
            print(told.getvalue(), file=sys.stderr)
    return failed
