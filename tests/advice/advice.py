"""Cases of advice: what is refused, what the message says to do, and what follows it."""

import dataclasses
import functools
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import onnx
import torch
import two_levels

EXPORTER = pathlib.Path(os.environ["EXPORTER"]).absolute()
FOLDER = pathlib.Path(tempfile.mkdtemp())
torch.set_num_threads(1)
torch.manual_seed(0)


def module_of(program):
    """A function as a module, of which a trace records the inputs."""
    if isinstance(program, torch.nn.Module):
        return program
    return type(program.__name__, (torch.nn.Module,), {"forward": staticmethod(program)})()


def save_script(program, inputs, path):
    torch.jit.script(program).save(path)


def save_trace(program, inputs, path, **words):
    with torch.no_grad():
        torch.jit.trace(module_of(program), inputs, check_trace=False, **words).save(path)


def save_exported(program, inputs, path, change=lambda exported: exported, **words):
    torch.export.save(change(torch.export.export(module_of(program), inputs, **words)), path)


@dataclasses.dataclass(frozen=True, eq=False)
class Archive:
    """A program as a file, which is written when it is needed; `program` and `runs` say what it computes."""

    ending: str
    program: object
    save: object
    runs: list

    @functools.cached_property
    def path(self):
        path = FOLDER / f"{id(self)}{self.ending}"
        self.save(path)
        return path

    def __str__(self):
        return str(self.path)


def of(saved, ending, program, *inputs, runs=(), **words):
    inputs = list(inputs)
    return Archive(ending, program, lambda path: saved(program, tuple(inputs), str(path), **words), [inputs, *runs])


script = functools.partial(of, save_script, ".pt")
trace = functools.partial(of, save_trace, ".pt")
exported = functools.partial(of, save_exported, ".pt2")


def file(name, save):
    """A file that is no program: `save` is its contents, or writes it."""
    return Archive(name, None, save if callable(save) else lambda path: path.write_bytes(save), [])


def made(archive, *words):
    """The model of an archive as a file."""

    def save(path):
        line = [EXPORTER, "export", archive.path, *words, "-o", path]
        subprocess.run(line, stderr=subprocess.DEVNULL, check=True)

    return file(".onnx", save)


@dataclasses.dataclass(frozen=True)
class Case:
    """A refusal with this code: an archive and flags, or the words of another command. `says` is the part of the
    message that gives the advice, and `then` follows it; without `then` the message says why there is no way."""

    code: str
    refused: list
    says: str
    then: list = None
    # The numbers of `then` are compared with PyTorch's in ONNX Runtime.
    compare: bool = True


@dataclasses.dataclass(frozen=True)
class Run:
    process: subprocess.CompletedProcess
    model: pathlib.Path = None
    archive: Archive = None


def write(words):
    """Writes the files of a command."""
    for word in words:
        if isinstance(word, Archive):
            str(word)


def run(words):
    """Runs the exporter; the model and its program are known where a program is exported."""
    exports = isinstance(words[0], Archive)
    out = pathlib.Path(tempfile.mkdtemp(dir=FOLDER)) / "m.onnx" if exports else None
    line = [EXPORTER, *(["export", "-o", out] if exports else []), *words]
    done = subprocess.run(list(map(str, line)), capture_output=True, text=True, check=False, timeout=60, cwd=FOLDER)
    return Run(done, out, words[0]) if exports and words[0].program and out.exists() else Run(done)


def flat(values):
    if isinstance(values, dict):
        values = list(values.values())
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    # A number of Python's has 64 bits.
    return [np.asarray(values) if isinstance(values, (bool, int, float)) else values.detach().numpy()]


def near(a, b):
    return "" if np.allclose(a, b, 1e-3, 1e-4, equal_nan=True) else f"is {a}, not {b}"


def difference(out, archive):
    """How the model differs from the program, or nothing."""
    model = onnx.load(out)
    names = [value.name for value in model.graph.input]
    for level, session in two_levels.sessions(model).items():
        for inputs in archive.runs:
            wanted = flat(archive.program(*inputs))
            made = session.run(None, dict(zip(names, flat(inputs))))
            if text := two_levels.difference(made, wanted, near):
                return f"{level}: {text}"
    return ""
