"""Helpers for the theme files of this folder: decorators that register a small program and its expectations.

    @script("x=f32[n,4]", runs=[(rand(3, 4),), (rand(5, 4),)], has=["If"])
    class IfOnValue(nn.Module):
        def forward(self, x): ...

The positional arguments are `--input` texts. Each entry of `runs` is one call of the exported model; the first is what
a traced program is traced with, the others have other sizes, lengths and branches.

    since       lowest opset that must export; below it a report that names an opset is right as well
    opsets      at which to try
    has         node kinds that the model must contain, in the graph or in a block of it; "Loop:2" asks for exactly two
    has_not     node kinds that it must not contain
    weights     initializers that it must contain under these names, each once
    outputs     its outputs' names
    remarks     texts that the export must remark
    remarks_not texts that it must not
    refused     texts that the refusal must contain, instead of all of the above
    kind        of a refusal: cannot_export, usage or bad_input
    sequences   positions among the outputs that are ONNX sequences; other lists are outputs one by one
    tolerance   absolute, where the default is too strict
    build       called with the module, gives what is saved (default: scripts or traces it)
    method      the one that is exported
    trust       with --trust-source
    complex_as_real  with --complex as-real; complex inputs and outputs are compared as torch.view_as_real of them
    loads       False: PyTorch cannot load what it saved, and the module runs as it was before
    fixed_axes  what --check-axes reports as fixed, "x 1" for axis 1 of x; every other axis is free
"""

import dataclasses
import inspect

import torch

PROGRAMS = {}
OPSETS = (9, 11, 13, 17, 21, 25)


@dataclasses.dataclass
class Program:
    name: str
    build: object
    inputs: tuple
    runs: list
    since: int = 9
    opsets: tuple = OPSETS
    has: tuple = ()
    has_not: tuple = ()
    weights: tuple = ()
    outputs: tuple = ()
    remarks: tuple = ()
    remarks_not: tuple = ()
    refused: tuple = ()
    kind: str = "cannot_export"
    sequences: tuple = ()
    tolerance: float = 1e-5
    method: str = "forward"
    trust: bool = False
    complex_as_real: bool = False
    loads: bool = True
    fixed_axes: object = None


def rand(*shape):
    return torch.randn(shape)


def ints(*values, dtype=torch.int64):
    """A vector of ints."""
    return torch.tensor(values, dtype=dtype)


def num(value, dtype=torch.int64):
    """A 0-d tensor."""
    return torch.tensor(value, dtype=dtype)


def register(definition, build, inputs, options):
    name = definition.__name__
    assert name not in PROGRAMS, name
    if "refused" in options:
        options.setdefault("opsets", (17,))
    PROGRAMS[name] = Program(name, build, inputs, **options)
    return definition


def make(definition):
    return definition().eval() if inspect.isclass(definition) else definition


def script(*inputs, build=torch.jit.script, **options):
    return lambda definition: register(definition, lambda: build(make(definition)), inputs, options)


def exported(*inputs, **options):
    """A .pt2; every free axis of `inputs` is a Dim of torch.export."""

    def build(module, args):
        dims = {name: torch.export.Dim(name) for text in inputs for name in axes(text) if not name.isdigit()}
        shapes = tuple({i: dims[n] for i, n in enumerate(axes(text)) if n in dims} for text in inputs)
        return torch.export.export(module, args, dynamic_shapes=shapes, strict=False)

    return trace(*inputs, build=build, **options)


def axes(text):
    return text.split("[", 1)[1].rstrip("]").split(",")


def trace(*inputs, build=None, **options):
    """`build(module, args)` gives what is saved."""

    def plain(module, args):
        return torch.jit.trace(module, args, check_trace=False)

    return lambda definition: register(
        definition, lambda: (build or plain)(make(definition), options["runs"][0]), inputs, options
    )
