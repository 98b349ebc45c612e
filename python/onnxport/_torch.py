"""Exports of what is in Python's memory."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from . import _autocast, _axes, _capture, _containers, _kept, _library, _ranges
from ._axes import Leaf
from ._capture import Captured
from ._errors import NOT_CAPTURED, UNKNOWN_OPERATOR, USAGE, Diagnostic, ExportError, Site, usage_error
from ._model import Model
from ._options import OWN_NODES, operator_name
from ._progress import bar
from ._trials import Trials
from ._values import Example
from ._warn import warn

_NO_GENERATOR = ("ONNX has no torch.Generator, and a trace keeps it; call the operator without `generator`, as a model draws "
                 "numbers of its own, or take strategy=\"export\"")  # fmt: skip


def export_object(
    model: Any,
    args: Any,
    f: Any,
    options: dict[str, Any],
    *,
    kwargs: Mapping[str, Any] | None,
    input_names: Sequence[str] | None,
    output_names: Sequence[str] | None,
    dynamic_shapes: Any,
    dynamic_axes: Mapping[str, Any] | None,
    training: Any,
    dynamo: bool,
    translations: Mapping[Any, Any],
    strategy: str,
    progress: _library.Progress | bool | None,
) -> Model:
    """Exports what is in Python's memory."""
    if strategy not in _capture.STRATEGIES:
        raise usage_error(f"strategy: write one of {', '.join(_capture.STRATEGIES)}, not {strategy!r}")
    if f is not None and not isinstance(f, (str, os.PathLike)) and not hasattr(f, "write"):
        raise usage_error(f"f: a path or something with `write`, not {type(f).__name__}")
    model = _without_wrapper(model)
    if _knows_its_arguments(model) and not args and not kwargs:
        args, kwargs = model.example_arguments()
        input_names = model.input_names() if input_names is None else input_names
        output_names = model.output_names() if output_names is None else output_names
        dynamic_shapes = model.dynamic_shapes() if dynamic_shapes is None else dynamic_shapes
    model, args, kwargs = _arguments(model, args, kwargs)
    if not dynamo:
        kwargs = _in_order_of_parameters(model, kwargs)
    _containers.register_caches((args, kwargs))
    if _is_captured(model):
        _containers.check((args, kwargs))
    autocast = _autocast.current() if _is_captured(model) else {}
    leaves = _leaves(model, args, kwargs)
    shapes = _read_axes(model, args, kwargs, leaves, dynamic_shapes, dynamic_axes, input_names, output_names)
    names = _names(leaves, input_names, output_names, options)
    options |= names
    output = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    trials = Trials(_callable_of(model), args, kwargs)
    example = Example(_callable_of(model), args, kwargs, lambda *call: _leaves(model, *call), leaves, trials.others,
                      autocast=autocast)  # fmt: skip

    def finish(captured: Captured) -> Model:
        with bar(progress) as report_progress:
            made = Model(
                captured.source,
                captured.options | options | _with_inputs(captured, options),
                name=type(model).__name__,
                output=output,
                progress=report_progress,
                remarks=captured.remarks,
                example=replace(example, modes=_kept.modes_of(model), takes=_inputs_among(captured, leaves)),
                exported_program=captured.program,
                owner=captured.files,
            )
        made._progress = None
        return made

    with _mode(model, training, options), _autocast.of_module(model, autocast):
        request = _capture.Request(model, args, kwargs, leaves, shapes, may_fix=not dynamo)
        ways = _ways(request, strategy)
        try:
            checked = _without_doubts(ways, request, strategy, trials)
            made = _first_that_works(checked, finish, any(leaf.axes for leaf in leaves))
        except ExportError as error:
            raise _explained(error, translations, input_names, names) from error.__cause__
    _warn_of_doubts(made, translations)
    return made


def _explained(
    error: ExportError, translations: Mapping[Any, Any], input_names: Any, names: Mapping[str, Any]
) -> ExportError:
    """In the words of the call in Python, which the library does not know. `names`: the options that `input_names` and
    `output_names` became."""
    refused = error.diagnostics[0].reason if error.diagnostics else ""
    if error.kind == "usage" and "parameter_names" in names and "`parameter_names`" in refused:
        count = len(names["input_names"])
        return usage_error(f"input_names has {len(input_names)} names, and the model {count} "
                           f"{'input' if count == 1 else 'inputs'}; those behind are for weights: {refused}")  # fmt: skip
    found = [replace(one, reason=_NO_GENERATOR) if one.op == "aten::Generator" else one for one in error.diagnostics]
    if found != error.diagnostics:
        error = ExportError(error.kind, found, error.headline)
    return _with_ways_to_translate(error, translations)


