"""Makes the model fixtures of tests and benches: random weights from a fixed seed, eval mode.

usage: make_model.py NAME OUTDIR [NAME OUTDIR ...]
       make_model.py --list

OUTDIR gets

    NAME.pt2                      torch.export.save of torch.export.export, as it comes
    NAME.decomposed.pt2           the same after run_decompositions()
    NAME.dynamic.pt2              exported with dynamic shapes
    NAME.dynamic.decomposed.pt2   the same after run_decompositions()
    NAME.data/                    input_I.pb and output_J.pb: what eager PyTorch gives, for the static variants
    NAME.dynamic.data/            the same for the dynamic variants, at sizes other than the example's
    NAME.torchscript.traced.pt    torch.jit.trace with the example
    NAME.torchscript.scripted.pt  torch.jit.script
    NAME.torchscript.inputs       `--input` texts for these two, one a line, with the free axes named
    NAME.torchscript.data/        as above, at the example's sizes
    NAME.torchscript.named.data/  and at other sizes of the named axes
    FILE.why                      instead of an archive: why there is none

The .pb files are ONNX TensorProto messages, laid out as in ONNX's own backend tests. Inputs and outputs stand in the
flattened order of the exported program; a None has no file and no number, an int or float is a 0-d tensor.

To add a model, write a function that returns a Case into the file of its family, put `@model` above it, and add a row
with its name to models.bzl. A new family is a file beside this one; FAMILIES names it.
"""

import importlib
import os
import sys
import warnings
import zlib

# The folder as it was named: Python has resolved the links of a sandbox.
sys.path[0] = os.path.dirname(os.path.abspath(__file__))
import relative_imports

warnings.simplefilter("ignore")
relative_imports.install(sys.path[0])

import case
import torch
import writing

FAMILIES = [
    "vision",
    "detection",
    "pictures",
    "sequences",
    "text",
    "file_format",
    "control_flow",
    "free_sizes",
]
for family in FAMILIES:
    importlib.import_module(family)


def write(name, outdir):
    writing.keep_addresses_out()
    torch.manual_seed(zlib.crc32(name.encode()))
    torch.set_num_threads(1)
    made = case.MODELS[name]()
    made.module.eval()
    os.makedirs(outdir, exist_ok=True)
    writing.write_case(os.path.join(outdir, name), made)


def main(argv):
    if argv == ["--list"]:
        print("\n".join(case.MODELS))
    elif argv and len(argv) % 2 == 0 and set(argv[::2]) <= case.MODELS.keys():
        writing.warm_up()
        for name, outdir in zip(argv[::2], argv[1::2]):
            writing.in_child(lambda: write(name, outdir))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
