"""Exports PyTorch models to ONNX.

    import onnxport

    model = onnxport.export(module, (x,), "model.onnx", dynamic_shapes={"x": {0: "batch"}})

It takes the parameters of torch.onnx.export. `patch_torch()` puts it in that function's place.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _artifacts, _library, _options
from ._errors import Diagnostic, ExportError, Site, usage_error
from ._model import Model
from ._patch import patch_torch
from ._progress import bar
from ._values import Difference, Port, State

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import Options

__all__ = ["Diagnostic", "Difference", "ExportError", "Model", "Port", "Site", "State", "export", "patch_torch", "version"]


def version() -> str:
    """That of the exporter."""
    return _library.version()


def export(
    model: Any,
    args: Any = (),
    f: Any = None,
    *,
    # As torch.onnx.export has them.
    kwargs: Mapping[str, Any] | None = None,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    dynamo: bool = True,
    external_data: bool | str | None = None,
    dynamic_shapes: Any = None,
    custom_translation_table: Any = None,
    report: bool | str | os.PathLike[str] = False,
    optimize: bool = True,
    verify: bool = False,
    profile: bool = False,
    dump_exported_program: bool = False,
    artifacts_dir: str | os.PathLike[str] = ".",
    export_params: bool = True,
    keep_initializers_as_inputs: bool | None = None,
    dynamic_axes: Mapping[str, Any] | None = None,
    training: Any = None,
    operator_export_type: Any = None,
    do_constant_folding: bool = True,
    custom_opsets: Mapping[str, int] | None = None,
    export_modules_as_functions: bool | Collection[Any] = False,
    autograd_inlining: bool = True,
    # Options of our own.
    strategy: str = "auto",
    progress: Any = None,
    specs: Any = None,
    **options: Unpack[Options],
) -> Model:
    """Exports a module, an ExportedProgram, a ScriptModule, or a `.pt2` or `.pt` file at a path.

    With `f`, a path or something with `write`, the model is written there, weights straight from the module's memory.
    The parameters up to `autograd_inlining` are those of torch.onnx.export (docs/torch-onnx.md has a table); the others
    are options of the exporter, by the names of docs/options.md: `inputs=["x=f32[batch,3]"]`, `weights="x.safetensors"`,
    `map={"my::op": "my.domain.Node"}`.

    strategy: "export" (torch.export), "trace" (torch.jit.trace, twice if axes are to be free), or "auto". "auto" takes
    the first one that gives a model with the requested free axes; the model's `remarks` say which.
    """
    _artifacts.check_paths(model, f, report)
    chosen = _options.of_torch(
        opset_version=opset_version,
        external_data=external_data,
        simplified=optimize and do_constant_folding,
        export_params=export_params,
        keep_initializers_as_inputs=keep_initializers_as_inputs,
        operator_export_type=operator_export_type,
        custom_opsets=custom_opsets,
        export_modules_as_functions=export_modules_as_functions,
        autograd_inlining=autograd_inlining,
    )
    if specs is not None:
        raise usage_error(f"specs: entries in YAML need an exporter built with them (docs/rules.md); {_options.OWN_NODES}")
    chosen |= _options.of_our_own(options, chosen)
    if isinstance(model, (str, os.PathLike)):
        if args or kwargs or dynamic_shapes or dynamic_axes:
            raise usage_error("a file is exported without arguments: inputs=['x=f32[batch,3]'] describes them")
        made = _export_file(os.fspath(model), f, chosen, input_names, output_names, progress)
    else:
        made = _torch_module().export_object(
            model,
            args,
            f,
            chosen,
            kwargs=kwargs,
            input_names=input_names,
            output_names=output_names,
            dynamic_shapes=dynamic_shapes,
            dynamic_axes=dynamic_axes,
            training=training if training is not None or dynamo else "EVAL",
            dynamo=dynamo,
            translations=custom_translation_table or {},
            strategy=strategy,
            progress=progress,
        )
    if hasattr(f, "write"):
        f.write(made.to_bytes())
    others = [os.fspath(file) for file in (model, f, options.get("weights")) if isinstance(file, (str, os.PathLike))]
    _artifacts.write(made, report, dump_exported_program, artifacts_dir, others, timed=profile or bool(verbose))
    if verbose:
        _artifacts.tell(made)
    if verify:
        _artifacts.check(made)
    return made


def _export_file(
    path: str, f: Any, chosen: dict[str, Any], input_names: Any, output_names: Any, progress: Any
) -> Model:
    for key, names in (("input_names", input_names), ("output_names", output_names)):
        if names:
            chosen[key] = list(names)
    output = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    with bar(progress) as callback:
        return Model(path, chosen, output=output, progress=callback)


def _torch_module() -> Any:
    try:
        from . import _torch
    except ImportError as error:
        raise usage_error(f"PyTorch cannot be imported, so that only files can be exported: {error}") from error
    return _torch
