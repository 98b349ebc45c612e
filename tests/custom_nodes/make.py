#!/usr/bin/env python3
"""Writes models with calls that become nodes of their own: make.py _ FOLDER. Most as NAME.pt (scripted) and NAME.pt2."""

import pathlib
import sys

import torch
import torch.onnx.ops as onnx_ops

LIBRARY = torch.library.Library("my_ops", "DEF")


def operator(schema):
    """Registers a function for real tensors, and for those without data."""

    def register(function):
        LIBRARY.define(schema)
        name = schema.split("(")[0]
        for key in ["CPU", "Meta"]:
            LIBRARY.impl(name, function, key)
        return function

    return register


@operator("relu(Tensor x) -> Tensor")
def relu(x):
    return torch.relu(x)


@operator("scale(Tensor x, float factor, int[] axes, str mode, bool exact, ScalarType dtype) -> Tensor")
def scale(x, factor, axes, mode, exact, dtype):
    return x * factor


@operator("halves(Tensor x) -> (Tensor, Tensor)")
def halves(x):
    return x[:, :2].clone(), x[:, 2:].to(torch.int64)


@operator("sum(Tensor[] xs) -> Tensor")
def sum_of(xs):
    return sum(xs)


@operator("pick(Tensor x, Tensor? other, SymInt size) -> Tensor")
def pick(x, other, size):
    return x.clone()


@operator("bump_(Tensor(a!) x) -> Tensor(a!)")
def bump_(x):
    return x.add_(1)


@operator("count(Tensor x) -> SymInt")
def count(x):
    return x.shape[0]


class Relu(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.relu(x - 0.5) * 2


class Scale(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.scale(x, 2.5, [0, 1], "fast", True, torch.float16) + x


class Halves(torch.nn.Module):
    def forward(self, x):
        left, right = torch.ops.my_ops.halves(x)
        return left + right


class Sum(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.sum([x, x + 1])


class Pick(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.pick(x, None, 3)


class PickSize(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.pick(x, None, x.shape[0])


class Bump(torch.nn.Module):
    def forward(self, x):
        return torch.ops.my_ops.bump_(x + 1)


class Count(torch.nn.Module):
    def forward(self, x):
        return x * torch.ops.my_ops.count(x)


class Lanczos(torch.nn.Module):
    """An operator of PyTorch's own, of which the specs only say why there is no mapping."""

    def forward(self, x):
        return torch.ops.aten._upsample_lanczos2d_aa(x.reshape(1, -1, 2, 2), [3, 3], False)


class Gelu(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(x, approximate="tanh")


class Symbolic(torch.nn.Module):
    def forward(self, x):
        made = onnx_ops.symbolic(
            "com.example::Mix",
            (x, None, x + 1),
            {"alpha": 0.5, "axes": [1, 2], "mode": "fast", "exact": True, "names": ["a", "b"]},
            dtype=torch.float16,
            shape=(x.shape[0], 7),
            version=3,
        )
        return made.float()


class SymbolicPair(torch.nn.Module):
    def forward(self, x):
        left, right = onnx_ops.symbolic_multi_out(
            "com.example::Pair", (x,), dtypes=(torch.float32, torch.int64), shapes=((5,), (2, 3))
        )
        return left, right


class SymbolicOwn(torch.nn.Module):
    def forward(self, x):
        return onnx_ops.symbolic("LeakyRelu", (x,), {"alpha": 0.25}, dtype=x.dtype, shape=x.shape, version=16)


class SymbolicLie(torch.nn.Module):
    def forward(self, x):
        return onnx_ops.symbolic("LeakyRelu", (x,), {"alpha": 0.25}, dtype=torch.int64, shape=x.shape)


class Rotary(torch.nn.Module):
    def forward(self, x):
        cos = torch.ones(x.shape[0], 2, 2)
        return onnx_ops.rotary_embedding(x.reshape(-1, 1, 1, 4).expand(-1, 1, 2, 4), cos, cos * 0.5)


FILES_ONLY = [Count, Lanczos, Symbolic, SymbolicPair, SymbolicOwn, SymbolicLie, Rotary]


def main(folder):
    scripted = [Relu, Scale, Halves, Sum, Pick, Bump, Gelu]
    for module in scripted:
        torch.jit.save(torch.jit.script(module().eval()), pathlib.Path(folder) / f"{module.__name__}.pt")
    for module in [Relu, Scale, Halves, Sum, Pick, PickSize, Gelu] + FILES_ONLY:
        axes = {0: torch.export.Dim("batch", min=2)}
        program = torch.export.export(module().eval(), (torch.ones(3, 4),), dynamic_shapes=(axes,))
        torch.export.save(program, pathlib.Path(folder) / f"{module.__name__}.pt2")


if __name__ == "__main__":
    main(sys.argv[2])
