"""Reads the caller's axes (dynamic_shapes, dynamic_axes), per tensor and per axis."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._errors import usage_error
from ._warn import warn


@dataclass(frozen=True)
class Axis:
    """An axis that is to be free."""

    name: str | None = None
    min: int | None = None
    max: int | None = None
    parts: tuple[str, ...] = ()  # names and numbers that it is the sum of; then it has no name


@dataclass
class Leaf:
    """A tensor or other value among the arguments, with its free axes by number."""

    path: tuple[str, ...]  # "past", "0", "key"; of *args and **kwargs "args_0" and "mask", as torch.export names them
    value: Any
    axes: dict[int, Axis] = field(default_factory=dict)
    fixed: set[int] = field(default_factory=set)  # those that torch.export makes numbers
    parameter: str = ""  # what dynamic_shapes calls the argument: "past", "args", "kwargs"

    def __post_init__(self) -> None:
        self.parameter = self.parameter or self.path[0]

    @property
    def name(self) -> str:
        return ".".join(self.path)


def leaves_of(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Leaf]:
    """All values in the order in which torch.export flattens them."""
    leaves: list[Leaf] = []
    starred = {parameter.name: parameter.kind for parameter in parameters_of(forward)}
    for name, value in named_arguments(forward, args, kwargs).items():
        for keys, leaf in pytree.tree_flatten_with_path(value)[0]:
            texts = [_key_text(key) for key in keys]
            path = [name, *texts]
            if starred.get(name) is inspect.Parameter.VAR_POSITIONAL:
                path = [f"{name}_{texts[0]}", *texts[1:]]
            elif starred.get(name) is inspect.Parameter.VAR_KEYWORD:
                path = texts
            leaves.append(Leaf(tuple(path), leaf, parameter=name))
    # Those of **kwargs may stand between arguments by keyword that have parameters of their own.
    places = {name: place for place, name in enumerate(kwargs)}
    return sorted(leaves, key=lambda leaf: places.get(leaf.path[0], -1))


def parameters_of(forward: Callable[..., Any]) -> list[inspect.Parameter]:
    """None of a function that does not tell them, as one of TorchScript."""
    try:
        return list(inspect.signature(forward).parameters.values())
    except (TypeError, ValueError):
        return []


def named_arguments(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the names of their parameters; those of *args are one tuple, those of **kwargs one dict."""
    named: dict[str, Any] = {}
    rest = list(args)
    parameters = parameters_of(forward)
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            if rest:
                named[parameter.name] = tuple(rest)
                rest = []
        elif rest and parameter.kind is not parameter.KEYWORD_ONLY:
            named[parameter.name] = rest.pop(0)
    for i, value in enumerate(rest):
        named[f"arg{i}"] = value
    by_name = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
    others = next((parameter.name for parameter in parameters if parameter.kind is parameter.VAR_KEYWORD), None)
    for name, value in kwargs.items():
        if name in by_name and name in named:
            raise usage_error(f"argument `{name}` is given twice, in `args` and in `kwargs`")
        if others is None or name in by_name:
            named[name] = value
        else:
            named.setdefault(others, {})[name] = value
    return named


