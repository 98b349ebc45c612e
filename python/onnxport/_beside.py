"""A model in a file beside the program in another file: their inputs, runs and outputs."""

from __future__ import annotations

import ast
import json
import operator
import zipfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import onnxruntime
import torch
from torch.utils import _pytree as pytree

from . import _compare, _run
from ._errors import ExportError, usage_error
from ._pairing import Given
from ._text import visible

_TYPES = {
    "float": torch.float32, "double": torch.float64, "float16": torch.float16, "bfloat16": torch.bfloat16,
    "bool": torch.bool, "int8": torch.int8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64,
    "uint8": torch.uint8, "uint16": torch.uint16, "uint32": torch.uint32, "uint64": torch.uint64,
}  # fmt: skip
_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}
_RUNS = 2  # of a model with free axes

Program = Callable[[list[torch.Tensor]], list[torch.Tensor]]  # takes the inputs of the model, in their order


def compare(arguments: Namespace) -> bool:
    """Prints what was compared; returns whether all outputs agree."""
    for library in arguments.load:
        torch.ops.load_library(library)
    session = _open(arguments.model)
    inputs = [_Input.of(port) for port in session.get_inputs()]
    if any(key.startswith("onnxport.state.") for key in session.get_modelmeta().custom_metadata_map):
        raise _cannot("a model with state is compared by exporter-verify, which is compiled (docs/install.md), or by "
                      "`verify()` of the model in Python")  # fmt: skip
    program = _program(arguments.against, inputs, arguments.input)
    tolerances = _compare.Given(arguments.rtol, arguments.atol)
    agree = True
    for name, values in _runs(arguments, inputs, session):
        if name:
            print(name)
        expected = program(values)
        found = _run.run(session, Given(tuple(values), {}))
        if len(found) != len(expected):
            print(f"  differs: the model has {len(found)} outputs, the program {len(expected)}")
            return False
        sizes = {dim: size for port, value in zip(inputs, values) for dim, size in zip(port.dims, value.shape)}
        for port, wanted, got in zip(session.get_outputs(), expected, found):
            judged = _compare.difference(port.name, wanted, got, tolerances)
            stated = _against_type(port, got, sizes)
            agree = agree and judged.ok and not stated
            print(f"  {visible(port.name)} {_type_text(got)}{_text_of(judged)}{stated}")
    return agree


def _against_type(port: Any, found: torch.Tensor, sizes: Mapping[Any, int]) -> str:
    """Says where an output has another shape than the model states."""
    for axis, (said, size) in enumerate(zip(port.shape, found.shape)):
        known = isinstance(said, int) or (said is not None and all(name in sizes for name in _names(said)))
        if known and size != (said if isinstance(said, int) else _size(said, sizes)):
            return f"; differs: axis {axis} is {size}, and the model says {visible(str(said))}"
    return ""


def _text_of(judged: Any) -> str:
    figures = f"max abs error {judged.max_abs:.3g}, max rel error {judged.max_rel:.3g}"
    return f": agrees, {figures}" if judged.ok else f" differs: {judged.reason or figures}"


def _type_text(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}[{','.join(map(str, tensor.shape))}]"


def _cannot(reason: str) -> ExportError:
    return ExportError("bad_input", usage_error(reason).diagnostics)


