"""Makes archives and expected values from PyTorch's own operator database.

usage: make_samples.py [--shard K/N] [--op NAME] [--dtype f32] OUT

Only the K-th of N parts of all cells, of an operator (with or without its variant) or variant, of a dtype.

A cell is an operator variant and a dtype, and has at most SAMPLES samples of different argument forms. OUT is a sequence
of records, each a line of JSON and behind it the bytes that it tells the sizes of (samples.h describes both):

    archives      of torch.export (pt2) and torch.jit.trace (pt); of the first sample also what run_decompositions()
                  makes of the former (decomposed.pt2). The tensors of the call are the model's inputs in order,
                  everything else of it is fixed
    inputs        what the model is given
    outputs       what eager PyTorch gives

A call that eager PyTorch refuses has no record.
"""

import argparse
import contextlib
import functools
import io
import itertools
import json
import logging
import random
import warnings
import zlib

warnings.simplefilter("ignore")

import numpy
import torch
from torch.testing._internal import common_methods_invocations as database
from torch.utils import _pytree as pytree

SAMPLES = 5
CANDIDATES = 200  # of which they are chosen; some operators have thousands
LARGEST = 20_000  # elements of a sample's inputs

# The dtypes for which ONNX has a type, except eight-bit floats: no operator computes in them.
DTYPES = {
    torch.float32: "f32",
    torch.float64: "f64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int16: "i16",
    torch.int8: "i8",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.bool: "bool",
    torch.complex64: "c64",
    torch.complex128: "c128",
}

# It gives random operators the same seed at each call, which would hide that they are random and go into the archives.
database.wrapper_set_seed = lambda function, *args, **kwargs: function(*args, **kwargs)

# Their values are whatever lay in memory.
UNINITIALIZED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided", "resize_"}

# Their vectors are unique up to a sign: what the database says of them is compared, as their sizes.
OPEN_SIGNS = {"linalg.eigh", "linalg.svd", "svd"}

# Which of equal elements they mean is open: of their indices, only the type is compared when there are such.
ORDER_OF_EQUALS = {"argsort", "kthvalue", "median", "mode", "nanmedian", "sort", "topk"}


def variant_name(info):
    return f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def parts(tensor):
    """No model takes or gives complex tensors: a real one stands for each, with a last axis of 2."""
    if not tensor.is_complex() or tensor.dtype not in DTYPES:
        return tensor
    return torch.view_as_real(tensor.resolve_conj() if tensor.is_conj() else tensor)


class Call(torch.nn.Module):
    """A function of the tensors of a sample, with its other arguments fixed; the tensors of its result, in order. Complex
    ones are given and returned as their parts.
    """

    def __init__(self, info, sample):
        super().__init__()
        self.function = info.op
        self.unique = sample.output_process_fn_grad if variant_name(info) in OPEN_SIGNS else None
        self.leaves, self.spec = pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
        self.tensors = [leaf for leaf in self.leaves if is_tensor(leaf)]

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = list(self.leaves)
        for i, leaf in enumerate(leaves):
            if is_tensor(leaf):
                leaves[i] = torch.view_as_complex(next(given)) if leaf.is_complex() else next(given)
        args, kwargs = pytree.tree_unflatten(leaves, self.spec)
        result = self.function(*args, **kwargs)
        if self.unique:
            result = self.unique(result)
        return tuple(parts(leaf) for leaf in pytree.tree_leaves(result) if is_tensor(leaf))

    def inputs(self):
        """Fresh ones: the function may write to them."""
        return tuple(parts(tensor.detach()).clone() for tensor in self.tensors)

    def text(self):
        args, kwargs = pytree.tree_unflatten(self.leaves, self.spec)
        words = [*map(written, args), *(f"{name}={written(value)}" for name, value in kwargs.items())]
        return f"({', '.join(words)})"

    def form(self):
        """Equal for samples that differ in sizes and numbers only."""
        return str(self.spec), tuple(form_of(leaf) for leaf in self.leaves)

    def size(self):
        return sum(tensor.numel() for tensor in self.tensors)

    def is_expressible(self):
        return all(tensor.layout == torch.strided and tensor.dtype in DTYPES for tensor in self.tensors)


def written(value):
    if is_tensor(value):
        return f"{DTYPES.get(value.dtype, value.dtype)}[{','.join(map(str, value.shape))}]"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    return repr(value)


def form_of(leaf):
    if is_tensor(leaf):
        return leaf.dtype, leaf.dim(), leaf.numel() == 0, leaf.is_contiguous()
    if isinstance(leaf, (str, bool, torch.dtype)):
        return leaf
    return type(leaf)


def evenly(items, count):
    if len(items) <= count:
        return items
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


