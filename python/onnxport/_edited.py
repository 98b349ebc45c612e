"""A model as onnx_ir has it, which the caller may change before it is saved."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._errors import usage_error, write_error
from ._folder import Folder

_LARGE = 1_800_000_000  # bytes of weights that are not in the file itself


def _put_in_place(path: str, data: str | None, source: str | None, write: Callable[[str], None]) -> None:
    """Writes the files that `write` makes: completely or not at all, through no link. The data first, as the library
    does it."""
    folder = os.path.dirname(path) or "."
    targets = ([os.path.join(folder, data)] if data else []) + [path]
    for target in targets:
        if os.path.islink(target) or (os.path.exists(target) and not os.path.isfile(target)):
            raise write_error(f"cannot write {target}: this is a symbolic link or no file")
        if source is not None and os.path.exists(target) and os.path.samefile(target, source):
            raise usage_error(f"{target} is read for this model; name another output")
    try:
        with tempfile.TemporaryDirectory(prefix=".onnxport-", dir=folder) as made:
            write(os.path.join(made, os.path.basename(path)))
            for target in targets:
                os.replace(os.path.join(made, os.path.basename(target)), target)
    except OSError as error:
        raise write_error(f"cannot write {path}: {error.strerror}") from error


class Edited:
    """An onnx_ir.Model."""

    def __init__(self, model: Any, files: Any = None):
        self.model = model
        self._files = files  # a folder with weights that are read when they are needed

    @classmethod
    def of(cls, write: Callable[[str], None]) -> Edited:
        """Reads the file that `write` makes."""
        import onnx_ir

        folder = Folder()
        path = os.path.join(folder.name, "model.onnx")
        write(path)
        return cls(onnx_ir.load(path), folder)

    def proto(self) -> Any:
        import onnx_ir

        return onnx_ir.to_proto(self.model)

    def save(self, path: str, options: Mapping[str, Any], source: str | None) -> None:
        """`source`: the file that the model was made of, which is not written to."""
        import onnx_ir

        graph = self.model.graph
        weights, inputs = dict(graph.initializers), list(graph.inputs)
        as_inputs = options.get("weights_as_inputs") or options.get("keep_initializers_as_inputs")
        graph.inputs.extend(value for value in weights.values() if as_inputs and value not in inputs)
        if options.get("weights_as_inputs"):
            graph.initializers.clear()
        try:
            size = sum(value.const_value.nbytes for value in graph.initializers.values() if value.const_value)
            where = options.get("external_data", "auto")
            beside = where in ("always", "safetensors") or (where == "auto" and size > _LARGE)
            data = f"{os.path.basename(path)}.data" if beside else None
            _put_in_place(path, data, source, lambda made: onnx_ir.save(self.model, made, external_data=data))
        finally:
            graph.initializers.update(weights)
            del graph.inputs[len(inputs) :]

    def rename_axes(self, names: Mapping[str, str]) -> None:
        """Also in sums and products of axes."""
        import onnx_ir

        def renamed(text: str) -> str:
            return names.get(text) or re.sub(r"[^\W\d]\w*", lambda word: names.get(word[0], word[0]), text)

        for value in self._values():
            if value.shape is not None and not value.shape.is_static():
                value.shape = onnx_ir.Shape([
                    renamed(dim.value) if isinstance(dim, onnx_ir.SymbolicDim) and dim.value else dim
                    for dim in value.shape
                ])  # fmt: skip

    def _values(self) -> Iterator[Any]:
        yield from self.model.graph.inputs
        for node in self.model.graph.all_nodes():
            yield from node.outputs
