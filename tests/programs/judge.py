"""Judges a program: PyTorch runs it, the exporter exports it, and ONNX Runtime runs the model."""

import dataclasses
import functools
import pathlib
import re
import subprocess
import tempfile

import numpy as np
import onnx
import torch

import higher_order
import two_levels

torch.set_num_threads(1)
torch._C._set_graph_executor_optimize(False)  # the language judges, not its optimizer, which has faults of its own
torch._C._jit_set_texpr_fuser_enabled(False)  # its kernels round halves once for several operators
torch.fx.config.do_not_emit_stack_traces = True  # a sixth of what an export takes
SECONDS = 60  # of one export, which takes milliseconds
EXPORTED = ("pt2", "static")  # doors by torch.export, which is slow: it gets several programs at once


@dataclasses.dataclass
class Outcome:
    """ok; refused, and why; invalid, where PyTorch itself cannot make or run the program; wrong; fault."""

    kind: str
    text: str = ""


def flat(value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flat(item)]
    return [value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)]


def copied(args):
    return [arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in args]


@functools.lru_cache(64)
def compiled(source):
    return compile(source, "program", "exec")


def python_function(program, higher):
    scope = {"torch": torch, "Tensor": torch.Tensor, **higher}
    exec(compiled(program.source()), scope)  # our own text
    return scope["forward"]


class Eager(torch.nn.Module):
    """Programs that take the same arguments."""

    def __init__(self, programs, higher=higher_order.PLAIN):
        super().__init__()
        self.functions = [python_function(program, higher) for program in programs]

    def forward(self, *args):
        if len(self.functions) == 1:
            return self.functions[0](*args)
        return [function(*copied(args)) for function in self.functions]


def scripted(program):
    return torch.jit.CompilationUnit(program.source()).forward


def dynamic_shapes(program):
    free = program.free if program.door == "pt2" else None
    by_argument = free if isinstance(free, tuple) else (free,)
    axes = [{axis: torch.export.Dim.DYNAMIC for axis in argument} if argument else None for argument in by_argument]
    return ((*axes, *[None] * (len(program.runs[0]) - len(axes))),)


def save(programs, folder):
    """Makes the archive; the module that judges, the archive's path, and words of the command."""
    program = programs[0]
    words = [word for text in program.inputs for word in ("--input", text)]
    if program.door == "script":
        module = scripted(program)
        module.save(str(folder / "m.pt"))
        return module, folder / "m.pt", words
    module, example = Eager(programs), tuple(copied(program.runs[0]))
    if program.door == "trace":
        # At other sizes, and for its numbers, the trace is the reference, not the program.
        traced = torch.jit.trace(module, example, check_trace=False)
        traced.save(str(folder / "m.pt"))
        loaded = torch.jit.load(str(folder / "m.pt"))
        return loaded, folder / "m.pt", traced_words(loaded, program)
    to_export = Eager(programs, higher_order.real()) if program.kind == "higher" else module
    exported = torch.export.export(to_export, example, dynamic_shapes=dynamic_shapes(program))
    torch.export.save(exported, folder / "m.pt2")
    narrowed = program.free and program.door == "pt2" and program.kind != "higher"
    return exported.module() if narrowed else module, folder / "m.pt2", []


def only_pytorch(program):
    with tempfile.TemporaryDirectory() as made:
        try:
            module, *_ = save([program], pathlib.Path(made))
        except Exception:  # PyTorch's own refusals
            return
        for args in runs_of(program):
            expected(module, program, args)


def warm():
    """The first export of a process takes seconds."""
    torch.export.export(torch.nn.ReLU(), (torch.ones(2, 3),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))


def traced_words(loaded, program):
    """A trace has names of its own for its inputs."""
    names = [argument.name for argument in loaded.forward.schema.arguments][1:]
    return [word for name, text in zip(names, program.inputs) for word in ("--input", name + text[text.index("=") :])]


def shapes(args):
    return [getattr(arg, "shape", ()) for arg in args]