def _key_text(key: Any) -> str:
    for attribute in ("key", "idx", "name"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


# ---- dynamic_shapes


def is_axes(shape: Any) -> bool:
    """Returns whether it describes the axes of one tensor."""
    if isinstance(shape, Mapping):
        return all(isinstance(axis, int) and _is_dim(dim) for axis, dim in shape.items())
    return isinstance(shape, (list, tuple)) and all(_is_dim(dim) for dim in shape)


def _is_dim(dim: Any) -> bool:
    return dim is None or isinstance(dim, (int, str)) or _is_export_dim(dim)


def _is_export_dim(dim: Any) -> bool:
    return isinstance(dim, torch.export.Dim) or type(dim).__name__ in ("_DimHint", "_DerivedDim", "_StaticDim")


def read_dynamic_shapes(leaves: list[Leaf], shapes: Any) -> dict[tuple[str, ...], Any]:
    """Notes in the leaves what `dynamic_shapes` of torch.export says; names as text are allowed as in torch.onnx. Returns
    what is said of each, by their paths."""
    if not isinstance(shapes, (Mapping, list, tuple)):
        raise usage_error(f"dynamic_shapes: a dict or tuple of the axes of each argument, not {shapes!r}")
    parameters = list(dict.fromkeys(leaf.parameter for leaf in leaves))
    if not isinstance(shapes, Mapping):
        if any(said is not None for said in shapes[len(parameters) :]):
            raise usage_error(f"dynamic_shapes describes {len(shapes)} arguments, and there are {len(parameters)}: "
                              f"{', '.join(parameters)}")  # fmt: skip
        shapes = dict(zip(parameters, shapes))
    found: dict[tuple[str, ...], Any] = {}
    for name, said in shapes.items():
        if said is None:
            continue
        inner = said if isinstance(said, Mapping) and _is_of_kwargs(leaves, name) else {name: said}
        for argument, shape in inner.items():
            if shape is None:
                continue
            mine = [leaf for leaf in leaves if leaf.parameter == argument] or _of_argument(leaves, argument)
            if not mine:
                raise usage_error(_unknown_argument(argument, leaves))
            found |= _shapes_of(argument, mine, shape)
    for leaf in leaves:
        _note(leaf, found.get(leaf.path))
    return found


def _of_argument(leaves: list[Leaf], name: Any) -> list[Leaf]:
    """Those of an argument that stands in **kwargs, or of one of *args."""
    return [leaf for leaf in leaves if leaf.path[0] == name]


def _is_of_kwargs(leaves: list[Leaf], name: Any) -> bool:
    """Returns whether this is the parameter **kwargs, whose arguments have names of their own."""
    return any(leaf.parameter == name != leaf.path[0] for leaf in leaves)


def _unknown_argument(name: Any, leaves: list[Leaf]) -> str:
    if isinstance(name, int):
        return (f"dynamic_shapes: {name} is an axis, not an argument: write ({{{name}: 'batch'}},) with a comma for one "
                "argument, or {'x': ...} with its name")  # fmt: skip
    known = dict.fromkeys(leaf.path[0] for leaf in leaves)
    return f"dynamic_shapes: no argument is called {name!r}; there are {', '.join(known)}"


def _shapes_of(name: str, leaves: list[Leaf], said: Any) -> dict[tuple[str, ...], Any]:
    """The axes of an argument, by the paths of its values."""
    flat = pytree.tree_leaves(said, is_leaf=lambda shape: shape is None or is_axes(shape))
    wrong = next((shape for shape in flat if shape is not None and not is_axes(shape)), None)
    if wrong is not None:
        raise usage_error(f"dynamic_shapes[{name!r}]: {wrong!r} does not say of which axis; write {{0: {wrong!r}}}")
    if len(flat) != len(leaves):
        raise usage_error(f"dynamic_shapes: argument `{name}` has {len(leaves)} values, and {len(flat)} are described")
    return {leaf.path: shape for leaf, shape in zip(leaves, flat)}


def _note(leaf: Leaf, shape: Any) -> None:
    if shape is None or not isinstance(leaf.value, torch.Tensor):
        return
    items = shape.items() if isinstance(shape, Mapping) else enumerate(shape)
    for axis, dim in items:
        if dim is not None and not isinstance(dim, int) and not _is_static(dim):
            leaf.axes[_number_of(axis, leaf, "dynamic_shapes")] = _axis_of(dim)


def _number_of(axis: int, leaf: Leaf, said: str) -> int:
    rank = leaf.value.dim()
    if not -rank <= axis < rank:
        raise usage_error(f"{said}: axis {axis} of {leaf.name!r}, which has {rank}")
    return axis % rank


def _axis_of(dim: Any) -> Axis:
    if isinstance(dim, str):
        return Axis(dim)
    if isinstance(dim, torch.export.Dim):
        if type(dim).__name__ != "Dim":  # derived of another: 2*batch
            return Axis()
        low, high = dim.min, dim.max
        return Axis(dim.__name__, low if low and low > 1 else None, high if high and high < 2**31 else None)
    return Axis()


def for_torch_export(shapes: Any, *, relaxed: bool = False) -> Any:
    """`shapes` as torch.export takes them: names are Dim.DYNAMIC. If `relaxed`, all are Dim.AUTO."""

    def convert(dim: Any) -> Any:
        if dim is None:  # PyTorch warns of it
            return torch.export.Dim.STATIC
        if isinstance(dim, str) or (relaxed and _is_export_dim(dim) and not _is_static(dim)):
            return torch.export.Dim.AUTO if relaxed else torch.export.Dim.DYNAMIC
        return dim

    def convert_axes(axes: Any) -> Any:
        if isinstance(axes, Mapping):
            return {axis: convert(dim) for axis, dim in axes.items()}
        return type(axes)(convert(dim) for dim in axes) if is_axes(axes) else axes

    return pytree.tree_map(convert_axes, shapes, is_leaf=is_axes)


def _is_static(dim: Any) -> bool:
    return _is_export_dim(dim) and "STATIC" in repr(dim)


# ---- dynamic_axes


def read_dynamic_axes(leaves: list[Leaf], axes: Mapping[str, Any], input_names: Sequence[str],
                      output_names: Sequence[str]) -> None:  # fmt: skip
    """Notes in the leaves what `dynamic_axes` says. Those of outputs follow from the program."""
    tensors = [leaf for leaf in leaves if isinstance(leaf.value, torch.Tensor)]
    by_name = {leaf.path[0]: [] for leaf in tensors}  # also all of a cache at once
    for leaf in tensors:
        by_name[leaf.path[0]].append(leaf)
    by_name |= {leaf.name: [leaf] for leaf in tensors} | {name: [leaf] for name, leaf in zip(input_names, tensors)}
    for name, said in axes.items():
        if name in output_names and name not in input_names:
            continue
        if name not in by_name:
            if input_names or output_names:  # perhaps of an output without a name
                warn(f"dynamic_axes: no input or output is called {name!r}")
                continue
            raise usage_error(f"dynamic_axes: no input is called {name!r}; there are {', '.join(by_name)}")
        if said is None:
            continue
        if isinstance(said, str) or not isinstance(said, (Mapping, list, tuple, set)):
            raise usage_error(f"dynamic_axes[{name!r}]: {said!r} does not say of which axis; write {{0: {said!r}}}")
        named = said.items() if isinstance(said, Mapping) else ((axis, f"{name}_dynamic_axes_{i + 1}")
                                                                for i, axis in enumerate(said))  # fmt: skip
        for axis, axis_name in named:
            if not isinstance(axis, int):
                raise usage_error(f"dynamic_axes[{name!r}]: write {{0: 'batch'}} or [0]")
            for leaf in by_name[name]:
                leaf.axes[_number_of(axis, leaf, "dynamic_axes")] = Axis(str(axis_name))


def shapes_from_leaves(leaves: list[Leaf], forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`dynamic_shapes` of torch.export with Dim.DYNAMIC where a leaf has an axis."""
    said = {leaf.path: {axis: torch.export.Dim.DYNAMIC for axis in leaf.axes if axis not in leaf.fixed} or None
            for leaf in leaves}  # fmt: skip
    return nested_shapes(said, leaves, forward, args, kwargs) if any(leaf.axes for leaf in leaves) else None


def nested_shapes(said: Mapping[tuple[str, ...], Any], leaves: list[Leaf], forward: Any, args: tuple[Any, ...],
                  kwargs: dict[str, Any]) -> dict[str, Any]:  # fmt: skip
    """`dynamic_shapes` with all arguments, as torch.export takes it, of what is said of each value."""
    return {
        name: _nested(value, (said.get(leaf.path) for leaf in leaves if leaf.parameter == name))
        for name, value in named_arguments(forward, args, kwargs).items()
    }


def _nested(value: Any, shapes: Any) -> Any:
    """In lists and dicts as the value; torch.export takes a list for other containers."""
    if isinstance(value, Mapping):
        return {key: _nested(inner, shapes) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_nested(inner, shapes) for inner in value)
    if pytree.tree_is_leaf(value):
        return next(shapes)
    children = pytree.tree_leaves(value, is_leaf=lambda inner: inner is not value)
    return [_nested(inner, shapes) for inner in children]


def join_sums(leaves: list[Leaf]) -> None:
    """`past + sequence` is no name of its own where the axes of both are free: the axis follows from them."""
    names = {axis.name for leaf in leaves for axis in leaf.axes.values()}
    for leaf in leaves:
        for number, axis in leaf.axes.items():
            parts = [part.strip() for part in (axis.name or "").split("+")]
            if len(parts) > 1 and all(part.isdigit() or part in names for part in parts):
                leaf.axes[number] = Axis(parts=tuple(parts))


def fix(leaves: list[Leaf]) -> list[str]:
    """Makes numbers of the axes that torch.export makes numbers, and says which these are."""
    sizes: dict[str, str] = {}
    told = []
    for leaf in leaves:
        for number in sorted(leaf.fixed & leaf.axes.keys()):
            axis = leaf.axes.pop(number)
            size = leaf.value.shape[number]
            told.append(f"axis {number} of `{leaf.name}` ({axis_text(axis)}) is {size}")
            if axis.name is not None:
                sizes[axis.name] = str(size)
    for leaf in leaves:
        for number, axis in leaf.axes.items():
            leaf.axes[number] = replace(axis, parts=tuple(sizes.get(part, part) for part in axis.parts))
    return told


# ---- texts for the library: `x=f32[batch,3]`


def dtype_word(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def axis_text(axis: Axis) -> str:
    """`batch=1..64`, `past + sequence`, or `?` without a name."""
    if axis.parts:
        return " + ".join(part if part.isdigit() else _word(part) for part in axis.parts)
    if axis.name is None:
        return "?"
    name = _word(axis.name)
    if axis.min is None and axis.max is None:
        return name
    return f"{name}={'' if axis.min is None else axis.min}..{'' if axis.max is None else axis.max}"


def _word(name: str) -> str:
    """Names have letters, digits and _."""
    word = re.sub(r"\W+", "_", name)
    return word if word and not word[0].isdigit() else f"n{word}"
