#!/usr/bin/env bash
# A TorchScript program (PyTorch 2.13.0) that has 0.0 and -0.0 has only one of them: the compiler makes equal constants
# one, and takes the two zeros for equal. So does a trace, and so are the files that are saved. Which zero is left does
# not depend on their order here. By Python the function gives what it says.
#
#> Python [0.0, -0.0]
#> scripted [0.0, 0.0]
#> traced [0.0, 0.0]
#> loaded from a file [0.0, 0.0]
#> scripted the other way round [0.0, 0.0]

source "$(dirname "$0")/lib"

with_python torch==2.13.0 numpy==2.4.6 <<'PYTHON'
import io

import torch


def both(x):
    return torch.full_like(x, 0.0), torch.full_like(x, -0.0)


def turned(x):
    return torch.full_like(x, -0.0), torch.full_like(x, 0.0)


x = torch.ones(1)
archive = io.BytesIO()
torch.jit.save(torch.jit.script(both), archive)
archive.seek(0)
programs = {
    "Python": both,
    "scripted": torch.jit.script(both),
    "traced": torch.jit.trace(both, x),
    "loaded from a file": torch.jit.load(archive),
    "scripted the other way round": torch.jit.script(turned),
}
for name, program in programs.items():
    print(name, [zero.item() for zero in program(x)])
PYTHON
