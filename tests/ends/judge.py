"""Judges one call: PyTorch runs it, the exporter exports it, and ONNX Runtime runs the model."""

import dataclasses
import os
import pathlib
import re
import subprocess
import tempfile
import typing
import warnings

import numpy as np
import onnx
import onnx.reference
import torch

import two_levels

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
os.environ["OMP_NUM_THREADS"] = "1"
NAMES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.int8: "i8", torch.uint8: "u8",
         torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.bool: "bool"}  # fmt: skip
# Relative, of floats that are no whole numbers: kernels differ in their last digits.
TOLERANCES = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-10}


@dataclasses.dataclass
class Call:
    """`refuses`: the words of its refusal, where the exporter has none of these calls. `known`: whose fault it is, and
    what, that a model is wrong. `since`: the first opset that is looked at."""

    name: str
    function: typing.Callable
    args: tuple
    refuses: str = ""
    known: str = ""
    since: int = 0


class Module(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.function = call.function

    def forward(self, *args):
        return tuple(flat(self.function(*args)))


def flat(value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


def input_name(text, number):
    """As the archive has it of a value of the trace."""
    return f"argument_{number}" if text.isdigit() else text.split(".")[0]


def save(call, path):
    """Makes the archive of a trace. Returns PyTorch's results and the command's words for inputs; None if PyTorch
    raises."""
    module = Module(call)
    try:
        wanted = [leaf.numpy() for leaf in module(*[arg.clone() for arg in call.args])]
        traced = torch.jit.trace(module, tuple(arg.clone() for arg in call.args), check_trace=False)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return None
    traced.save(str(path))
    names = [input_name(value.debugName(), number) for number, value in enumerate(traced.graph.inputs())][1:]
    texts = [f"{name}={NAMES[arg.dtype]}{list(arg.shape)}".replace(" ", "") for name, arg in zip(names, call.args)]
    return wanted, [word for text in texts for word in ("--input", text)]


def places(made, wanted):
    """Where two tensors of one dtype and shape differ."""
    if made.dtype.kind != "f":
        return made != wanted
    nan = np.isnan(wanted)
    tolerance = TOLERANCES[made.dtype]
    with np.errstate(all="ignore"):
        near = (made == wanted) | (np.abs(made - wanted) <= tolerance * np.abs(wanted))
    signs = np.signbit(made) == np.signbit(wanted)
    return ~np.where(nan, np.isnan(made), near & (signs | (wanted != 0)))


def difference(made, wanted, args):
    def differ(a, b):
        wrong = places(a, b)
        if not wrong.any():
            return ""
        at = tuple(int(k) for k in np.argwhere(wrong)[0]) if wrong.ndim else ()
        of = [arg.numpy()[at] for arg in args if arg.shape == b.shape] if wrong.ndim else [arg.tolist() for arg in args]
        return f"has {int(wrong.sum())} of {wrong.size} that differ; of {of}: {a[at]}, not {b[at]}"

    return two_levels.difference(made, wanted, differ)


def judged_by_reference(model, call, wanted, feeds):
    """Checks with the reference evaluator a model that is right by ONNX's text, but not in ONNX Runtime."""
    text = difference(onnx.reference.ReferenceEvaluator(model).run(None, feeds), wanted, call.args)
    return ("fault", f"in the reference evaluator, too: {text}") if text else ("wrong", call.known)


def compare(model, call, wanted):
    try:
        sessions = two_levels.sessions(model)
    except two_levels.NotLoaded as error:
        return "fault", str(error)
    feeds = {port.name: arg.numpy() for port, arg in zip(model.graph.input, call.args)}
    for name, session in sessions.items():
        try:
            made = session.run(None, feeds)
        except Exception as error:
            return "fault", f"{name} it stops: {str(error)[:700]}"
        text = difference(made, wanted, call.args)
        if text and call.known:
            return judged_by_reference(model, call, wanted, feeds)
        if text:
            return "wrong", f"{name}: {text}; {' '.join(node.op_type for node in model.graph.node)[:200]}"
    return "ok", "" if len(sessions) > 1 else "reference"


def reason(text):
    lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
    return re.sub(r"^.*?\): ", "", lines[0] if lines else text.strip())[:200]


def judge(call, exporter, opsets):
    """By opset: the outcome (ok, refused, wrong, fault) and its text. Empty where PyTorch refuses the call."""
    outcomes = {}
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        saved = save(call, folder / "m.pt")
        if saved is None:
            return {}
        wanted, inputs = saved
        for opset in [opset for opset in opsets if opset >= call.since]:
            out = folder / "m.onnx"
            command = [exporter, "export", folder / "m.pt", "-o", out, "--opset", str(opset), *inputs]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
            if done.returncode == 1:
                outcomes[opset] = ("refused", reason(done.stderr))
            elif done.returncode:
                outcomes[opset] = ("fault", f"exit status {done.returncode}: {done.stderr[-300:]}")
            else:
                outcomes[opset] = compare(onnx.load(out), call, wanted)
    return outcomes
