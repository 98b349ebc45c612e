#!/usr/bin/env python3
"""Writes models that call operators of one's own: make.py _ FOLDER. Each as NAME.pt (scripted) and as NAME.pt2."""

import pathlib
import sys

import torch

LIBRARY = torch.library.Library("acme_ops", "DEF")


def operator(schema):
    """Registers a function for real tensors, and for those without data."""

    def register(function):
        LIBRARY.define(schema)
        name = schema.split("(")[0]
        for key in ["CPU", "Meta"]:
            LIBRARY.impl(name, function, key)
        return function

    return register


@operator("top_pairs(Tensor x, Tensor? weight=None, *, int k=1) -> (Tensor, Tensor)")
def top_pairs(x, weight=None, *, k=1):
    best = x.new_zeros(x.shape[:-1] + (2 * k,))
    return best, best.to(torch.int64)


@operator("mix(Tensor[] xs) -> Tensor")
def mix(xs):
    return sum(xs)


@operator("draw(Tensor x) -> Tensor")
def draw(x):
    return torch.empty_like(x)


@operator("norm(Tensor x) -> Tensor")
def norm(x):
    return x.clone()


@operator("scale(Tensor x, float by) -> Tensor")
def scale(x, by):
    return x * by


@operator("scale_(Tensor(a!) x, float by) -> Tensor(a!)")
def scale_(x, by):
    return x.mul_(by)


@operator("pick.of_tensor(Tensor x, Tensor i) -> Tensor")
def pick_of_tensor(x, i):
    return x[0].clone()


@operator("pick.of_int(Tensor x, int i) -> Tensor")
def pick_of_int(x, i):
    return x[i].clone()


@operator("quick_gelu(Tensor x) -> Tensor")
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


class TopPairs(torch.nn.Module):
    def forward(self, x):
        values, places = torch.ops.acme_ops.top_pairs(x, k=2)
        return values + places


class Weighted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4, 3))

    def forward(self, x):
        return torch.ops.acme_ops.top_pairs(x, self.weight)[0]


class Mix(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme_ops.mix([x, x + 1, x * 2])


class Draw(torch.nn.Module):
    def forward(self, x):
        first = torch.ops.acme_ops.norm(x) - torch.ops.acme_ops.norm(x)
        return first + (torch.ops.acme_ops.draw(x) - torch.ops.acme_ops.draw(x))


class Scale(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        y[0].add_(1)
        torch.ops.acme_ops.scale_(y, 3.0)
        return y


class Pick(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme_ops.pick(x, 1)


class Gelu(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(x)


class GeluTanh(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(x, approximate="tanh")


class QuickGelu(torch.nn.Module):
    def forward(self, x):
        return torch.ops.acme_ops.quick_gelu(x)


def main(folder):
    for module in [TopPairs, Weighted, Mix, Draw, Scale, Pick, Gelu, GeluTanh, QuickGelu]:
        model = module().eval()
        path = pathlib.Path(folder) / module.__name__
        torch.jit.save(torch.jit.script(model), f"{path}.pt")
        axes = {0: torch.export.Dim("batch")}
        torch.export.save(torch.export.export(model, (torch.ones(3, 4),), dynamic_shapes=(axes,)), f"{path}.pt2")


if __name__ == "__main__":
    main(sys.argv[2])
