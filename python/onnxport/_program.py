"""An ExportedProgram as the archive that torch.export.save would write, with the weights where they are in memory."""

from __future__ import annotations

import collections
import inspect
import json
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from ._archive import ArchiveWriter, Part, Pieces
from ._errors import UNSUPPORTED_PROGRAM, USAGE, Diagnostic, ExportError, usage_error
from ._warn import warn

_FOLDER = "model/"


def pieces_of(program: torch.export.ExportedProgram, weights: Mapping[str, Any] | None = None) -> Pieces:
    """The archive. Its graph is copied, its tensors are kept and read when the model is written; `weights` come before
    those of the program."""
    if any("val" not in node.meta for node in program.graph.nodes if node.op == "call_function"):
        program = program.run_decompositions({})  # its caller has changed the graph: new nodes say nothing of results
    archive = ArchiveWriter()
    archive.add_bytes(_FOLDER + "version", b"6\n")  # of the container
    archive.add_bytes(_FOLDER + "byteorder", b"little")
    archive.add_bytes(_FOLDER + "archive_format", b"pt2")
    archive.add_bytes(_FOLDER + "models/model.json", _graph(program))
    _add_tensors(archive, "weights", "weight_", _replaced(program.state_dict, weights or {}))
    _add_tensors(archive, "constants", "tensor_", program.constants)
    return archive.finish()


def _replaced(known: dict[str, Any], weights: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in weights if name not in known]
    if unknown:
        warn(f"the program has no weight {', '.join(map(repr, unknown))}")
    found = known | {name: value for name, value in weights.items() if name in known}
    for name, value in known.items():
        if found[name].shape != value.shape or found[name].dtype != value.dtype:
            raise usage_error(f"weight {name!r} is {value.dtype}{list(value.shape)} in the program, "
                              f"not {found[name].dtype}{list(found[name].shape)}")  # fmt: skip
    return {
        name: torch.nn.Parameter(found[name].detach(), False) if isinstance(value, torch.nn.Parameter) else found[name]
        for name, value in known.items()
    } if weights else known


def _graph(program: torch.export.ExportedProgram) -> bytes:
    try:
        from torch._export.serde.serialize import serialize
    except ImportError as error:
        raise _too_old() from error
    known = inspect.signature(serialize).parameters
    if "serialize_state_dict" not in known:
        raise _too_old()
    _name_containers(program)
    parts = ("serialize_state_dict", "serialize_constants", "serialize_example_inputs")
    without = {part: False for part in parts if part in known}
    try:
        return _without_check(serialize)(program, **without).exported_program
    except Exception as error:
        reason = f"PyTorch cannot write the program: {error}"
        raise ExportError("cannot_export", [Diagnostic(UNSUPPORTED_PROGRAM, reason)]) from error


def _without_check(serialize: Callable[..., Any]) -> Callable[..., Any]:
    """PyTorch's serializer makes a copy of what it writes and sorts that, to see that it can be sorted, and drops it: this
    takes three quarters of the time. So it is run as a copy of the function that finds nothing to do there; PyTorch
    itself is left alone, since other threads may use it."""
    serializer = serialize.__globals__.get("ExportedProgramSerializer")
    method = getattr(serializer, "serialize", None)
    if not inspect.isfunction(serialize) or not inspect.isfunction(method) or "canonicalize" not in method.__globals__:
        return serialize  # of another version
    quick = _seeing(method, canonicalize=lambda *_: None)

    class Quick:
        def __init__(self, *args: Any) -> None:
            self._serializer = serializer(*args)

        def serialize(self, *args: Any, **kwargs: Any) -> Any:
            return quick(self._serializer, *args, **kwargs)

    return _seeing(serialize, ExportedProgramSerializer=Quick)


