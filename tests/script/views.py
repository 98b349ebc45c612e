"""Operators that give a view, or a copy, or one of the two by the layout of memory, on every layout. PyTorch says
whether a write to the result changes the tensor that it was made of. All three front ends run: scripted, traced,
exported. Also writes through views that show an element more than once.

Also writes through views that show an element more than once.
"""

import torch
import torch.nn.functional as F

from program import exported, rand, register, script, trace

# The tensor `v` as a part of `b`, which is f32[3,3,4].
LAYOUTS = {
    "plain": "b",
    "transposed": "b.transpose(1, 2)",
    "permuted": "b.permute(2, 0, 1)",
    "rows": "b[:, 1]",
    "columns": "b[:, :, 1]",
    "steps": "b[:, :, ::2]",
    "narrowed": "b.narrow(1, 1, 2)",
    "first": "b[1]",
    "one": "b[:, 1:2]",
    "vector": "b[:, 1, 2]",
    "expanded": "b[:, :1].expand(-1, 3, -1)",
}

OPERATORS = {
    "alias": "torch.ops.aten.alias(v)",
    "atleast_3d": "torch.atleast_3d(v)",
    "broadcast_to": "torch.broadcast_to(v, v.shape)",
    "cat": "torch.cat([v])",
    "chunk": "v.chunk(2, 0)[0]",
    "clone": "v.clone()",
    "conj": "v.conj()",
    "conj_physical": "torch.conj_physical(v)",
    "contiguous": "v.contiguous()",
    "detach": "v.detach()",
    "diagonal": "v.diagonal(0, 0, -1)",
    "dropout": "F.dropout(v, 0.5, False)",
    "expand": "v.expand([1] + [-1] * v.dim())",
    "expand_as": "v.expand_as(v)",
    "flatten": "v.flatten()",
    "flatten_last": "v.flatten(-1)",
    "flip": "v.flip([])",
    "float": "v.float()",
    "movedim": "v.movedim(0, -1)",
    "mT": "v.mT",
    "narrow": "v.narrow(0, 0, 1)",
    "permute": "v.permute(list(range(v.dim() - 1, -1, -1)))",
    "positive": "v.positive()",
    "ravel": "v.ravel()",
    "real": "torch.real(v)",
    "repeat": "v.repeat([1] * v.dim())",
    "reshape": "v.reshape(-1)",
    "reshape_as": "v.reshape_as(v.clone().reshape(-1))",
    "reshape_same": "v.reshape(v.shape)",
    "resolve_conj": "v.resolve_conj()",
    "roll": "v.roll(0, 0)",
    "select": "v.select(0, 0)",
    "slice": "v[:]",
    "split": "v.split(1, 0)[0]",
    "squeeze": "v.squeeze(-1)",
    "swapaxes": "v.swapaxes(0, -1)",
    "tensor_split": "v.tensor_split(2, 0)[0]",
    "to": "v.to(torch.float32)",
    "to_contiguous": "v.to(memory_format=torch.contiguous_format)",
    "to_copy": "v.to(torch.float32, copy=True)",
    "type_as": "v.type_as(x)",
    "unbind": "v.unbind(0)[0]",
    "unflatten": "v.unflatten(-1, (1, -1))",
    "unsqueeze": "v.unsqueeze(0)",
    "view": "v.view(-1)",
    "view_as": "v.view_as(v)",
}

# Layouts of four and five axes, where PyTorch tells contiguous from channels_last by the order of strides alone.
PICTURES = {
    "plain": "b",
    "columns": "b[:, 1:]",
    "transposed": "b.transpose(1, 2)",
    "channels_last": "b.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)",
    "channels_last_part": "b.permute(0, 2, 3, 1).contiguous()[:, :, 1:].permute(0, 3, 1, 2)",
}


def defined(source, name):
    space = {"torch": torch, "F": F}
    exec(source, space)  # a module of nothing but this function
    return space[name]


def python_of(name, layouts, operator):
    lines = [f"def {name}(x):", "    results = []"]
    for number, layout in enumerate(layouts.values()):
        lines += [f"    b = x + {number}", f"    v = {layout}", f"    r = {operator}", "    r.add_(10)"]
        lines += ["    results.append(b)", "    results.append(r)"]
    return "\n".join(lines + ["    return results", ""])


def runs(layout, operator, x):
    try:
        defined(python_of("f", {"": layout}, operator), "f")(x)
    except RuntimeError:
        return False
    return True