def _with_ways_to_translate(error: ExportError, translations: Mapping[Any, Any]) -> ExportError:
    names = {operator_name(operator) for operator in translations}
    lost = [found.op for found in error.diagnostics if found.op in names]
    if not lost:
        return ExportError(error.kind, [_with_ways(found) for found in error.diagnostics], error.headline)
    reason = (f"custom_translation_table has {', '.join(lost)}, but functions of ONNX Script cannot be called here; "
              f"{OWN_NODES}")  # fmt: skip
    return ExportError(error.kind, [*error.diagnostics, Diagnostic(USAGE, reason)], error.headline)


def _with_ways(found: Diagnostic) -> Diagnostic:
    """With the options that make a node of an operator that no spec knows, for this operator."""
    namespace, _, name = found.op.partition(".")[0].partition("::")
    if found.code != UNKNOWN_OPERATOR or found.op == "aten::Generator" or namespace == "prim":
        return found
    ways = f"map={{'{namespace}::{name}': 'my.domain.{name}'}} or fallthrough=True makes it a node of a domain of your own"
    if namespace == "aten":
        ways = f"export what torch.export.export(...).run_decompositions() gives; else {ways}"
    return replace(found, reason=f"{found.reason}; {ways}")


def _warn_of_doubts(made: Model, translations: Mapping[Any, Any]) -> None:
    """Warns about something that is no error, but may give another model than the caller expects."""
    for warning in made.report.get("warnings", []):
        warn(f"[{warning['code']}] {warning['text'].splitlines()[0]}")
    used = {node.target for node in made.exported_program.graph.nodes} if made.exported_program else set()
    ours = [operator_name(operator) for operator in translations if operator in used]
    if ours:
        warn(f"custom_translation_table: {', '.join(ours)} has the exporter's own translation, as functions of ONNX "
             "Script cannot be called here")  # fmt: skip


def _without_wrapper(model: Any) -> Any:
    """The module that DataParallel or torch.compile was given."""
    if isinstance(model, torch.nn.DataParallel):
        return model.module
    return getattr(model, "_orig_mod", model) if isinstance(model, torch.nn.Module) else model


def _knows_its_arguments(model: Any) -> bool:
    kind = getattr(torch.onnx, "ExportableModule", None)
    return kind is not None and isinstance(model, kind)


