"""Captures Python objects as something that the library reads: a program of torch.export, or traces of TorchScript."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from . import _asked, _axes, _kept, _program, _ranges, _reads
from ._archive import Pieces
from ._axes import Axis, Leaf
from ._errors import NOT_CAPTURED, Diagnostic, ExportError
from ._folder import Folder
from ._warn import warn

STRATEGIES = ("auto", "export", "trace")


@dataclass
class Request:
    """The request for which a module is captured."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    leaves: list[Leaf]  # of the arguments
    shapes: Any = None  # dynamic_shapes of torch.export, with names as texts
    may_fix: bool = False  # axes that the module fixes may be numbers in the model, though they are asked for
    remarks: list[str] = field(default_factory=list)


@dataclass
class Captured:
    """A model to read, with what has to be said of it."""

    source: str | Pieces
    options: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    program: torch.export.ExportedProgram | None = None
    files: Any = None  # a folder with more traces, which lives as long
    frozen: list[_reads.Place] = field(default_factory=list)  # lines that read what inputs hold, which a trace keeps


def capture(request: Request, strategy: str) -> Iterator[Captured]:
    """The ways to capture a module, each when it is asked for, the best first; raises where none is left."""
    errors: list[Exception] = []
    for attempt in _attempts(strategy, request):
        try:
            with _asked.in_onnx_export():
                captured = attempt(request)
        except Exception as error:
            errors.append(error)
            continue
        if captured is None:
            continue
        captured.remarks.extend(request.remarks)
        if errors:
            captured.remarks.append(f"torch.export could not capture it otherwise: {_first_line(errors[0])}")
            if captured.program is None:
                warn("captured by torch.jit.trace, with the branches and loops that Python took, as torch.export "
                     f"failed: {_first_line(errors[0])}")  # fmt: skip
        yield captured
    if errors:
        raise _capture_error(errors) from errors[-1]


def _attempts(strategy: str, request: Request) -> Iterator[Callable[[Request], Captured | None]]:
    exports = [] if strategy == "trace" else [_by_export, _by_export_of_what_is_free]
    yield from exports
    may_fix = request.may_fix and request.shapes is not None
    if may_fix and _fix_refused_axes(request):
        yield from exports
    if strategy != "export":
        yield by_trace
    if may_fix and strategy != "trace":
        yield _by_export_with_fixed_axes


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    if isinstance(error, ExportError):
        return text.splitlines()[0]
    lines = text.splitlines()
    if "Constraints violated" in text:  # which ones is what the lines behind the first say
        lines = ["; ".join(line[4:] for line in lines if line.startswith("  - ")) or lines[0]]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _capture_error(errors: list[Exception]) -> ExportError:
    reasons = dict.fromkeys(_first_line(error) for error in errors)
    headline = "PyTorch cannot capture the model"
    return ExportError("capture", [Diagnostic(NOT_CAPTURED, reason) for reason in reasons], headline)


# ---- torch.export


def _by_export(request: Request) -> Captured:
    shapes = None if request.shapes is None else _axes.for_torch_export(request.shapes)
    return of_program(_program_of(request, shapes), request.leaves)


def _by_export_of_what_is_free(request: Request) -> Captured | None:
    """torch.export makes numbers of some axes, and says so only where it may choose. Then these are numbers from the
    start: the library frees them if no call needs the number, or says which one does."""
    if request.shapes is None:
        return None
    program = _program_of(request, _axes.for_torch_export(request.shapes, relaxed=True))
    _note_fixed_axes(request, program)
    if any(leaf.fixed for leaf in request.leaves):
        program = _program_of(request, _shapes(request))
    return of_program(program, request.leaves)


def _by_export_with_fixed_axes(request: Request) -> Captured | None:
    """Axes that torch.export fixes are numbers, such as one token where others are in a cache."""
    ones = any(leaf.fixed for leaf in request.leaves)
    if not ones:
        relaxed = _axes.for_torch_export(request.shapes, relaxed=True)
        _note_fixed_axes(request, _program_of(request, relaxed, ones=False))
    if not _fix(request):
        return None
    return of_program(_program_of(request, request.shapes, ones=ones), request.leaves)


def _fix_refused_axes(request: Request) -> bool:
    """torch.onnx.export(dynamo=False) only labels axes: its callers name those of which a module takes one size alone,
    such as the channels of an image."""
    refused = {name for name, size in _sizes_that_work(request, request.leaves).items() if size is None}
    for leaf in request.leaves:
        leaf.fixed = {number for number, axis in leaf.axes.items() if axis.name in refused}
    return _fix(request)


