#!/usr/bin/env bash
# torch.export (PyTorch 2.13.0) states a dtype for huber_loss, and a rank for multilabel_margin_loss, that the exported
# program does not give. For a float32 input and a float64 target the loss is float32, and a loss of one row without
# reduction is 0-d.
#
#> huber_loss: stated torch.float64 [], given torch.float32 []
#> huber_loss of each element: stated torch.float32 [3], given torch.float16 [3]
#> multilabel_margin_loss: stated torch.float32 [1], given torch.float32 []

source "$(dirname "$0")/lib"

with_python torch==2.13.0 numpy==2.4.6 <<'PYTHON'
import torch
import torch.nn.functional as F


class Module(torch.nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, *args):
        return self.loss(*args)


def compare(name, loss, *args):
    program = torch.export.export(Module(loss), args)
    stated = next(node for node in program.graph.nodes if node.op == "output").args[0][0].meta["val"]
    given = program.module()(*args)
    print(f"{name}: stated {stated.dtype} {list(stated.shape)}, given {given.dtype} {list(given.shape)}")


compare("huber_loss", F.huber_loss, torch.ones(3), torch.ones(3, dtype=torch.float64))
each = lambda x, y: F.huber_loss(x, y, reduction="none")
compare("huber_loss of each element", each, torch.ones(3, dtype=torch.float16), torch.ones(3))
row = lambda x, y: F.multilabel_margin_loss(x, y, reduction="none")
compare("multilabel_margin_loss", row, torch.ones(3), torch.tensor([0, -1, 1]))
PYTHON
