"""Exports PyTorch models to ONNX.

    import onnxport

    model = onnxport.export(module, (x,), "model.onnx", dynamic_shapes={"x": {0: "batch"}})

It takes the parameters of torch.onnx.export. `patch_torch()` puts it in that function's place.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _artifacts, _library, _options, _show
from ._errors import Diagnostic, ExportError, Site, usage_error
from ._model import Model
from ._patch import patch_torch
from ._progress import bar
from ._values import Difference, Port, State

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import Options

__all__ = ["Diagnostic", "Difference", "ExportError", "Model", "Port", "Site", "State", "export", "patch_torch", "version"]

__version__: str  # read of the library when it is asked for

for _public in (Diagnostic, Difference, ExportError, Model, Port, Site, State, patch_torch):
    _public.__module__ = __name__  # as tracebacks and help name them

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


def version() -> str:
    """The version of the exporter, such as "0.1.0"."""
    return _library.version()


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__", "__doc__", "__file__", "__name__", "__path__"]


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
    **options: Unpack[Options],
) -> Model:
    """Exports a module, an ExportedProgram, a ScriptModule, or a `.pt2` or `.pt` file at a path.

    The parameters up to `autograd_inlining` are those of torch.onnx.export; docs/torch-onnx.md says where they differ.

    Args:
        model: What is exported. Weights go straight from the module's memory to the file.
        args: The example: a tensor, or a tuple of arguments. A last dict has keyword arguments.
        f: A path, something with `write`, or None: the model is in memory alone.
        kwargs: The keyword arguments of the example.
        verbose: Prints the model, its remarks and times.
        input_names: Names of the inputs, in order; those behind them are names of weights.
        output_names: Names of the outputs, in order.
        opset_version: 7 to 28; the model has exactly this one. Default: 18.
        dynamo: False takes `dynamic_axes` as labels and exports in evaluation mode, as that exporter of PyTorch does.
        external_data: True for a data file, False for none, or "auto", "always", "never" or "safetensors".
        dynamic_shapes: The free axes of each argument: `{"x": {0: "batch"}}`. A name is a promise.
        custom_translation_table: Is not called; an error or warning says where it would have been.
        report: True, or a path: a report as JSON.
        optimize: False leaves out all simplifications.
        verify: Compares with PyTorch; a warning says which output differs.
        profile: Prints the time of each stage.
        dump_exported_program: Writes the program of torch.export to `artifacts_dir`.
        artifacts_dir: The folder of reports and programs.
        export_params: False makes the weights inputs of the model.
        keep_initializers_as_inputs: True lists the weights among the inputs, too.
        dynamic_axes: The free axes by names of inputs: `{"x": {0: "batch"}}`. The name of a cache stands for all in it.
        training: The mode of the module during the export. Default: its own.
        operator_export_type: ONNX_FALLTHROUGH makes operators without a spec nodes of their own.
        do_constant_folding: False leaves out all simplifications.
        custom_opsets: The versions of domains that the model imports.
        export_modules_as_functions: True, or classes: these become functions of the model.
        autograd_inlining: Has no effect.
        strategy: "export" (torch.export), "trace" (torch.jit.trace, twice if axes are to be free), or "auto": the first
            one that gives a model with the requested free axes. The model's `remarks` say which.
        progress: A function of (stage, done, total), or False for no bar.
        **options: Options of the exporter, by the names of docs/options.md: `inputs=["x=f32[batch,3]"]`,
            `weights="x.safetensors"`, `map={"my::op": "my.domain.Node"}`. `complex` is "as-real" unless it is given.

    Returns:
        The model, which can be saved, run and compared with PyTorch.

    Raises:
        ExportError: with all reasons. It is a torch.onnx.errors.OnnxExporterError, too.
    """
    begin = time.perf_counter()
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
    chosen |= {"complex": "as-real"} | _options.of_our_own(options, chosen)
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
    _tell_log(made, time.perf_counter() - begin, os.fspath(f) if isinstance(f, (str, os.PathLike)) else None)
    others = [os.fspath(file) for file in (model, f, options.get("weights")) if isinstance(file, (str, os.PathLike))]
    _artifacts.write(made, report, dump_exported_program, artifacts_dir, others, timed=profile or bool(verbose))
    if verbose:
        _artifacts.tell(made)
    if verify:
        _artifacts.check(made)
    return made


def _tell_log(made: Model, seconds: float, path: str | None) -> None:
    if not _log.isEnabledFor(logging.INFO):
        return
    _log.info("%s", _show.line(made.report, made.inputs, seconds, path))
    for remark in made.remarks:
        _log.info("note: %s", remark)
    for stage in made.report.get("stages", []):
        _log.debug("%s: %.1f ms", stage["name"], stage["ms"])


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