def _fix(request: Request) -> bool:
    told = _axes.fix(request.leaves)
    if told:
        request.shapes = _shapes(request)
        request.remarks.append(f"the module fixes axes that dynamic_axes has free: {', '.join(told)}")
        warn(request.remarks[-1])
    return bool(told)


def _shapes(request: Request) -> Any:
    return _axes.shapes_from_leaves(request.leaves, request.model.forward, request.args, request.kwargs)


def _note_fixed_axes(request: Request, program: torch.export.ExportedProgram) -> None:
    for leaf, value in zip(request.leaves, user_inputs(program)):
        if isinstance(value, torch.Tensor):
            leaf.fixed = {axis for axis in leaf.axes if _number(value.shape[axis]) is not None}


def _program_of(request: Request, shapes: Any, *, ones: bool = True) -> torch.export.ExportedProgram:
    """`ones`: axes of size 1 may be free."""
    args, kwargs = pytree.tree_map_only(torch.Tensor, _kept.handle_of, (request.args, request.kwargs))
    with _sizes_of_one_may_be_free() if ones else contextlib.nullcontext(), warnings.catch_warnings():
        # torch.nn.LSTM and its kin note their own weights again, and PyTorch takes that for a write.
        warnings.filterwarnings("ignore", r"The tensor attributes? self\.(\w+\.)*_flat_weights")
        return torch.export.export(request.model, args, kwargs or None, dynamic_shapes=shapes, strict=False)


def user_inputs(program: torch.export.ExportedProgram) -> list[Any]:
    """Returns the values that stand for the arguments, in their order."""
    kind = torch.export.graph_signature.InputKind.USER_INPUT
    values = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
    specs = [spec for spec in program.graph_signature.input_specs if spec.kind == kind]
    return [values.get(getattr(spec.arg, "name", None)) for spec in specs]


def kinds_of_user_inputs(program: torch.export.ExportedProgram) -> list[str]:
    """Returns the kind of each argument in the signature: "TensorArgument", or "ConstantArgument" for one that is part
    of it."""
    kind = torch.export.graph_signature.InputKind.USER_INPUT
    return [type(spec.arg).__name__ for spec in program.graph_signature.input_specs if spec.kind == kind]


def _number(size: Any) -> int | None:
    """Returns the number if the axis has a fixed size."""
    text = str(size)
    return int(text) if text.isdigit() else None


@contextlib.contextmanager
def _sizes_of_one_may_be_free() -> Iterator[None]:
    """An axis that is 1 in the example is free if it is asked for, as in torch.onnx."""
    try:
        patch = torch.fx.experimental._config.patch(backed_size_oblivious=True)  # type: ignore[attr-defined]
    except (AttributeError, KeyError):
        yield
        return
    with patch:
        yield


def of_program(program: torch.export.ExportedProgram, leaves: list[Leaf], *, of_module: bool = True) -> Captured:
    """A program, with the names of its axes; of a module also with their ranges, which _ranges.check judges."""
    captured = Captured(_program.pieces_of(program), program=program)
    inputs = _name_axes(program, leaves, captured.remarks, with_ranges=of_module)
    if inputs:
        captured.options["inputs"] = inputs
    return captured


def _name_axes(program: torch.export.ExportedProgram, leaves: list[Leaf], remarks: list[str], *,
               with_ranges: bool) -> list[str]:  # fmt: skip
    """`x=float32[batch,3]` for each input with a named axis."""
    values = user_inputs(program)
    if len(values) != len(leaves):
        if any(leaf.axes for leaf in leaves):
            remarks.append("the program has other inputs than the arguments: its axes keep the names of the program")
        return []
    texts = []
    names: dict[str, str] = {}  # of symbols
    for leaf, value in zip(leaves, values):
        if leaf.axes and isinstance(value, torch.Tensor):
            axes = {i: _ranged(program, value.shape[i], axis) if with_ranges else axis for i, axis in leaf.axes.items()}
            dims = [_dim_text(value.shape[i], axes.get(i), names, remarks) for i in range(value.dim())]
            texts.append(f"{leaf.name}={_axes.dtype_word(value)}[{','.join(dims)}]")
    return texts


def _ranged(program: torch.export.ExportedProgram, size: Any, axis: Axis) -> Axis:
    """With the range that it has in the program, where that is not any size."""
    symbol = getattr(getattr(size, "node", None), "expr", None)
    low, high = _ranges.bounds_of(program, symbol)
    if axis.parts or (low <= 2 and high is None):
        return axis
    least = low if low > 2 else axis.min
    return replace(axis, name=axis.name or str(symbol), min=least, max=axis.max if high is None else high)


