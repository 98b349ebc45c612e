"""Files that are read: archives, models, and what is neither."""

import logging
import pathlib
import subprocess
import zipfile

import torch
from advice import EXPORTER, Case, exported, file, made, module_of, script, trace
from onnx import helper
from torch import nn
from torch._export.serde.serialize import serialize
from torch.export.pt2_archive._package import package_pt2

X = torch.rand(3, 4)
WHOLE = "--input", "x=f32[3,4]"


def doubled(x):
    return x * 2


def tripled(x):
    return x * 3


class Rectified(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.eval()

    def forward(self, x):
        return torch.relu(self.conv(x))


def save_two(path):
    programs = {f.__name__: torch.export.export(module_of(f), (X,)) for f in (doubled, tripled)}
    package_pt2(str(path), exported_programs=programs)


def save_old(path):
    """As PyTorch 2.5 wrote it."""
    parts = serialize(torch.export.export(module_of(doubled), (X,)))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("version", "8.1")
        archive.writestr("serialized_exported_program.json", parts.exported_program)
        archive.writestr("serialized_state_dict.pt", parts.state_dict)
        archive.writestr("serialized_constants.pt", parts.constants)
        archive.writestr("serialized_example_inputs.pt", parts.example_inputs)


def load_and_save(path):
    logging.disable(logging.WARNING)
    torch.export.save(torch.export.load(str(OLD.path)), path)
    logging.disable(logging.NOTSET)


def save_optimized(path):
    torch.jit.optimize_for_inference(torch.jit.script(MODULE)).save(str(path))


def save_edited(path):
    with zipfile.ZipFile(PT.path) as before, zipfile.ZipFile(path, "w") as after:
        for name in before.namelist():
            text = before.read(name)
            after.writestr(name, text.replace(b"return", b"retrun") if name.endswith(".py") else text)


def save_cut(path):
    path.write_bytes(PT2.path.read_bytes()[:1500])


def save_broken_model(path):
    info = [helper.make_tensor_value_info(name, 1, [3]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Relu", ["x", "x"], ["y"])], "main", info[:1], info[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    path.write_bytes(model.SerializeToString())


def save_report(path):
    out = pathlib.Path(f"{path}.onnx")
    subprocess.run([EXPORTER, "export", PT2.path, "-o", out, "--report", path], check=True)


MODULE = Rectified()
PICTURE = torch.rand(1, 3, 5, 5)
PICTURES = "--input", "x=f32[1,3,5,5]"
PT2 = exported(doubled, X)
PT = script(doubled, X)
OLD = file(".pt2", save_old)
STATE = file(".pt", lambda path: torch.save(MODULE.state_dict(), path))
NOTES = file(".txt", b"These are notes, and no program.")

CASES = [
    Case("E0300", ["index", "missing.json"], "No such file or directory", ["index", file(".json", save_report)]),
    Case("E0301", ["export", "missing.pt2"], "No such file or directory", [PT2]),
    Case("E0301", ["export", "/tmp"], "is no regular file", [PT2]),
    Case("E0303", [file(".pt2", save_cut)], "cut off", [PT2]),
    Case("E0303", [NOTES], "no ZIP archive", [PT2]),
    Case("E0303", [OLD], "load it with PyTorch 2.9 or newer (torch.export.load) and save it again",
         [file(".pt2", load_and_save)]),
    Case("E0304", ["inspect", NOTES], "neither an ONNX model nor an archive of torch.export", ["check", made(PT2)]),
    Case("E0304", [file(".pt2", save_two)], "save each with torch.export.save of its own", [PT2]),
    Case("E0306", [file(".pt", save_edited), *WHOLE], "expected the end of the line", [PT, *WHOLE]),
    Case("E0307", ["check", file(".onnx", save_broken_model)], "breaks a rule of ONNX", ["check", made(PT2)]),
    Case("E0310", [STATE], "in Python build the model, load the weights into it, and save torch.jit.script(model)",
         [script(MODULE, PICTURE), *PICTURES]),
    Case("E0310", [STATE], "or torch.jit.trace(model, example) with torch.jit.save",
         [trace(MODULE, PICTURE), *PICTURES]),
    Case("E0310", [STATE], "or torch.export.export(model, args) with torch.export.save", [exported(MODULE, PICTURE)]),
    Case("E0200", [file(".pt", save_optimized), *PICTURES], "save the module before it",
         [script(MODULE, PICTURE), *PICTURES]),
    Case("E0001", ["inspect", PT2, "--html", "page.html"], "export it first",
         ["inspect", made(PT2), "--html", "page.html"]),
    Case("E0001", [PT2, "--report", "report.txt"], "its name ends in .json, .md or .sarif",
         [PT2, "--report", "report.md"]),
]
