#!/usr/bin/env -S python3 -B
"""Sizes of results that a model states: those of the calls of the specs' tests, with all axes free, hold at other sizes.

open.txt has the operators that leave a size open, under the reason.
"""

import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

os.environ["TORCH_CPP_LOG_LEVEL"] = "ERROR"

import onnx
import torch
import torch.nn.functional as F

sys.path[:0] = ["tests/programs"]
import spec_tests
from kinds import entries

EXPORTER = pathlib.Path(os.environ["EXPORTER"]).absolute()
OPEN = pathlib.Path(__file__).resolve().parent / "open.txt"
OPSET = 18
# Sizes in a call's test become these; the first stays as it is.
OTHER_SIZES = ({}, {2: 3, 3: 5, 4: 6, 5: 4, 6: 2, 7: 8, 8: 7}, {2: 4, 3: 2, 4: 8, 5: 3, 6: 7, 7: 5, 8: 16})
SIZES = 200  # all are below
TOO_FEW = 2400  # exports, of 2,700 calls
torch.set_num_threads(1)
warnings.filterwarnings("ignore")


def value_of(text, sizes):
    """The size that a model states; None for a name of its own, or for none."""
    names = {"Max": max, "Min": min, "Mod": lambda a, b: a % b, **sizes}
    try:
        return int(text) if text.isdigit() else eval(text, {"__builtins__": {}}, names)
    except (NameError, SyntaxError):
        return None


def shapes_of(model):
    def shape(value):
        tensor = value.type.tensor_type
        if not tensor.HasField("shape"):
            return None
        return [str(dim.dim_value) if dim.HasField("dim_value") else dim.dim_param for dim in tensor.shape.dim]

    return [shape(output) for output in onnx.load(model).graph.output]


class Call:
    """One operator as the program, with each size a name: 4 is n4."""

    def __init__(self, operator, line):
        self.operator, self.line = operator, line
        self.random = random.Random(1)
        names = [f"x{i}" for i in range(len(line.tensors))]
        overload = operator if "." in operator else operator + ".default"
        self.text = f"torch.ops.aten.{overload}" + line.text.format(*names)
        # A trace asks for the name of the module that a function is in.
        self.function = eval(f"lambda {', '.join(names)}: {self.text}", {"torch": torch, "__name__": "__main__"})

    def inputs(self, sizes):
        maker = entries.Maker(self.random, "trace")
        return tuple(maker.fresh(t, [sizes.get(size, size) for size in t.shape]) for t in self.line.tensors)

    def results(self, sizes):
        return entries.leaves(self.function(*self.inputs(sizes)))

    def types(self):
        def text(tensor):
            sizes = ",".join(f"n{size}" if size > 1 else str(size) for size in tensor.shape)
            return f"{entries.LETTERS[tensor.dtype]}[{sizes}]"

        return [text(tensor) for tensor in self.line.tensors]

    def other_sizes(self):
        # PyTorch does not check what it is given, and indices of another size may be beyond the end.
        return OTHER_SIZES[:1] if entries.UNCHECKED.search(f"aten.{self.operator}") else OTHER_SIZES


def trace_of(operator, line):
    """The call and its trace; None for a text that is no call, or whose overload a trace does not take."""
    try:
        call = Call(operator, line)
        return call, torch.jit.trace(call.function, call.inputs({}), check_trace=False)
    except Exception:  # whatever Python and PyTorch say of it
        return None