def _dim_text(size: Any, axis: Axis | None, names: dict[str, str], remarks: list[str]) -> str:
    symbol = str(size)
    if _number(size) is not None:
        return symbol if axis is None else _axes.axis_text(axis)
    if axis is not None and axis.parts:
        return names.setdefault(symbol, _axes.axis_text(axis))
    if axis is None or axis.name is None:
        return names.get(symbol, "?")
    text = _axes.axis_text(axis)
    if not symbol.isidentifier():  # an expression of others
        return "?"
    known = names.setdefault(symbol, text)
    if known != text:
        remarks.append(f"the axis `{axis.name}` is called `{known.partition('=')[0]}`, as it has the same size")
    return known


# ---- TorchScript


def of_script(model: Any, leaves: list[Leaf]) -> Captured:
    """A scripted or traced module, with the arguments as descriptions of its inputs. torch.jit.save copies it."""
    buffer = io.BytesIO()
    with _without_deprecations():
        torch.jit.save(model, buffer)
    captured = Captured(Pieces.of_bytes(buffer.getvalue()))
    if leaves:
        captured.options["inputs"] = [_input_text(leaf) for leaf in leaves]
    return captured


def _input_text(leaf: Leaf) -> str:
    value = leaf.value
    if isinstance(value, torch.Tensor):
        dims = [_traced_axis_text(leaf.axes[i]) if i in leaf.axes else str(size) for i, size in enumerate(value.shape)]
        return f"{leaf.name}={_axes.dtype_word(value)}[{','.join(dims)}]"
    word = {None: "none", True: "true", False: "false"}.get(value, value) if not _is_number(value) else repr(value)
    return f"{leaf.name}={word}"


def _traced_axis_text(axis: Axis) -> str:
    return "?" if axis.parts else _axes.axis_text(axis)  # the traces show what it is a sum of


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def by_trace(request: Request) -> Captured:
    """One trace, or two of different sizes if axes are to be free: what differs depends on them."""
    leaves = [leaf for leaf in request.leaves if isinstance(leaf.value, torch.Tensor)]
    traced, frozen = _trace_and_what_it_froze(request, [leaf.value for leaf in leaves])
    names = _names_of_inputs(traced)
    described = [Leaf((name,), leaf.value, dict(leaf.axes)) for name, leaf in zip(names, leaves)]
    for leaf in described:
        for axis, said in leaf.axes.items():
            if said.name is None and not said.parts:
                leaf.axes[axis] = Axis(f"{leaf.name}_axis{axis}")
    captured = of_script(traced, described if len(described) == len(leaves) else [])
    captured.frozen = frozen
    captured.remarks.append("captured by torch.jit.trace: branches and loops are those that Python took")
    if any(leaf.axes for leaf in leaves):
        captured.files = Folder()
        path = os.path.join(captured.files.name, "other.pt")
        with warnings.catch_warnings():  # that the first trace has given
            warnings.simplefilter("ignore")
            torch.jit.save(_trace_of_other_sizes(request, described), path)
        captured.options["other_traces"] = [{"source": path}]
        captured.remarks[-1] += "; a second trace, of other sizes, says what depends on them"
    return captured


def _trace_and_what_it_froze(request: Request, examples: list[torch.Tensor]) -> tuple[Any, list[_reads.Place]]:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", torch.jit.TracerWarning)
        traced = _trace(request, examples)
    for said in warned:  # after the filters of the caller
        warnings.warn_explicit(said.message, said.category, said.filename, said.lineno)
    call = _Flat(request, *pytree.tree_flatten((request.args, request.kwargs)))
    given = [example.clone() for example in examples]
    with _kept.state_put_back(request.model):
        return traced, _reads.frozen_reads(lambda: call._call(tuple(given)), given, warned)


def _trace(request: Request, examples: list[torch.Tensor]) -> Any:
    flat, spec = pytree.tree_flatten((request.args, request.kwargs))
    is_plain = not request.kwargs and all(isinstance(value, torch.Tensor) for value in request.args)
    model = request.model if is_plain and isinstance(request.model, torch.nn.Module) else _Flat(request, flat, spec)
    with torch.no_grad(), _without_deprecations():
        return torch.jit.trace(model, tuple(example.clone() for example in examples), strict=False, check_trace=False)


@contextlib.contextmanager
def _without_deprecations() -> Iterator[None]:
    """Hides warnings of torch.jit, which the caller has not called."""
    with warnings.catch_warnings():
        for kind in (DeprecationWarning, FutureWarning):
            warnings.simplefilter("ignore", kind)
        yield


