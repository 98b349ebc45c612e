"""Traces with loops over an axis, which are unrolled: refused while the axis has a name, whatever the file records.

Each case is one trace. `LOOPS` are the loops, `FORMS` the ways to save them. `READS` have no loop over a named axis.
"""

import io
import zipfile
from typing import Dict, List, Tuple

import torch
from torch import nn

SIZES = (2, 5)
NAMES = ["--input", "x=f32[batch,seq]"]
SAID = ["--sizes", "batch=2,seq=5"]
UNROLLED = "is unrolled in a trace"


class Program(nn.Module):
    """A module that computes a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)

    @staticmethod
    def inputs(batch, seq):
        return (torch.rand(batch, seq) + 0.1,)


# ---- loops


def by_index(x):
    y = torch.zeros_like(x[:, 0])
    for i in range(x.shape[1]):
        y = y * 0.5 + x[:, i]
    return y


def by_select(x):
    return torch.stack([x.select(1, i) * (i + 1) for i in range(x.shape[1])], 1)


def by_slice(x):
    return torch.cat([x[:, i : i + 1] * (i + 1) for i in range(x.shape[1])], 1)


def by_narrow(x):
    return torch.cat([x.narrow(1, i, 1) * (i + 1) for i in range(x.shape[1])], 1)


def in_steps(x):
    return torch.cat([x[:, i : i + 2].sum(1, keepdim=True) for i in range(0, x.shape[1] - 1, 2)] + [x[:, 3:5]], 1)


def downwards(x):
    y = torch.zeros_like(x[:, 0])
    for i in reversed(range(x.shape[1])):
        y = y * 0.5 + x[:, i]
    return y


def from_the_end(x):
    y = torch.zeros_like(x[:, 0])
    for i in range(x.shape[1]):
        y = y * 0.5 + x[:, -1 - i]
    return y


def from_its_size(x):
    return torch.stack([x[:, x.shape[1] - 1 - i] * (i + 1) for i in range(x.shape[1])], 1)


def of_rests(x):
    return sum(x[:, i:].sum(1) for i in range(x.shape[1]))


def of_rests_to_its_size(x):
    return sum(x[:, i : x.shape[1]].sum(1) for i in range(x.shape[1]))


def of_beginnings(x):
    return sum(x[:, : i + 1].sum(1) for i in range(x.shape[1]))


def of_neighbours(x):
    return sum((x[:, i] - x[:, i - 1]).abs() for i in range(1, x.shape[1]))


def each_twice(x):
    y = torch.zeros_like(x[:, 0])
    for i in range(x.shape[1] * 2):
        y = y * 0.5 + x[:, i // 2]
    return y


def over_a_sum(x):
    y = torch.cat([x, x], 1)
    return sum(y[:, i] * (i + 1) for i in range(y.shape[1]))


def with_writes(x):
    y = torch.zeros_like(x)
    for i in range(x.shape[1]):
        y[:, i] = x[:, i] * (i + 1)
    return y


def over_rows(x):
    return sum(x[i] * (i + 1) for i in range(x.shape[0]))


@torch.jit.script
def column(x, i: int):
    return x[:, i]


def by_a_script(x):
    return sum(column(x, i) * (i + 1) for i in range(x.shape[1]))


LOOPS = [by_index, by_select, by_slice, by_narrow, in_steps, downwards, from_the_end, from_its_size, of_rests,
         of_rests_to_its_size, of_beginnings, of_neighbours, each_twice, over_a_sum, with_writes, over_rows, by_a_script]


# Other errors refuse these, whatever the file records.
def by_split(x):
    return sum(part * 2 for part in x.split(1, 1))


def by_chunk(x):
    return sum(part * 2 for part in x.chunk(x.shape[1], 1))


def by_unbind(x):
    return sum(part * 2 for part in x.unbind(1))


# ---- ways to save a trace


def function(program, args):
    return torch.jit.trace(program.function, args, check_trace=False)


def recorded(program, args):
    return torch.jit.trace(program, args)


def without_inputs(program, args):
    return torch.jit.trace(program, args, _store_inputs=False)


def methods(program, args):
    return torch.jit.trace_module(program, {"forward": args}, _store_inputs=False)


def frozen(program, args):
    return torch.jit.freeze(torch.jit.trace(program, args))


def optimized(program, args):
    return torch.jit.optimize_for_inference(torch.jit.trace(program, args))


def saved_again(program, args):
    file = io.BytesIO()
    torch.jit.save(function(program, args), file)
    return torch.jit.load(io.BytesIO(file.getvalue()))


def without_debug_information(program, args):
    file = io.BytesIO()
    torch.jit.save(function(program, args), file)
    stripped = io.BytesIO()
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(stripped, "w") as rest:
        for record in whole.infolist():
            if not record.filename.endswith(".debug_pkl"):
                rest.writestr(record.filename, whole.read(record))
    return stripped.getvalue()


class Host(nn.Module):
    def __init__(self, traced):
        super().__init__()
        self.traced = traced

    def forward(self, x):
        return self.traced(x)


def in_a_script(program, args):
    return torch.jit.script(Host(torch.jit.trace(program, args)))


def script(program, args):
    return torch.jit.script(program.function)


def frozen_script(program, args):
    return torch.jit.freeze(torch.jit.script(Host(torch.jit.script(program.function))).eval())


FORMS = [function, without_inputs, methods, frozen, optimized, saved_again, in_a_script,
         without_debug_information]


# ---- no loops over a named axis


def places(x):
    return x[:, 0] + x[:, -1] + x[:1, 0]


def numbered(x):
    return x[:, 1] + x[:, 2] - x[:, -2], x[:, 1:], x[:, :3]


@torch.jit.script
def rest(x):
    return x[:, 1:] + x[:, 2:3]


@torch.jit.script
def with_helpers(x):
    return rest(x) + x[:, 3:4]


# ---- containers


class Pair(Program):
    def forward(self, x: Tuple[torch.Tensor, torch.Tensor]):
        return by_index(x[0]) + x[1]

    @staticmethod
    def inputs(batch, seq):
        return ((torch.rand(batch, seq), torch.rand(batch)),)


class Entries(Program):
    def forward(self, x: Dict[str, torch.Tensor]):
        return by_index(x["a"]) + x["b"]

    @staticmethod
    def inputs(batch, seq):
        return ({"a": torch.rand(batch, seq), "b": torch.rand(batch)},)


class Items(Program):
    def forward(self, x: List[torch.Tensor]):
        return by_index(x[0]) + x[1]

    @staticmethod
    def inputs(batch, seq):
        return ([torch.rand(batch, seq), torch.rand(batch)],)


# ---- cases


def one(name, make, save, flags, runs=(), refused=()):
    """A case of make_traces.py."""

    def program():
        made = make()
        made.save = save
        return made

    program.__name__ = name
    return program, [SIZES], runs, flags, (), refused, {}


def of(function_, save, flags, suffix, **words):
    return one(f"{function_.__name__}_{save.__name__}_{suffix}", lambda: Program(function_), save, flags, **words)


def cases():
    for loop in LOOPS:
        names = "batch" if loop is over_rows else "seq"
        size = "2" if loop is over_rows else "5"
        named = ["--input", f"x=f32[{'batch,5' if loop is over_rows else '2,seq'}]"]
        for save in FORMS:
            yield of(loop, save, named, "named", refused=[1, UNROLLED, f"(--sizes): {names}=8", "no recorded inputs"])
        yield of(loop, recorded, named, "named", refused=[1, UNROLLED, "one when the model was traced", "or trace with"])
        said = [*named, "--sizes", f"{names}={size}"]
        yield of(loop, function, said, "said", refused=[1, UNROLLED, "one when the model was traced", "or trace with"])
        yield of(loop, function, ["--input", "x=f32[2,5]"], "numbers", runs=[SIZES, SIZES])
    for loop in by_split, by_chunk, by_unbind:
        yield of(loop, function, NAMES, "named", refused=[1])
        yield of(loop, function, ["--input", "x=f32[2,5]"], "numbers", runs=[SIZES, SIZES])

    for save in [*FORMS, recorded]:
        yield of(places, save, NAMES, "named", runs=[(1, 7), (3, 2)])
    yield of(numbered, recorded, NAMES, "named", runs=[(1, 7), (3, 4)])
    yield of(numbered, function, NAMES, "named", refused=[1, "no recorded inputs", "(--sizes): seq=8"])
    yield of(numbered, function, [*NAMES, *SAID], "said", runs=[(1, 7), (3, 4)])
    yield of(numbered, recorded, [*NAMES, *SAID], "said", runs=[(1, 7), (3, 4)])
    for save in script, frozen_script:
        yield of(numbered, save, NAMES, "named", runs=[(1, 7), (3, 4)])
        yield of(with_helpers, save, NAMES, "named", runs=[(1, 7), (3, 4)])

    axes = ["--input", "x.{}=f32[batch,seq]", "--input", "x.{}=f32[batch]"]
    for make, keys in (Pair, "01"), (Entries, "ab"), (Items, "01"):
        flags = [text.format(key) for text, key in zip(axes, [None, keys[0], None, keys[1]])]
        yield one(f"{make.__name__}_recorded", lambda make=make: make(None), recorded, flags,
                  refused=[1, UNROLLED, "one when the model was traced", "or trace with"])
        yield one(f"{make.__name__}_without_inputs", lambda make=make: make(None), without_inputs, flags,
                  refused=[1, UNROLLED, "no recorded inputs", "(--sizes): seq=8"])

    yield of(places, function, [*NAMES, "--sizes", "rows=3"], "rows", refused=[2, "[E0013]", "no axis is called `rows`"])
    yield of(places, recorded, [*NAMES, "--sizes", "seq=6"], "six", refused=[2, "[E0013]", "`seq` was 5 when", "not 6"])


CASES = list(cases())
