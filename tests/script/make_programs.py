"""Makes the archives and expected values of one theme: `make_programs.py THEME.py OUTDIR`.

OUTDIR gets NAME.pt for each program of the theme, and programs.json with the expectations. NAME.RUN.pb has the inputs
and outputs of each run: the initializers of a GraphProto, in the order of the model's inputs and outputs.
"""

import copy
import dataclasses
import json
import os
import re
import sys
import types
import warnings

warnings.simplefilter("ignore")

import onnx
import torch

import program as registry

ONNX_TYPES = {
    torch.float32: onnx.TensorProto.FLOAT,
    torch.uint8: onnx.TensorProto.UINT8,
    torch.uint16: onnx.TensorProto.UINT16,
    torch.uint32: onnx.TensorProto.UINT32,
    torch.uint64: onnx.TensorProto.UINT64,
    torch.int8: onnx.TensorProto.INT8,
    torch.int16: onnx.TensorProto.INT16,
    torch.int32: onnx.TensorProto.INT32,
    torch.int64: onnx.TensorProto.INT64,
    torch.bool: onnx.TensorProto.BOOL,
    torch.float16: onnx.TensorProto.FLOAT16,
    torch.float64: onnx.TensorProto.DOUBLE,
}

# `x=f32[batch,4]`, `xs=list[f32[n]]`: an input of the model. Anything else after `=` is a value of the export.
IS_INPUT = re.compile(r"[^=]+=(list\[)?([cfiu]\d+|bool)\b")


def as_tensor(value):
    if isinstance(value, torch.Tensor):
        return (torch.view_as_real(value) if value.is_complex() else value).detach().clone(memory_format=torch.contiguous_format)
    return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)


def add_tensor(graph, value):
    t = as_tensor(value)
    proto = graph.initializer.add(data_type=ONNX_TYPES[t.dtype], dims=list(t.shape))
    proto.raw_data = bytes(t.reshape(-1).view(torch.uint8).numpy().tobytes()) if t.numel() else b""


def members(value):
    """Name -> element of a container, None of a leaf."""
    if isinstance(value, dict):
        return {str(k): v for k, v in value.items()}
    if hasattr(value, "_fields"):
        return {k: getattr(value, k) for k in value._fields}
    if isinstance(value, (list, tuple)):
        return {str(k): v for k, v in enumerate(value)}
    return None


def leaves(name, value):
    parts = members(value)
    if parts is None:
        return [(name, value)]
    return [leaf for key, part in parts.items() for leaf in leaves(f"{name}.{key}" if name else key, part)]


def flags_of(inputs):
    return {text.split("=", 1)[0]: bool(IS_INPUT.match(text)) for text in inputs}


def write_inputs(graph, names, program, args):
    """Per input of the model: null, or the length of a sequence."""
    flags = flags_of(program.inputs)
    lists = {text.split("=", 1)[0] for text in program.inputs if "=list[" in text}
    lengths = []
    for name, value in zip(names, args):
        if name in lists:
            lengths.append(len(value))
            for element in value:
                add_tensor(graph, element)
            continue
        for path, leaf in leaves(name, value):
            if flags.get(path, isinstance(leaf, torch.Tensor)):
                lengths.append(None)
                add_tensor(graph, leaf)
    return lengths


def write_outputs(graph, program, result):
    parts = list(result) if isinstance(result, tuple) else [result]
    lengths = []
    for position, part in enumerate(parts):
        if position in program.sequences:
            lengths.append(len(part))
            for element in part:
                add_tensor(graph, element)
            continue
        for _, leaf in leaves("", part):
            if leaf is not None:
                lengths.append(None)
                add_tensor(graph, leaf)
    return lengths


def clone(value):
    """The model may write to its inputs."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if hasattr(value, "_fields"):
        return type(value)(*[clone(v) for v in value])
    if isinstance(value, (list, tuple)):
        return type(value)(clone(v) for v in value)
    if isinstance(value, dict):
        return {k: clone(v) for k, v in value.items()}
    return copy.copy(value)


def parameter_names(method):
    return [argument.name for argument in method.schema.arguments[1:]]


def write_run(path, names, program, opened, args):
    graph = onnx.GraphProto(name="run")
    inputs = write_inputs(graph, names, program, args)
    with torch.no_grad():
        # Loaded anew each time: some programs write to their buffers.
        result = opened()(*clone(args))
    outputs = write_outputs(graph, program, result)
    with open(path, "wb") as out:
        out.write(graph.SerializeToString(deterministic=True))
    return {"inputs": inputs, "outputs": outputs}


def write(program, outdir):
    module = program.build()
    stem = os.path.join(outdir, program.name)
    is_exported = isinstance(module, torch.export.ExportedProgram)
    archive = stem + (".pt2" if is_exported else ".pt")
    if is_exported:
        torch.export.save(module, archive)
    elif isinstance(module, bytes):
        with open(archive, "wb") as out:
            out.write(module)
    else:
        torch.jit.save(module, archive)

    def opened():
        if is_exported:
            return module.module()
        return getattr(torch.jit.load(archive) if program.loads else module, program.method)

    names = []
    if not program.refused:
        names = module.graph_signature.user_inputs if is_exported else parameter_names(opened())
    values = {field.name: getattr(program, field.name) for field in dataclasses.fields(program)}
    record = {name: value for name, value in values.items() if name not in ("build", "runs", "sequences", "loads")}
    record["archive"] = os.path.basename(archive)
    record["runs"] = []
    if not program.refused:
        for number, args in enumerate(program.runs):
            record["runs"].append(write_run(f"{stem}.{number}.pb", names, program, opened, args))
    return record


def load_theme(path):
    """Under its relative path, which goes into the archives: they must not differ from sandbox to sandbox."""
    name = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(name)
    module.__file__ = os.path.relpath(path)
    sys.modules[name] = module
    with open(path, encoding="utf-8") as source:
        exec(compile(source.read(), module.__file__, "exec"), module.__dict__)


def main(theme, outdir):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    # The plain interpreter: no fusions whose rounding differs from call to call.
    torch._C._jit_set_profiling_executor(False)
    torch._C._jit_set_texpr_fuser_enabled(False)
    load_theme(theme)
    os.makedirs(outdir, exist_ok=True)
    records, failures = [], []
    for program in registry.PROGRAMS.values():
        try:
            records.append(write(program, outdir))
        except Exception as error:
            failures.append(f"{program.name}: {error}")
    with open(os.path.join(outdir, "programs.json"), "w", encoding="utf-8") as out:
        json.dump(records, out, indent=1)
    if failures:
        sys.exit("\n\n".join(failures))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