def _seeing(function: types.FunctionType, **names: Any) -> types.FunctionType:
    """The function, for which these names of its module are others."""
    seen = function.__globals__ | names
    copy = types.FunctionType(function.__code__, seen, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _name_containers(program: torch.export.ExportedProgram) -> None:
    """PyTorch's serializer refuses a program with containers that have no name in it, such as torch.return_types.max
    and a namedtuple of the module's own."""
    registered = getattr(pytree, "SUPPORTED_SERIALIZED_TYPES", {})
    nameless = getattr(pytree, "NO_SERIALIZED_TYPE_NAME_FOUND", None)
    for spec in _specs(program.call_spec.in_spec, program.call_spec.out_spec):
        kind = spec.context if spec.type is collections.namedtuple else spec.type
        if not isinstance(kind, type):
            continue
        name = f"{kind.__module__}.{kind.__qualname__}"
        known = registered.get(kind)
        if known is not None and known.serialized_type_name == nameless:
            registered[kind] = known._replace(serialized_type_name=name)
        elif known is None and spec.type is collections.namedtuple:
            pytree._register_namedtuple(kind, serialized_type_name=name)


def _specs(*roots: Any) -> Iterator[Any]:
    for spec in roots:
        if spec is not None and not spec.is_leaf():
            yield spec
            yield from _specs(*spec.children())


def _too_old() -> ExportError:
    reason = f"PyTorch {torch.__version__} has no programs of the form that is read; it needs 2.9 or later"
    return ExportError("usage", [Diagnostic(USAGE, reason)])


def _add_tensors(archive: ArchiveWriter, kind: str, prefix: str, tensors: dict[str, Any]) -> None:
    """Entries of all storages, each once, and the list that says which tensor lies where in which."""
    from torch._export.serde.schema import PayloadConfig, PayloadMeta
    from torch._export.serde.serialize import _dataclass_to_dict, serialize_tensor_meta

    config: dict[str, Any] = {}
    paths: dict[Any, str] = {}
    for name, value in tensors.items():
        is_param = isinstance(value, torch.nn.Parameter)
        if not _is_plain(value):  # is never read: what uses it is refused by its name
            config[name] = PayloadMeta(path_name="pickled", is_param=is_param, use_pickle=True, tensor_meta=None)
            continue
        tensor = value.detach().resolve_conj().resolve_neg()
        part = _part_of(tensor)
        key = tensor.untyped_storage()._cdata if part.size else name
        if key not in paths:
            paths[key] = f"{prefix}{len(paths)}"
            archive.add(f"{_FOLDER}data/{kind}/{paths[key]}", part)
        meta = serialize_tensor_meta(tensor)
        config[name] = PayloadMeta(path_name=paths[key], is_param=is_param, use_pickle=False, tensor_meta=meta)
    text = json.dumps(_dataclass_to_dict(PayloadConfig(config=config)))
    archive.add_bytes(f"{_FOLDER}data/{kind}/model_{kind}_config.json", text.encode())


def _is_plain(value: Any) -> bool:
    if not isinstance(value, torch.Tensor):
        return False
    return _is_fake(value) or (type(value.data) is torch.Tensor and value.layout is torch.strided)


def _is_fake(tensor: torch.Tensor) -> bool:
    from torch._subclasses.fake_tensor import FakeTensor

    return isinstance(tensor, FakeTensor) or isinstance(tensor.data, FakeTensor)


def _part_of(tensor: torch.Tensor) -> Part:
    """The whole storage, which other tensors may share. Fake and meta tensors have no bytes."""
    if _is_fake(tensor) or tensor.device.type == "meta":
        return Part(None, 0, owner=tensor)
    storage = tensor.untyped_storage()
    size = storage.nbytes()
    if size == 0:
        return Part(None, 0, owner=tensor)
    if tensor.device.type == "cpu":
        return Part(storage.data_ptr(), size, owner=storage)

    def load() -> tuple[int, Any]:
        copy = storage.cpu()
        return copy.data_ptr(), copy

    return Part(None, size, owner=storage, load=load)
