"""Writes the archives of a model and the data that eager PyTorch gives."""

import gc
import inspect
import itertools
import os
import re
import sys
import traceback

import onnx
import torch
from torch import nn
from torch.utils import _pytree as pytree

ONNX_TYPES = {
    torch.float32: onnx.TensorProto.FLOAT,
    torch.uint8: onnx.TensorProto.UINT8,
    torch.int8: onnx.TensorProto.INT8,
    torch.int16: onnx.TensorProto.INT16,
    torch.int32: onnx.TensorProto.INT32,
    torch.int64: onnx.TensorProto.INT64,
    torch.bool: onnx.TensorProto.BOOL,
    torch.float16: onnx.TensorProto.FLOAT16,
    torch.float64: onnx.TensorProto.DOUBLE,
    torch.bfloat16: onnx.TensorProto.BFLOAT16,
    torch.complex64: onnx.TensorProto.COMPLEX64,
}


def as_tensor(value):
    return value.detach() if isinstance(value, torch.Tensor) else torch.tensor(value)


def write_tensors(folder, kind, names_and_values):
    for i, (name, value) in enumerate(names_and_values):
        t = as_tensor(value).contiguous()
        proto = onnx.TensorProto(name=name, data_type=ONNX_TYPES[t.dtype], dims=list(t.shape))
        proto.raw_data = bytes(t.reshape(-1).view(torch.uint8).numpy().tobytes()) if t.numel() else b""
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as out:
            out.write(proto.SerializeToString(deterministic=True))


def copied(values):
    """Some models write to their inputs or buffers."""
    return pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, values)


def call(module, args, kwargs):
    """Returns the results of eager PyTorch as a flat list."""
    args, kwargs = copied((args, kwargs))
    state = [(v, v.clone()) for v in itertools.chain(module.parameters(), module.buffers())]
    with torch.no_grad():
        results = pytree.tree_leaves(module(*args, **kwargs))
        for value, before in state:
            value.copy_(before)
    for value in results:
        if value is not None and torch.is_floating_point(as_tensor(value)):
            assert as_tensor(value).isfinite().all(), "not finite"
    return results


def write_program_data(folder, program, module, args, kwargs):
    """Writes the inputs and outputs of `program`, which torch.export made."""
    os.makedirs(folder)
    kinds = torch.export.graph_signature
    specs = [s for s in program.graph_signature.input_specs if s.kind == kinds.InputKind.USER_INPUT]
    leaves = pytree.tree_leaves((args, kwargs))
    assert len(specs) == len(leaves), (len(specs), len(leaves))
    # An int, float, bool, None or string fixed by the export is no input of the program any more.
    kept = [(s.arg.name, v) for s, v in zip(specs, leaves) if not isinstance(s.arg, kinds.ConstantArgument)]
    write_tensors(folder, "input", kept)
    results = call(module, args, kwargs)
    outputs = [s.arg for s in program.graph_signature.output_specs if s.kind == kinds.OutputKind.USER_OUTPUT]
    assert len(outputs) == len(results), (outputs, len(results))
    write_tensors(
        folder, "output", [(str(getattr(a, "name", "")), r) for a, r in zip(outputs, results) if r is not None]
    )


def write_plain_data(folder, module, args, kwargs):
    os.makedirs(folder)
    write_tensors(folder, "input", [("", v) for v in pytree.tree_leaves((args, kwargs)) if v is not None])
    write_tensors(folder, "output", [("", v) for v in call(module, args, kwargs) if v is not None])


def input_texts(name, value, shape):
    """The `--input` texts of a parameter: free axes by name, the others as numbers."""
    if isinstance(value, torch.Tensor):
        free = {axis: dim.__name__ for axis, dim in (shape or {}).items()}
        dims = ",".join(free.get(axis, str(size)) for axis, size in enumerate(value.shape))
        kind = {torch.float32: "f32", torch.int64: "i64", torch.bool: "bool"}[value.dtype]
        return [f"{name}={kind}[{dims}]"]
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    return [text for k in keys for text in input_texts(f"{name}.{k}", value[k], shape and shape[k])]


