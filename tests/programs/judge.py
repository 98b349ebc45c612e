"""What becomes of a program: PyTorch runs it, the exporter exports it, and ONNX Runtime runs the model."""

import dataclasses
import pathlib
import re
import subprocess
import tempfile

import numpy as np
import onnx
import onnx.reference
import onnxruntime
import torch

import higher_order

onnxruntime.set_default_logger_severity(4)
torch.set_num_threads(1)
torch._C._set_graph_executor_optimize(False)  # the language judges, not its optimizer, which has faults of its own
torch._C._jit_set_texpr_fuser_enabled(False)  # its kernels round halves once for several operators
Level = onnxruntime.GraphOptimizationLevel
LEVELS = {"without optimizations": Level.ORT_DISABLE_ALL, "with optimizations": Level.ORT_ENABLE_ALL}
SECONDS = 60  # of one export, which takes milliseconds
EXPORTED = ("pt2", "static")  # doors by torch.export, which takes half a second: it gets several programs at once


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


def python_function(program, higher):
    scope = {"torch": torch, "Tensor": torch.Tensor, **higher}
    exec(program.source(), scope)  # our own text
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
        # What it does at other sizes is what the trace does, not the program; so are its numbers.
        traced = torch.jit.trace(module, example, check_trace=False)
        traced.save(str(folder / "m.pt"))
        loaded = torch.jit.load(str(folder / "m.pt"))
        return loaded, folder / "m.pt", traced_words(loaded, program)
    to_export = Eager(programs, higher_order.real()) if program.kind == "higher" else module
    exported = torch.export.export(to_export, example, dynamic_shapes=dynamic_shapes(program))
    torch.export.save(exported, folder / "m.pt2")
    narrowed = program.free and program.door == "pt2" and program.kind != "higher"
    return exported.module() if narrowed else module, folder / "m.pt2", []


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


def same_bits(a, b, signs):
    """A NaN is like another; without `signs` a zero, too. PyTorch does not round a 0-d factor to a half, so the last bit of a
    half is open.
    """
    if a.dtype == np.float16:
        return np.allclose(a, b, rtol=2**-9, atol=2**-23, equal_nan=True)
    if not signs:
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    alike = np.ascontiguousarray(a).reshape(-1).view(np.uint8) == np.ascontiguousarray(b).reshape(-1).view(np.uint8)
    both_nan = np.isnan(a) & np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, bool)
    return np.all(alike.reshape(a.size, -1).all(axis=1) | both_nan.reshape(-1)) if a.size else True


def zeros_differ(a, b):
    zeros = (a == 0) & (b == 0)
    return a.dtype.kind == "f" and np.any(np.signbit(a[zeros]) != np.signbit(b[zeros]))


def difference(made, wanted, program):
    tolerance = program.tolerance
    if len(made) != len(wanted):
        return f"{len(made)} outputs, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(made, wanted)):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"output {i} is {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        near = np.allclose(a, b, rtol=tolerance, atol=tolerance / 10, equal_nan=True) if tolerance else same_bits(a, b, program.signs)
        if not near:
            return f"output {i} is {a.tolist()}, not {b.tolist()}"
        if program.signs and zeros_differ(a, b):
            return f"output {i} has zeros of another sign: {a.tolist()}, not {b.tolist()}"
    return ""


def expected(module, program, args):
    """None where the program raises: nothing is said of that run. TorchScript's optimizer takes `x + 0` for x, also where x
    is -0.0, so a script runs without it; the numbers of a trace are numbers only with it (docs/torchscript.md).
    """
    try:
        with torch.jit.optimized_execution(program.door != "script"):
            return flat(module(*copied(args)))
    except Exception:  # whatever the program raises
        return None


def feeds(names, args):
    return {name: arg.numpy() if isinstance(arg, torch.Tensor) else np.asarray(arg) for name, arg in zip(names, args)}


def lacks_kernel(error):
    """Where it has none it takes an operator's function, whose nodes of an old opset may not know bfloat16."""
    return "NOT_IMPLEMENTED" in str(error) or "Type 'tensor(bfloat16)' of input parameter" in str(error)


def compare(model, module, program):
    """Outcome of all runs of one model."""
    names = [port.name for port in model.graph.input]
    sessions = {}
    for name, level in LEVELS.items():
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.intra_op_num_threads = 1
        try:
            sessions[name] = onnxruntime.InferenceSession(model.SerializeToString(), options)
        except Exception as error:
            if not lacks_kernel(error):
                return Outcome("fault", f"ONNX Runtime does not load it {name}: {str(error)[:300]}")
            sessions = {"in the reference evaluator": onnx.reference.ReferenceEvaluator(model)}
            break
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
                return Outcome("fault", f"{name} it stops: {str(error)[:300]}; arguments {args}")
            text = difference(made, wanted, program)
            if text:
                return Outcome("wrong", f"{name}: {text}; arguments {args}")
    return Outcome("ok") if judged else Outcome("invalid", "raises in all runs")


def reason(text, skipped=1):
    """The first reason of a refusal, without names and numbers."""
    lines = [line.strip() for line in text.splitlines()[skipped:] if line.strip()]
    return re.sub(r"`[^`]*`|aten::[\w.]+|\d+", "_", lines[0] if lines else text.strip())[:120]


def judge(program, exporter, opset=18):
    return judge_at_once([program], exporter, opset)


def judge_each(programs, exporter, opset=18):
    """Outcomes of programs that take the same arguments by the same door: of all at once, where all is well."""
    runs = runs_of(programs[0])
    calm = [program for program in programs if None not in (expected(Eager([program]), program, args) for args in runs)]
    together = len(calm) > 1 and judge_at_once(calm, exporter, opset).kind == "ok"
    return [Outcome("ok") if together and p in calm else judge(p, exporter, opset) for p in programs]


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
        if done.returncode == 1:
            return Outcome("refused", reason(done.stderr))
        if done.returncode:
            return Outcome("fault", f"exit status {done.returncode}: {done.stderr[-400:]}")
        runs = runs_of(programs[0])
        if "for sizes other than 1" in done.stderr:  # which the user was told
            runs = without_ones(runs)
        return compare(onnx.load(out), module, programs[0].with_runs(runs))