def _open(path: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


# ---- inputs


@dataclass(frozen=True)
class _Input:
    name: str
    dtype: torch.dtype
    dims: list[int | str]

    @classmethod
    def of(cls, port: Any) -> _Input:
        kind = port.type.removeprefix("tensor(").removesuffix(")")
        if kind not in _TYPES:
            raise _cannot(f"input `{port.name}` is a {port.type}, which is compared by exporter-verify (docs/install.md)")
        dims = [f"{port.name}_axis{i}" if size is None else size for i, size in enumerate(port.shape)]
        return cls(port.name, _TYPES[kind], dims)

    def shape(self, sizes: Mapping[str, int]) -> list[int]:
        found = [dim if isinstance(dim, int) else _size(dim, sizes) for dim in self.dims]
        if min(found, default=0) < 0:
            raise usage_error(f"input `{self.name}` has no such shape: {found}; give --sizes")
        return found


def _tree(dim: str) -> ast.expr:
    """An axis may be a sum of others; any other text is the name of one."""
    try:
        tree = ast.parse(dim, mode="eval").body
    except SyntaxError:
        return ast.Name(dim)
    known = (ast.Name, ast.BinOp, ast.Constant, ast.Load, *_OPERATIONS)
    return tree if all(isinstance(node, known) for node in ast.walk(tree)) else ast.Name(dim)


def _names(dim: str) -> Iterator[str]:
    return (node.id for node in ast.walk(_tree(dim)) if isinstance(node, ast.Name))


def _size(dim: str, sizes: Mapping[str, int]) -> int:
    def value(tree: ast.expr) -> int:
        if isinstance(tree, ast.BinOp):
            return _OPERATIONS[type(tree.op)](value(tree.left), value(tree.right))  # type: ignore[index]
        return sizes[tree.id] if isinstance(tree, ast.Name) else int(tree.value)  # type: ignore[attr-defined]

    return value(_tree(dim))


def _runs(arguments: Namespace, inputs: list[_Input], session: Any) -> Iterator[tuple[str, list[torch.Tensor]]]:
    if arguments.inputs:
        yield arguments.inputs, _given_values(arguments.inputs, inputs)
        return
    ranges = dict(_range_of(text, inputs) for text in arguments.range)
    random = torch.Generator().manual_seed(arguments.seed)
    axes = sorted({name for port in inputs for dim in port.dims if isinstance(dim, str) for name in _names(dim)})
    known = json.loads(session.get_modelmeta().custom_metadata_map.get("onnxport.axes", "{}"))
    for sizes in _sizes(axes, known, arguments.sizes):
        name = ", ".join(f"{axis}={size}" for axis, size in sizes.items())
        yield name, [_random(port, port.shape(sizes), ranges.get(port.name), random) for port in inputs]


def _given_values(path: str, inputs: list[_Input]) -> list[torch.Tensor]:
    arrays = numpy.load(path)
    missing = [port.name for port in inputs if port.name not in arrays]
    if missing:
        raise usage_error(f"{path} has no {', '.join(missing)}")
    values = [torch.from_numpy(arrays[port.name]) for port in inputs]
    for port, value in zip(inputs, values):
        if value.dtype != port.dtype:
            raise usage_error(f"{path}: `{port.name}` is of {value.dtype}, the model takes {port.dtype}")
    return values


def _range_of(text: str, inputs: list[_Input]) -> tuple[str, tuple[float, float]]:
    name, _, numbers = text.partition("=")
    try:
        low, high = map(float, numbers.split(","))
    except ValueError:
        raise usage_error(f"--range '{text}': write NAME=LOW,HIGH, for example ids=0,30521") from None
    if name not in [port.name for port in inputs]:
        raise usage_error(f"--range '{text}': the model has no such input")
    return name, (low, high)


def _sizes(axes: list[str], known: Mapping[str, Any], texts: Sequence[str]) -> Iterator[dict[str, int]]:
    """Two runs with small sizes that all differ, within the ranges that the model states, or the sizes that are given."""
    given: dict[str, list[int]] = {}
    for text in texts:
        name, _, numbers = text.partition("=")
        if name not in axes:
            raise usage_error(f"--sizes '{text}': the free axes are {', '.join(axes) or 'none'}")
        try:
            given[name] = [int(number) for number in numbers.split(",")]
        except ValueError:
            raise usage_error(f"--sizes '{text}': write NAME=SIZE,..., for example batch=1,7,33") from None
    runs = max(map(len, given.values())) if given else _RUNS if axes else 1
    for run in range(runs):
        sizes = {}
        for number, axis in enumerate(axes):
            said = known.get(axis, {})
            least, most = said.get("min") or 0, said.get("max")
            small = max(2 + number + 3 * run, least + run if least > 2 else least)
            sizes[axis] = given[axis][min(run, len(given[axis]) - 1)] if axis in given else min(small, most or small)
        yield sizes


def _random(port: _Input, shape: list[int], said: tuple[float, float] | None, random: torch.Generator) -> torch.Tensor:
    is_float = port.dtype.is_floating_point
    low, high = said or ((-1.0, 1.0) if is_float else (0.0, 1.0))
    values = torch.rand(shape, generator=random, dtype=torch.float64)
    values = low + values * (high - low) if is_float else (low + values * (int(high) - low + 1)).floor()
    return values.to(port.dtype)


# ---- programs


def _program(path: str, inputs: list[_Input], fixed: Sequence[str]) -> Program:
    with zipfile.ZipFile(path) as archive:
        is_script = any(name.endswith("/constants.pkl") for name in archive.namelist())
    return _script(path, inputs, fixed) if is_script else _exported(path, inputs)


def _results(values: Any) -> list[torch.Tensor]:
    return [torch.as_tensor(value) for value in pytree.tree_leaves(values) if value is not None]


def _exported(path: str, inputs: list[_Input]) -> Program:
    program = torch.export.load(path)
    if program.example_inputs is None:
        raise _cannot(f"{path} has no example inputs, which say what its arguments are")
    flat, spec = pytree.tree_flatten(program.example_inputs)
    places = [i for i, value in enumerate(flat) if isinstance(value, torch.Tensor)]
    if len(places) != len(inputs):
        raise _cannot(f"the model has {len(inputs)} inputs, the program {len(places)}")
    module = program.module()

    def call(values: list[torch.Tensor]) -> list[torch.Tensor]:
        given = list(flat)
        for place, value in zip(places, values):
            given[place] = torch.view_as_complex(value) if flat[place].is_complex() else value.clone()
        args, kwargs = pytree.tree_unflatten(given, spec)
        with torch.no_grad():
            return _results(module(*args, **kwargs))

    return call


def _script(path: str, inputs: list[_Input], fixed: Sequence[str]) -> Program:
    module = torch.jit.load(path)
    known = dict(_fixed(text) for text in fixed)
    free = [argument for argument in module.forward.schema.arguments[1:] if argument.name not in known]
    free = [argument for i, argument in enumerate(free) if i < len(inputs) or not argument.has_default_value()]
    kinds = [str(argument.type) for argument in free]
    if len(free) != len(inputs) or not all(kind in ("Tensor", "int", "float", "bool") for kind in kinds):
        raise _cannot(f"the model has {len(inputs)} inputs, and `forward` takes {', '.join(kinds)}: give what is no input "
                      "with --input; lists and dicts are compared by exporter-verify (docs/install.md)")  # fmt: skip

    def call(values: list[torch.Tensor]) -> list[torch.Tensor]:
        given = {
            argument.name: value.clone() if kind == "Tensor" else value.item()
            for argument, kind, value in zip(free, kinds, values)
        }
        with torch.no_grad():
            return _results(module(**given, **known))

    return call


def _fixed(text: str) -> tuple[str, Any]:
    name, _, word = text.partition("=")
    words = {"none": None, "true": True, "false": False}
    if not name or not word:
        raise usage_error(f"--input '{text}': give a value, for example steps=3")
    if word in words:
        return name, words[word]
    try:
        return name, float(word) if "." in word or "e" in word else int(word)
    except ValueError:
        return name, word