def without_ones(runs):
    return [args for args in runs if not any(1 in shape for shape in shapes(args))]


def runs_of(program):
    """Those that the door takes. A free axis of torch.export has two elements or more."""
    if program.door == "pt2" and program.free:
        return without_ones(program.runs)
    if program.door == "static":
        return [args for args in program.runs if shapes(args) == shapes(program.runs[0])]
    return program.runs


def same_numbers(a, b):
    """A NaN is like another, and a zero, too. PyTorch does not round a 0-d factor to a half, so the last bit of a half
    is open.
    """
    if a.dtype == np.float16:
        return np.allclose(a, b, rtol=2**-9, atol=2**-23, equal_nan=True)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def scale_of(numbers):
    """The largest finite number, 1 at least: what is left of sums of large numbers is not known to more than that."""
    finite = np.abs(numbers[np.isfinite(numbers)]) if numbers.dtype.kind == "f" else np.zeros(0)
    return max(1.0, float(finite.max(initial=0)))


def is_near(a, b, program):
    if not program.tolerance:
        return same_numbers(a, b)
    atol = program.tolerance / 10 * scale_of(b)
    return np.allclose(a, b, rtol=program.tolerance, atol=atol, equal_nan=True)


def difference(made, wanted, program):
    def differ(a, b):
        if not is_near(a, b, program):
            return f"is {a.tolist()}, not {b.tolist()}"
        if program.signs and two_levels.zeros_differ(a, b):
            return f"has zeros of another sign: {a.tolist()}, not {b.tolist()}"
        return ""

    return two_levels.difference(made, wanted, differ)


# A model may be so many times as far from PyTorch's float32 as that is from its float64: it rounds in another order.
ROUNDING = 10


def is_rounding(made, wanted, module, program, args):
    """Returns whether the results differ by what PyTorch's own float32 is off: a norm of numbers that hardly differ makes whole
    numbers of their last bits.
    """
    doubled = [arg.double() if torch.is_tensor(arg) and arg.dtype == torch.float32 else arg for arg in args]
    exact = expected(module, program, doubled) if program.tolerance else None
    if exact is None or len({str(shapes(results)) for results in (exact, wanted, made)}) > 1:
        return False
    differ = lambda a, b: "" if is_near(a, b, program) else "differs"
    return not two_levels.difference(list(map(without_rounding, made, wanted, exact)), wanted, differ)


def without_rounding(made, wanted, exact):
    """Returns what the model gives, but PyTorch's own number where that is off as much."""
    if wanted.dtype != np.float32:
        return made
    return np.where(np.abs(made - wanted) <= ROUNDING * np.abs(exact - wanted), wanted, made)


def expected(module, program, args):
    """None where the program raises: nothing is said of that run. TorchScript's optimizer takes `x + 0` for x, also
    where x is -0.0, so a script runs without it; the numbers of a trace are numbers only with it (docs/torchscript.md).
    """
    try:
        with torch.jit.optimized_execution(program.door != "script"):
            return flat(module(*copied(args)))
    except Exception:  # whatever the program raises
        return None


def feeds(names, args):
    return {name: arg.numpy() if isinstance(arg, torch.Tensor) else np.asarray(arg) for name, arg in zip(names, args)}


# For -inf alone it gives NaN, although the logarithm of 0 is -inf.
REFERENCE_IS_WRONG = ("ReduceLogSumExp",)


def is_large_sum(model, made):
    """Returns whether findings/onnxruntime_sum_of_int64.sh may be why a number differs."""
    large = any(a.dtype == np.int64 and np.any(np.abs(a.astype(np.float64)) > 2**53) for a in made)
    return large and b"ReduceSum" in model.SerializeToString()


def is_reshape_to_nothing(model, error):
    """A size of 0 is "as in the input" before opset 14, where a size given at run time may be 0."""
    return model.opset_import[0].version < 14 and "running Reshape node" in str(error)