def choose(calls):
    """One of each form, the smallest; when there are many forms, evenly from the first to the last, else more of each."""
    calls = [call for call in calls if call.is_expressible() and call.size() <= LARGEST]
    forms = {}
    for call in calls:
        forms.setdefault(call.form(), []).append(call)
    chosen = evenly([min(same, key=Call.size) for same in forms.values()], SAMPLES)
    others = [call for call in calls if all(call is not other for other in chosen)]
    return chosen + others[: SAMPLES - len(chosen)]


def number_of(info, dtype):
    return zlib.crc32(f"{variant_name(info)} {DTYPES[dtype]}".encode())


def calls_of(info, dtype):
    for seed in (torch.manual_seed, numpy.random.seed, random.seed):
        seed(number_of(info, dtype))
    samples = info.sample_inputs("cpu", dtype, requires_grad=False)
    return choose([Call(info, sample) for sample in itertools.islice(samples, CANDIDATES)])


def has_equals(call):
    elements = call.tensors[0].flatten().double()
    return elements.unique().numel() < elements.numel()


def run(info, call):
    """The outputs, and which of them are the same in every run."""
    before = torch.get_rng_state()
    outputs = [output.detach().clone() for output in call(*call.inputs())]
    if info.name in UNINITIALIZED or not torch.equal(before, torch.get_rng_state()):
        return outputs, [False] * len(outputs)
    is_open = info.name in ORDER_OF_EQUALS and has_equals(call)
    indices = len(outputs) - 1
    return outputs, [not is_open or i != indices or output.dtype != torch.int64 for i, output in enumerate(outputs)]


@functools.lru_cache(maxsize=1)
def program_of(call):
    return torch.export.export(call, call.inputs(), strict=False)


def saved(program):
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)  # paths of this machine
    out = io.BytesIO()
    torch.export.save(program, out)
    return out.getvalue()


def exported(call):
    return saved(program_of(call))


def decomposed(call):
    return saved(program_of(call).run_decompositions())


def traced(call):
    module = torch.jit.trace(call, call.inputs(), check_trace=False)
    out = io.BytesIO()
    torch.jit.save(module, out)
    return out.getvalue()


def attempt(make, call):
    """The archive, or why there is none."""
    silence = io.StringIO()  # what torch.export cannot do it prints as well
    try:
        with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            return make(call), ""
    except Exception as error:
        return b"", f"{type(error).__name__}: {str(error).strip()[:200]}"


def raw(tensor):
    flat = tensor.detach().resolve_neg().clone(memory_format=torch.contiguous_format).view(-1)
    return flat.view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


class Writer:
    def __init__(self, path):
        self.out = open(path, "wb")

    def add(self, record, archives, inputs, outputs):
        payload = [data for data, _ in archives.values()]
        for name, tensors in (("inputs", inputs), ("outputs", outputs)):
            record[name] = [{"dtype": DTYPES[t.dtype], "shape": list(t.shape)} for t in tensors]
            payload += [raw(tensor) for tensor in tensors]
        record["archives"] = [[name, why] for name, (_, why) in archives.items()]
        record["sizes"] = list(map(len, payload))
        self.out.write(json.dumps(record).encode() + b"\n")
        self.out.writelines(payload)


def write_call(writer, info, dtype, number, call):
    try:
        outputs, fixed = run(info, call)
    except Exception:
        return  # eager PyTorch does not run it, so nothing is asked of us
    formats = {"pt2": exported, "pt": traced}
    if number == 0:
        formats["decomposed.pt2"] = decomposed
    if outputs and all(output.layout == torch.strided and output.dtype in DTYPES for output in outputs):
        archives = {name: attempt(make, call) for name, make in formats.items()}
    else:
        why = "the result has no tensors, or such that ONNX has no type for"
        archives = {name: (b"", why) for name in formats}
        outputs, fixed = [], []
    record = {
        "op": variant_name(info),
        "dtype": DTYPES[dtype],
        "sample": number,
        "call": call.text(),
        "values": fixed,
    }
    writer.add(record, archives, call.inputs(), outputs)


def is_in_shard(info, dtype, shard):
    part, count = map(int, shard.split("/"))
    return number_of(info, dtype) % count == part


def cells(arguments):
    for info in sorted(database.op_db, key=variant_name):
        if arguments.op not in ("", info.name, variant_name(info)):
            continue
        for dtype, name in DTYPES.items():
            if dtype in info.dtypes and arguments.dtype in ("", name) and is_in_shard(info, dtype, arguments.shard):
                yield info, dtype


def write(arguments):
    writer = Writer(arguments.out)
    with torch.no_grad():
        for info, dtype in cells(arguments):
            for number, call in enumerate(calls_of(info, dtype)):
                write_call(writer, info, dtype, number, call)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--op", default="")
    parser.add_argument("--dtype", default="")
    parser.add_argument("out")
    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)
    # The plain interpreter: no fusions whose rounding differs from call to call.
    torch._C._jit_set_profiling_executor(False)
    write(parser.parse_args())


if __name__ == "__main__":
    main()
