"""Makes the things that the pages assume: the models that they name, and names of their Python blocks.

make(page, name) writes the file; names(page) are the names that a page's Python begins with.
"""

import os
import shutil

import onnxruntime
import torch
from torch import nn
from torch.export import Dim

from docs.blocks import model

MNIST = os.path.abspath("examples/mnist/mnist.pt2")


def _pt2(module, *inputs, free=None, train=False):
    module.train(train)
    return lambda path: torch.export.save(torch.export.export(module, inputs, dynamic_shapes=free), path)


def _pt(module, *inputs):
    made = torch.jit.trace(module.eval(), inputs) if inputs else torch.jit.script(module.eval())
    return lambda path: torch.jit.save(made, path)


def _function(function, *inputs):
    return lambda path: torch.jit.save(torch.jit.trace(function, inputs), path)


def _safetensors(module):
    from safetensors.torch import save_file

    return lambda path: save_file(module.state_dict(), path)


_BATCH = ({0: Dim("batch")},)
_IMAGE = model.Image()

_FILES = {
    "model.pt2": lambda: _pt2(_IMAGE, torch.rand(2, 3, 224, 224), free=_BATCH),
    "tuned.safetensors": lambda: _safetensors(_IMAGE),
    "big.pt2": lambda: _pt2(nn.Linear(64, 64), torch.rand(2, 64)),
    "lstm.pt2": lambda: _pt2(model.Lstm(), torch.rand(2, 5, 6), free=_BATCH),
    "classifier.pt2": lambda: _pt2(model.Classifier(), torch.rand(2, 16), free=_BATCH),
    "scripted.pt": lambda: _pt(model.Steps()),
    "a.pt": lambda: _pt(model.Flat(), torch.rand(2, 5, 64)),
    "b.pt": lambda: _pt(model.Flat(), torch.rand(3, 7, 64)),
    "function.pt": lambda: _function(model.without_first, torch.rand(2, 10)),
    "decoder.pt2": lambda: _pt2(model.Decoder(), torch.rand(1, 4)),
    "trained.pt2": lambda: _pt2(model.Trained(), torch.rand(2, 4), train=True),
    "stft.pt2": lambda: _pt2(model.Stft(), torch.rand(2, 8) + 0j),
    "custom.pt2": lambda: _pt2(model.Custom(), torch.rand(2, 8)),
    "traced.pt": lambda: _pt(model.Scaled(), torch.rand(2, 8)),
    "mnist.pt2": lambda: lambda path: shutil.copy(MNIST, path),
}

# Where a page means another model than the others do.
_OF_PAGES = {
    ("docs/targets.md", "model.pt2"): lambda: _pt2(model.Layers().bfloat16(), torch.rand(2, 3, 4).bfloat16()),
}

FILES = set(_FILES)


def make(page, name, path):
    """Writes the file `name` of the page to `path`."""
    torch.manual_seed(0)
    _OF_PAGES.get((page, name), _FILES[name])()(path)


def names(page):
    """Names that the Python blocks of the page take as known."""
    x = torch.rand(2, 3)
    return {
        "docs/python.md": {"convert": lambda: torch.onnx.export(nn.Linear(3, 4), (x,), "converted.onnx")},
        "docs/torchscript.md": {
            "torch": torch,
            "onnxruntime": onnxruntime,
            "steps": [torch.rand(1, 4).numpy() for _ in range(3)],
            "model": model.Tokens(),
            "input_ids": torch.ones(2, 5, dtype=torch.int64),
            "attention_mask": torch.ones(2, 5, dtype=torch.int64),
            "token_type_ids": torch.zeros(2, 5, dtype=torch.int64),
        },
        "docs/troubleshooting.md": {"torch": torch, "model": nn.Linear(3, 4), "example": x},
    }.get(page, {})