def export(traced, types, opset, folder):
    """The shapes of the results; None for what cannot be exported."""
    traced.save(str(folder / "m.pt"))
    names = [value.debugName() for value in traced.graph.inputs()]
    words = [word for name, text in zip(names, types) for word in ("--input", f"{name}={text}")]
    command = [EXPORTER, "export", folder / "m.pt", "-o", folder / "m.onnx", "--opset", str(opset), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return shapes_of(folder / "m.onnx") if done.returncode == 0 else None


def listed():
    """Operators of open.txt."""
    rows = OPEN.read_text(encoding="utf-8").splitlines()
    return [word for row in rows if row.startswith("  ") for word in row.split()]


class OfCalls(unittest.TestCase):
    def check(self, call, shapes):
        for sizes in call.other_sizes():
            try:
                results = call.results(sizes)
            except Exception:  # PyTorch does not take these sizes
                continue
            names = {f"n{size}": sizes.get(size, size) for size in range(SIZES)}
            self.assertEqual(len(results), len(shapes))
            for result, shape in zip(results, shapes):
                stated = [value_of(text, names) for text in shape or []]
                real = [known if known is None else size for known, size in zip(stated, result.shape)]
                self.assertEqual(stated, real, f"{call.text} of {' '.join(call.types())}: {shape}, of {sizes}")

    def test_stated_sizes_hold(self):
        left_open = collections.Counter()
        made = 0
        names = {f"n{size}": size for size in range(SIZES)}
        for line in spec_tests.lines():
            for operator in line.names if line.tensors else []:
                call, traced = trace_of(operator, line) or (None, None)
                if call is None:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    shapes = export(traced, call.types(), OPSET, pathlib.Path(folder))
                if shapes is None:
                    continue
                made += 1
                if any(shape is None or any(value_of(text, names) is None for text in shape) for shape in shapes):
                    left_open[operator] += 1
                self.check(call, shapes)
        self.assertGreater(made, TOO_FEW)
        self.assertEqual(sorted(left_open), sorted(listed()))


def rows(*shapes):
    torch.manual_seed(0)
    return tuple(torch.rand(shape) + 0.1 for shape in shapes)


# Inputs, their types, and the shape of the result.
TABLE = torch.rand(10, 3)
PROGRAMS = {
    "flip": (lambda x: x.flip(0), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "roll": (lambda x: x.roll(2, 1), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "gather": (lambda x: x.gather(1, x.argsort(1)), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "take_along_dim": (lambda x: x.take_along_dim(x.argsort(1), 1), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "cummax": (lambda x: x.cummax(1)[0], rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "logcumsumexp": (lambda x: x.logcumsumexp(1), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "glu": (lambda x: F.glu(x, 1), rows((4, 6)), ["f32[n,m]"], ["n", "(m//2)"]),
    "interpolate": (
        lambda x: F.interpolate(x, scale_factor=2),
        rows((2, 3, 4, 5)),
        ["f32[n,3,h,w]"],
        ["n", "3", "2*h", "2*w"],
    ),
    "interpolate by 1.5": (
        lambda x: F.interpolate(x, scale_factor=1.5, mode="bilinear"),
        rows((2, 3, 4, 5)),
        ["f32[n,3,h,w]"],
        ["n", "3", "(h//2) + h", "(w//2) + w"],
    ),
    "interpolate by an eighth": (
        lambda x: F.interpolate(x, scale_factor=(0.125, 2.0625)),
        rows((2, 3, 16, 8)),
        ["f32[n,3,h,w]"],
        ["n", "3", "(h//8)", "(w//16) + 2*w"],
    ),
    "chunk": (lambda x: x.chunk(3)[2], rows((7, 6)), ["f32[n,m]"], ["-2*((n + 2)//3) + n", "m"]),
    "irfft": (lambda x: torch.fft.irfft(torch.fft.rfft(x), n=x.shape[1]), rows((4, 6)), ["f32[n,m]"], ["n", "m"]),
    "repeat_interleave": (lambda x: x.repeat_interleave(3, 0), rows((4, 6)), ["f32[n,m]"], ["3*n", "m"]),
    "repeat_interleave flat": (lambda x: x.repeat_interleave(2), rows((4, 6)), ["f32[n,m]"], ["2*m*n"]),
    "embedding_bag": (
        lambda x: F.embedding_bag(x, TABLE),
        (torch.randint(10, (4, 6)),),
        ["i64[n,m]"],
        ["n", "3"],
    ),
    "fold": (lambda x: F.fold(x, (4, 4), 2), rows((2, 8, 9)), ["f32[n,8,9]"], ["n", "2", "4", "4"]),
    "fold and squeeze": (lambda x: F.fold(x, (4, 4), 2).squeeze(), rows((2, 4, 9)), ["f32[n,4,9]"], ["n", "4", "4"]),
    "topk": (lambda x: x.topk(x.shape[0] // 2, 0)[0], rows((4, 6)), ["f32[n,m]"], ["(n//2)", "m"]),
}
OPSETS = (17, 18, 24)


class OfPrograms(unittest.TestCase):
    def test_sizes_are_told(self):
        for name, (function, inputs, types, expected) in PROGRAMS.items():
            traced = torch.jit.trace(function, inputs, check_trace=False)
            for opset in OPSETS:
                with self.subTest(name=name, opset=opset), tempfile.TemporaryDirectory() as folder:
                    self.assertEqual(export(traced, types, opset, pathlib.Path(folder)), [expected])


if __name__ == "__main__":
    unittest.main()
