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

onnxruntime.set_default_logger_severity(4)
torch.set_num_threads(1)
Level = onnxruntime.GraphOptimizationLevel
LEVELS = {"without optimizations": Level.ORT_DISABLE_ALL, "with optimizations": Level.ORT_ENABLE_ALL}
SECONDS = 60  # of one export, which takes milliseconds


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


def python_function(program):
    scope = {"torch": torch}
    exec(program.source(), scope)  # our own text
    return scope["forward"]


class Eager(torch.nn.Module):
    def __init__(self, program):
        super().__init__()
        self.function = python_function(program)

    def forward(self, *args):
        return self.function(*args)


def scripted(program):
    return torch.jit.CompilationUnit(program.source()).forward


def dynamic_shapes(program):
    axes = {axis: torch.export.Dim.DYNAMIC for axis in program.free or {}}
    return ((axes, *[None] * (len(program.runs[0]) - 1)),)


def save(program, folder):
    """Makes the archive; the module that judges, the archive's path, and words of the command."""
    words = [word for text in program.inputs for word in ("--input", text)]
    if program.door == "script":
        module = scripted(program)
        module.save(str(folder / "m.pt"))
        return module, folder / "m.pt", words
    module = Eager(program)
    if program.door == "trace":
        torch.jit.trace(module, tuple(copied(program.runs[0])), check_trace=False).save(str(folder / "m.pt"))
        return module, folder / "m.pt", words
    exported = torch.export.export(module, tuple(copied(program.runs[0])), dynamic_shapes=dynamic_shapes(program))
    torch.export.save(exported, folder / "m.pt2")
    return module, folder / "m.pt2", []


def difference(made, wanted):
    if len(made) != len(wanted):
        return f"{len(made)} outputs, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(made, wanted)):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"output {i} is {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        if not np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"output {i} is {a.tolist()}, not {b.tolist()}"
        if a.dtype.kind == "f" and np.any(np.signbit(a) != np.signbit(b) & ~np.isnan(a) & (b == 0)) and np.any(b == 0):
            zeros = (b == 0) & (a == 0)
            if np.any(np.signbit(a[zeros]) != np.signbit(b[zeros])):
                return f"output {i} has zeros of another sign"
    return ""


def expected(module, args):
    """None where the program raises: nothing is said of that run."""
    try:
        return flat(module(*copied(args)))
    except Exception:  # whatever the program raises
        return None


def feeds(names, args):
    return {name: arg.numpy() if isinstance(arg, torch.Tensor) else np.asarray(arg) for name, arg in zip(names, args)}


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
            if "NOT_IMPLEMENTED" not in str(error):
                return Outcome("fault", f"ONNX Runtime does not load it {name}: {str(error)[:300]}")
            sessions = {"in the reference evaluator": onnx.reference.ReferenceEvaluator(model)}
            break
    judged = 0
    for args in program.runs:
        wanted = expected(module, args)
        if wanted is None:
            continue
        judged += 1
        for name, session in sessions.items():
            try:
                made = flat(session.run(None, feeds(names, copied(args))))
            except Exception as error:
                return Outcome("fault", f"{name} it stops: {str(error)[:300]}")
            text = difference(made, wanted)
            if text:
                return Outcome("wrong", f"{name}: {text}; arguments {args}")
    return Outcome("ok") if judged else Outcome("invalid", "raises in all runs")


def reason(text):
    """The first reason of a refusal, without names and numbers."""
    lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
    return re.sub(r"`[^`]*`|\d+", "_", lines[0] if lines else text.strip())[:120]


def judge(program, exporter, opset=18, keep=None):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(keep or made)
        try:
            module, archive, words = save(program, folder)
        except Exception as error:  # PyTorch's own refusals
            return Outcome("invalid", f"{type(error).__name__}: {str(error)[:200]}")
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
        return compare(onnx.load(out), module, program)