def compare(model, module, program):
    """Outcome of all runs of one model."""
    names = [port.name for port in model.graph.input]
    try:
        sessions = two_levels.sessions(model)
    except two_levels.NotLoaded as error:
        return Outcome("fault", str(error))
    if two_levels.REFERENCE in sessions and any(node.op_type in REFERENCE_IS_WRONG for node in model.graph.node):
        return Outcome("invalid", "ONNX's reference evaluator computes an operator wrongly")
    judged = 0
    for args in runs_of(program):
        wanted = expected(module, program, args)
        if wanted is None:
            continue
        judged += 1
        for name, session in sessions.items():
            try:
                made = flat(session.run(None, feeds(names, copied(args))))
            except Exception as error:
                if is_reshape_to_nothing(model, error):
                    return Outcome("invalid", "before opset 14 Reshape takes no size of 0")
                return Outcome("fault", f"{name} it stops: {str(error)[:300]}; arguments {args}")
            text = difference(made, wanted, program)
            if text and is_large_sum(model, made):
                return Outcome("invalid", "ONNX Runtime sums int64 in float64")
            if text and not is_rounding(made, wanted, module, program, args):
                return Outcome("wrong", f"{name}: {text}; arguments {args}")
    return Outcome("ok") if judged else Outcome("invalid", "raises in all runs")


def reason(text, skipped=1):
    """The first reason of a refusal, without names and numbers."""
    lines = [line.strip() for line in text.splitlines()[skipped:] if line.strip()]
    return re.sub(r"`[^`]*`|aten::[\w.]+|(?<![E\d])\d+", "_", lines[0] if lines else text.strip())[:120]


def refused(module, programs, text):
    """A program that raises in all runs is none that could be exported."""
    alone = len(programs) == 1
    if alone and all(expected(module, programs[0], args) is None for args in runs_of(programs[0])):
        return Outcome("invalid", "raises in all runs")
    return Outcome("refused", text)


def judge(program, exporter, opset=18):
    return judge_at_once([program], exporter, opset)


def judge_each(programs, exporter, opset=18):
    """Outcomes of programs that take the same arguments by the same door."""
    if len(programs) == 1:
        return [judge(programs[0], exporter, opset)]
    runs = runs_of(programs[0])
    calm = [program for program in programs if None not in (expected(Eager([program]), program, args) for args in runs)]
    outcomes = dict(zip(map(id, calm), judge_halves(calm, exporter, opset)))
    return [outcomes.get(id(program)) or judge(program, exporter, opset) for program in programs]


def judge_halves(programs, exporter, opset):
    """Outcomes of programs none of which raises: of all at once where all is well, else of each half."""
    if not programs:
        return []
    outcome = judge_at_once(programs, exporter, opset)
    if len(programs) == 1 or outcome.kind == "ok":
        return [outcome] * len(programs)
    half = len(programs) // 2
    return judge_halves(programs[:half], exporter, opset) + judge_halves(programs[half:], exporter, opset)


def judge_at_once(programs, exporter, opset):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        try:
            module, archive, words = save(programs, folder)
        except Exception as error:  # PyTorch's own refusals
            return Outcome("invalid", f"{type(error).__name__}: {reason(str(error), 0)}")
        out = folder / "m.onnx"
        command = [exporter, "export", archive, "-o", out, "--opset", str(opset), *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return Outcome("fault", f"the export takes more than {SECONDS} s")
        # Lists that a program doubles may need more than the limit, which has a status of its own.
        if done.returncode == 1 or (done.returncode == 3 and "error[E0401]" in done.stderr):
            return refused(module, programs, reason(done.stderr, done.returncode == 1))
        if done.returncode:
            return Outcome("fault", f"exit status {done.returncode}: {done.stderr[-400:]}")
        runs = runs_of(programs[0])
        if "for sizes other than 1" in done.stderr:  # the user was warned
            runs = without_ones(runs)
        return compare(onnx.load(out), module, programs[0].with_runs(runs))