class _Flat(torch.nn.Module):
    """A module of tensors alone; other arguments are what they were. Its weights have the names of the module's."""

    def __init__(self, request: Request, flat: list[Any], spec: Any):
        super().__init__()
        for part in ("_modules", "_parameters", "_buffers"):
            self.__dict__[part] = request.model.__dict__[part]
        self._model = [request.model]
        self._flat = flat
        self._spec = spec
        self.forward = self._named(request.leaves)  # type: ignore[method-assign]

    def _named(self, leaves: list[Leaf]) -> Callable[..., Any]:
        """torch.jit.trace names inputs after parameters, and without any after what the module calls them inside."""

        def forward(*tensors: torch.Tensor) -> Any:
            return self._call(tensors)

        names = [re.sub(r"\W", "_", leaf.name) for leaf in leaves if isinstance(leaf.value, torch.Tensor)]
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        if len(set(names)) == len(names) and all(name.isidentifier() for name in names):
            signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
            forward.__signature__ = signature  # type: ignore[attr-defined]
        return forward

    def _call(self, tensors: tuple[torch.Tensor, ...]) -> Any:
        given = iter(tensors)
        flat = [next(given) if isinstance(value, torch.Tensor) else value for value in self._flat]
        args, kwargs = pytree.tree_unflatten(flat, self._spec)
        results = pytree.tree_leaves(self._model[0](*args, **kwargs))
        found = [value for value in results if isinstance(value, torch.Tensor)]
        return found[0] if len(found) == 1 else tuple(found)


def _names_of_inputs(traced: Any) -> list[str]:
    return [argument.name for argument in traced.forward.schema.arguments[1:]]


def _trace_of_other_sizes(request: Request, leaves: list[Leaf]) -> Any:
    sizes = _sizes_unlike_others(leaves)
    try:
        return _trace(request, [_of_sizes(leaf, sizes) for leaf in leaves])
    except Exception as error:
        found = _sizes_that_work(request, leaves)
        if None not in found.values():
            return _trace(request, [_of_sizes(leaf, found) for leaf in leaves])  # type: ignore[arg-type]
        names = ", ".join(name for name, size in found.items() if size is None)
        reason = f"the module takes no other size of {names}: {_first_line(error)}"
        raise ExportError("capture", [Diagnostic(NOT_CAPTURED, reason)]) from error


def _sizes(leaves: list[Leaf]) -> dict[str, int]:
    """In the example, of each name."""
    named = ((axis.name, leaf.value.shape[number]) for leaf in leaves for number, axis in leaf.axes.items())
    return {name: size for name, size in named if name is not None}


def _sizes_unlike_others(leaves: list[Leaf]) -> dict[str, int]:
    """For each name one that nothing else has."""
    taken = {size for leaf in leaves for size in leaf.value.shape}
    sizes = {}
    for name, size in _sizes(leaves).items():
        sizes[name] = next(other for other in itertools.count(size + 2) if other not in taken)
        taken.add(sizes[name])
    return sizes


def _sizes_that_work(request: Request, leaves: list[Leaf]) -> dict[str, int | None]:
    """For each name another size that the module takes, None if it takes none. Multiples are for images of 32 n pixels,
    smaller sizes for an example that is as long as can be."""
    tensors = [leaf for leaf in leaves if isinstance(leaf.value, torch.Tensor)]
    known = _sizes(tensors)
    call = _Flat(request, *pytree.tree_flatten((request.args, request.kwargs)))

    def works(changed: dict[str, int]) -> bool:
        with torch.no_grad(), contextlib.suppress(Exception):
            call._call(tuple(_of_sizes(leaf, known | changed) for leaf in tensors))
            return True
        return False

    found: dict[str, int | None] = {}
    for name, size in known.items():
        others = [size + 2, *(size * times for times in range(2, 6)), size - 1, size // 2]
        usable = [other for other in others if other > 0 and other not in {*known.values(), *found.values()}]
        alike = [other for other in known if known[other] == size]  # perhaps all have to be the same
        found[name] = next((other for other in usable if works({name: other})), None) or next(
            (other for other in usable if len(alike) > 1 and works(dict.fromkeys(alike, other))), None
        )
    return found


def _of_sizes(leaf: Leaf, sizes: Mapping[str, int]) -> torch.Tensor:
    tensor = leaf.value
    for axis, said in leaf.axes.items():
        parts = said.parts or (said.name or "",)
        size = sum(int(part) if part.isdigit() else sizes[part] for part in parts)
        if tensor.shape[axis] == 0:
            tensor = tensor.new_zeros([*tensor.shape[:axis], size, *tensor.shape[axis + 1 :]])
        else:
            tensor = tensor.index_select(axis, torch.arange(size, device=tensor.device) % tensor.shape[axis])
    return tensor