def write_torchscript(stem, case):
    """The two archives, their `--input` texts, and what the module gives at the sizes of `torchscript_other`."""
    module = (case.torchscript or case.module).eval()
    args, other = case.args, case.torchscript_other or case.other
    names = list(inspect.signature(module.forward).parameters)[: len(args)] + list(case.kwargs)
    shapes = case.torchscript_shapes or case.dynamic_shapes
    shapes = list(shapes.values()) if isinstance(shapes, dict) else list(shapes)
    with open(stem + ".inputs", "w", encoding="utf-8") as out:
        for name, value, shape in zip(names, args + tuple(case.kwargs.values()), shapes):
            out.writelines(text + "\n" for text in input_texts(name, value, shape))
    write_plain_data(stem + ".data", module, args, case.kwargs)
    write_plain_data(stem + ".named.data", module, other, case.other_kwargs)
    save_or_say(stem, "scripted.pt", case.no_scripted, lambda: torch.jit.script(module), torch.jit.save)
    named = {**dict(zip(names, args)), **case.kwargs} if case.kwargs else None
    save_or_say(stem, "traced.pt", case.no_traced, lambda: traced(module, args, named), torch.jit.save)


def traced(module, args, named):
    with torch.no_grad():
        args = None if named else copied(args)
        return torch.jit.trace(module, args, check_trace=False, strict=False, example_kwarg_inputs=named)


def save_or_say(stem, suffix, why, build, save):
    if why:
        with open(f"{stem}.{suffix}.why", "w", encoding="utf-8") as out:
            out.write(why + "\n")
    else:
        save(build(), f"{stem}.{suffix}")


def keep_addresses_out():
    """Decomposed archives say of each node which graph it came from, by its address, and print functions. Not here."""
    numbers = itertools.count()
    torch.fx.traceback.id = lambda graph: graph.__dict__.setdefault("_fixture_number", next(numbers))
    source = torch.fx.traceback.NodeSource
    info = source.NodeInfo
    source.NodeInfo = staticmethod(
        lambda name, target, graph_id: info(name, re.sub(" at 0x[0-9a-f]+", "", target), graph_id)
    )


def write_case(stem, case):
    """All archives of a model, with their data."""
    write_exported(stem, case, None, case.no_exported, case.no_decomposed)
    write_exported(stem + ".dynamic", case, case.dynamic_shapes, case.no_dynamic, case.no_dynamic_decomposed)
    if not (case.no_traced and case.no_scripted):
        write_torchscript(stem + ".torchscript", case)
    else:
        save_or_say(stem + ".torchscript", "traced.pt", case.no_traced, None, None)
        save_or_say(stem + ".torchscript", "scripted.pt", case.no_scripted, None, None)


def write_exported(stem, case, shapes, why, why_not_decomposed):
    program = None if why else torch.export.export(case.module, case.args, case.kwargs, dynamic_shapes=shapes)
    save_or_say(stem, "pt2", why, lambda: program, torch.export.save)
    why_not = why or why_not_decomposed
    save_or_say(stem, "decomposed.pt2", why_not, lambda: program.run_decompositions(), torch.export.save)
    if program:
        args = case.other if shapes else case.args
        kwargs = (case.other_kwargs if shapes else None) or case.kwargs
        write_program_data(stem + ".data", program, case.module, args, kwargs)


def warm_up():
    """Imports and builds once, for all models, what the first export needs."""

    class Nothing(nn.Module):
        def forward(self, x):
            return x

    torch.set_num_threads(1)
    torch.export.export(Nothing(), (torch.ones(1),)).run_decompositions()
    gc.disable()  # a tenth of the time of an export; each model has a process of its own


def in_child(work):
    """No model sees what the one before it left behind."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