class Called(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return tuple(self.function(x))


# Their schemas do not say that the result may be the argument. LibTorch believes them, and a trace that it has loaded
# gives other numbers than the module.
UNMARKED = ("atleast_3d", "conj_physical", "dropout")


def add(operator_name, operator, layouts, shape):
    x = torch.randn(shape)
    taken = {name: layout for name, layout in layouts.items() if runs(layout, operator, x)}
    assert len(taken) >= 2, operator_name
    name = operator_name.title().replace("_", "")
    options = {"runs": [(torch.randn(shape),)], "opsets": (18,)}
    text = "x=f32" + str(list(shape)).replace(" ", "")
    source = python_of("forward", taken, operator)

    def build_script():
        # `define` takes the source as text: a class that is made of text has none that could be scripted.
        module = type(name, (torch.jit.ScriptModule,), {})()
        module.define(source.replace("forward(x)", "forward(self, x)").replace("F.dropout", "torch.dropout"))
        return module

    class Named:
        pass

    Named.__name__ = name + "Scripted"
    register(Named, build_script, (text,), dict(options))
    for door, how in {"Traced": trace, "Exported": exported}.items():
        module = Called(defined(source, "forward"))
        module.__name__ = name + door
        if door == "Exported" or operator_name not in UNMARKED:
            how(text, **options)(module)


for operator_name, operator in OPERATORS.items():
    add(operator_name, operator, LAYOUTS, (3, 3, 4))
add("picture_to_contiguous", OPERATORS["to_contiguous"], PICTURES, (2, 3, 4, 5))
add("picture_ravel", OPERATORS["ravel"], PICTURES, (2, 3, 4, 5))


# ---- writes through views that show an element more than once

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]


def of_expanded(x):
    """Each part that is written shows every element once, so PyTorch takes the write."""
    a = x[0].clone()
    a.expand(3, -1).select(0, 0).fill_(0.5)
    b = x[0].clone()
    b.expand(3, -1)[1:2, 1:].add_(1)
    c = x.clone()
    c.expand(2, 3, -1, -1)[1][2].mul_(x + 1)
    d = x[:, 0].clone().unsqueeze(1)
    e = d.expand(-1, 3)
    e[:, 1].add_(10)
    g = x.clone()
    h = g[:, :2].expand(2, -1, -1)
    h.transpose(0, 2)[:, :, 0].add_(7)
    return a, b, c, d, e, g, h


@script(X, runs=SIZES, opsets=(11, 18))
def PartOfExpanded(x):
    a = x[0].clone()
    a.expand(3, -1).select(0, 0).fill_(0.5)
    b = x[0].clone()
    b.expand(3, -1)[1:2, 1:].add_(1)
    d = x[:, 0].clone().unsqueeze(1)
    e = d.expand(-1, 3)
    e[:, 1].add_(10)
    return a, b, d, e


class OfExpanded(torch.nn.Module):
    def forward(self, x):
        return of_expanded(x)


for door, how in {"Traced": trace, "Exported": exported}.items():
    part = OfExpanded()
    part.__name__ = "PartOfExpanded" + door
    how(X, runs=SIZES, opsets=(11, 18))(part)


@trace("x=f32[3,4]", runs=[(rand(3, 4),)], opsets=(11, 18))
def PartOfOverlappingStrides(x):
    """The rows overlap, one of them does not overlap itself."""
    y = x.clone()
    windows = y.as_strided([3, 2], [1, 1])
    windows[1].add_(10)
    apart = x.clone()
    apart.as_strided([3, 2], [2, 3]).mul_(3)
    return y, windows, apart


SEVERAL = "elements that are, or may be, one in memory"


@trace("x=f32[3,4]", runs=[(rand(3, 4),)], refused=[SEVERAL])
def WriteToOverlappingStrides(x):
    y = x.clone()
    y.as_strided([3, 2], [1, 1]).add_(1)
    return y


@script("x=f32[3,4]", runs=[(rand(3, 4),)], refused=[SEVERAL])
def WriteToOverlappingStridesScripted(x):
    y = x.clone()
    y.as_strided([3, 2], [1, 1])[:2].add_(1)
    return y


@script(X, runs=SIZES, refused=[SEVERAL])
def WriteToExpanded(x):
    y = x[0].clone()
    y.expand(3, -1)[:, 1:].add_(1)
    return y