def _ways(request: _capture.Request, strategy: str) -> Iterator[Captured]:
    model = request.model
    if isinstance(model, torch.export.ExportedProgram):
        yield _capture.of_program(model, request.leaves, of_module=False)
    elif isinstance(model, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        yield _capture.of_script(model, request.leaves)
    elif isinstance(model, torch.nn.Module):
        yield from _capture.capture(request, strategy)
    else:
        raise usage_error(f"model: a Module, ExportedProgram, ScriptModule or path, not {type(model).__name__}")


def _without_doubts(ways: Iterator[Captured], request: _capture.Request, strategy: str,
                    trials: Trials) -> Iterator[Captured]:  # fmt: skip
    """Refuses what would be another model than the module for other values or sizes of the inputs."""
    for captured in ways:
        if captured.program is not None and isinstance(request.model, torch.nn.Module):
            values = _capture.user_inputs(captured.program)
            if len(values) == len(request.leaves):
                _ranges.check(captured.program, request.leaves, values, trials, labels=request.may_fix)
        if captured.frozen and strategy != "trace":
            _refuse_frozen(captured, request)
        yield captured


def _refuse_frozen(captured: Captured, request: _capture.Request) -> None:
    """Whoever asks for the exporter that traces (dynamo=False) gets a trace."""
    places = tuple(Site(file=file, line=line) for file, line in captured.frozen)
    reason = ("a trace keeps what the module reads here of a tensor that depends on its inputs, so that the model would be "
              "wrong for other values; write it with torch.where or torch.cond, or take the trace: "
              "strategy=\"trace\"")  # fmt: skip
    if request.may_fix:
        warn(f"{reason}: {', '.join(map(str, places))}")
        return
    headline = "PyTorch cannot capture the model" + "".join(f"; {text}" for text in captured.remarks[1:])
    raise ExportError("capture", [Diagnostic(NOT_CAPTURED, reason, sites=places)], headline)


def _inputs_among(captured: Captured, leaves: list[Leaf]) -> list[tuple[str, ...]]:
    """The paths of the arguments that are inputs of the model, in their order."""
    if captured.program is None:
        return [leaf.path for leaf in leaves if isinstance(leaf.value, torch.Tensor)]
    kinds = _capture.kinds_of_user_inputs(captured.program)
    if len(kinds) != len(leaves):
        return []
    return [leaf.path for leaf, kind in zip(leaves, kinds) if kind != "ConstantArgument"]


def _first_that_works(ways: Iterator[Captured], finish: Callable[[Captured], Model], has_axes: bool) -> Model:
    """An axis that one way to capture a module fixes may be free in another; the first failure is the one that is
    told. Other reasons against an export are the same in all ways. An axis of 1 may be a contradiction in a program of
    torch.export ("bad_input"), which took a branch for it."""
    first: ExportError | None = None
    while True:
        try:
            captured = next(ways, None)
        except ExportError as error:
            raise first or error from (error.__cause__ if first is None else None)
        if captured is None:
            assert first is not None
            raise first
        try:
            made = finish(captured)
            if first is not None and captured.program is None:
                warn("captured by torch.jit.trace, with the branches and loops that Python took, as the axes are not "
                     "free in what torch.export makes")  # fmt: skip
            return made
        except ExportError as error:
            if error.kind not in ("cannot_export", "bad_input") or not has_axes:
                raise
            if first is None or (first.kind, error.kind) == ("bad_input", "cannot_export"):
                first = error


def _with_inputs(captured: Captured, options: dict[str, Any]) -> dict[str, Any]:
    """Inputs that the caller describes come before what is known of them."""
    said = options.get("inputs", [])
    names = {_described_name(text) for text in said}
    found = [text for text in captured.options.get("inputs", []) if _described_name(text) not in names]
    return {"inputs": [*said, *found]} if said or found else {}


def _is_captured(model: Any) -> bool:
    """Returns whether it is a module that has to be captured first."""
    return isinstance(model, torch.nn.Module) and not isinstance(model, torch.jit.ScriptModule)


def _described_name(described: str) -> str:
    """The name that a description begins with, where the exporter ends it: a key of a dict may hold a "=" itself."""
    for quote in "'\"":
        if described.endswith(quote) and f"={quote}" in described:
            return described.partition(f"={quote}")[0]
    closed = 0  # brackets behind the place
    for place in reversed(range(len(described))):
        closed += (described[place] == "]") - (described[place] == "[")
        if described[place] == "=" and closed == 0:
            return described[:place]
    return described


def _callable_of(model: Any) -> Callable[..., Any]:
    if isinstance(model, torch.export.ExportedProgram):
        return lambda *args, **kwargs: model.module()(*args, **kwargs)  # takes a while to make
    return model


# ---- arguments


def _arguments(model: Any, args: Any, kwargs: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    if isinstance(model, torch.export.ExportedProgram):
        if model.example_inputs is None:
            return model, (), {}
        args, kwargs = model.example_inputs
        return model, tuple(args), dict(kwargs)
    args = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    if args and not kwargs and isinstance(args[-1], dict) and _are_keywords(model, args):
        args, kwargs = args[:-1], args[-1]
    return model, args, dict(kwargs or {})


def _in_order_of_parameters(model: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """As the exporter for TorchScript orders them, whose callers name inputs in this order."""
    names = [parameter.name for parameter in _axes.parameters_of(_forward_of(model))]
    ordered = [name for name in names if name in kwargs]
    return {name: kwargs[name] for name in [*ordered, *(name for name in kwargs if name not in ordered)]}


def _are_keywords(model: Any, args: tuple[Any, ...]) -> bool:
    """A last dict has keyword arguments, as torch.onnx takes it, if its keys are parameters that have no value yet."""
    keys = args[-1]
    try:
        parameters = inspect.signature(_forward_of(model)).parameters
    except (TypeError, ValueError):
        return all(isinstance(key, str) for key in keys)
    free = list(parameters.values())[len(args) - 1 :]
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in free)
    return all(takes_all or key in {parameter.name for parameter in free} for key in keys)


def _forward_of(model: Any) -> Callable[..., Any]:
    return getattr(model, "forward", model)


def _leaves(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Leaf]:
    if not isinstance(model, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        forward = model.graph_module.forward if isinstance(model, torch.export.ExportedProgram) else _forward_of(model)
        leaves = _axes.leaves_of(forward, args, kwargs)
        return _named_by_program(model, leaves, kwargs) if isinstance(model, torch.export.ExportedProgram) else leaves
    is_module = isinstance(model, torch.jit.ScriptModule)
    arguments = model.forward.schema.arguments[1:] if is_module else model.schema.arguments
    names = [argument.name for argument in arguments]
    return _axes.leaves_of(lambda: None, (), dict(zip(names, args)) | kwargs)


def _named_by_program(
    program: torch.export.ExportedProgram, leaves: list[Leaf], kwargs: Mapping[str, Any]
) -> list[Leaf]:
    """A program knows the names of the arguments of the module that it was made of. Those by keyword have them."""
    names = getattr(program.module_call_graph[0].signature, "forward_arg_names", None)
    if names:
        tops = list(dict.fromkeys(leaf.path[0] for leaf in leaves if leaf.path[0] not in kwargs))
        renamed = dict(zip(tops, names))
        for leaf in leaves:
            leaf.parameter = renamed.get(leaf.path[0], leaf.path[0])
            leaf.path = (leaf.parameter, *leaf.path[1:])
    return leaves


def _read_axes(model: Any, args: Any, kwargs: Any, leaves: list[Leaf], dynamic_shapes: Any, dynamic_axes: Any,
               input_names: Any, output_names: Any) -> Any:  # fmt: skip
    """Notes the axes in the leaves; returns dynamic_shapes for torch.export."""
    is_captured = _is_captured(model)
    if dynamic_shapes:
        if dynamic_axes:
            warn("dynamic_axes is not read, as dynamic_shapes is given")
        said = _axes.read_dynamic_shapes(leaves, dynamic_shapes)
        _axes.join_sums(leaves)
        return _axes.nested_shapes(said, leaves, _forward_of(model), args, kwargs) if is_captured else None
    if not dynamic_axes:
        return None
    _axes.read_dynamic_axes(leaves, dynamic_axes, input_names or (), output_names or ())
    _axes.join_sums(leaves)
    return _axes.shapes_from_leaves(leaves, _forward_of(model), args, kwargs) if is_captured else None


def _names(leaves: list[Leaf], input_names: Any, output_names: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Names beyond the inputs are those of parameters, as torch.onnx has it."""
    if isinstance(input_names, str) or isinstance(output_names, str):
        raise usage_error("input_names, output_names: lists of names, not a text")
    found: dict[str, Any] = {}
    if input_names:
        count = sum(isinstance(leaf.value, torch.Tensor) for leaf in leaves) if leaves else len(input_names)
        found["input_names"] = list(input_names[:count])
        if input_names[count:] and "parameter_names" not in options:
            found["parameter_names"] = list(input_names[count:])
    if output_names:
        found["output_names"] = list(output_names)
    return found


@contextlib.contextmanager
def _mode(model: Any, training: Any, options: dict[str, Any]) -> Iterator[None]:
    """The module's own mode, unless `training` says another; it is put back."""
    mode = getattr(training, "name", training)
    if not isinstance(model, torch.nn.Module) or isinstance(model, torch.jit.ScriptModule):
        if mode in ("TRAINING", "PRESERVE"):
            options["training"] = True
        yield
        return
    before = {module: module.training for module in model.modules()}
    if mode in ("EVAL", "TRAINING"):
        model.train(mode == "TRAINING")
    if any(module.training for module in model.modules()):
        options["training"] = True
        if mode is None:
            warn("the model is in training mode, and so is the exported one: call model.eval() before, unless this is "
                 "meant")  # fmt: skip
    try:
        yield
    finally:
        for module, was in before.items():
            module.training = was
