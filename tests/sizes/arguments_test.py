#!/usr/bin/env -S python3 -B
"""Sizes, and numbers made of sizes, as arguments of operators: each program runs at other sizes than it was exported
with, by a trace and by torch.export."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
import torch
import torch.nn.functional as F

sys.path[:0] = ["tests/levels"]
import two_levels

EXPORTER = pathlib.Path(os.environ["EXPORTER"]).absolute()
OPSETS = (13, 18, 24)
torch.set_num_threads(1)


def matrices(*shapes):
    torch.manual_seed(0)
    return [torch.rand(shape) + 0.1 for shape in shapes]


# name of the group: the input's type, its free axes, and inputs, the example first
GROUPS = {
    "rows": ("f32[n,6]", {0: "n"}, matrices((4, 6), (7, 6), (2, 6))),
    "columns": ("f32[4,m]", {1: "m"}, matrices((4, 6), (4, 9), (4, 3))),
    "pictures": (
        "f32[n,3,h,w]",
        {0: "n", 2: "h", 3: "w"},
        matrices((2, 3, 6, 7), (3, 3, 5, 9), (4, 3, 8, 4)),
    ),
}

PROGRAMS = {
    "pictures": {
        "avg_pool2d size": lambda x: F.avg_pool2d(x,x.size()[2:]),
        "max_pool2d size": lambda x: F.max_pool2d(x,x.size()[2:]),
        "avg_pool2d stride 1": lambda x: F.avg_pool2d(x,x.shape[-2:],stride=1),
        "avg_pool2d h,1": lambda x: F.avg_pool2d(x,(x.shape[-2],1)),
        "max_pool2d 1,w": lambda x: F.max_pool2d(x,(1,x.shape[-1])),
        "max_pool1d": lambda x: F.max_pool1d(x.flatten(2),x.shape[2]*x.shape[3]),
        "avg_pool1d": lambda x: F.avg_pool1d(x.flatten(2),x.shape[2]*x.shape[3]),
        "lp_pool2d": lambda x: F.lp_pool2d(x,2,(x.shape[2],x.shape[3])),
        "adaptive": lambda x: F.adaptive_avg_pool2d(x,1),
    },
    "columns": {
        "hann": lambda x: x*torch.hann_window(x.shape[-1]),
        "hamming": lambda x: x*torch.hamming_window(x.shape[-1]),
        "blackman": lambda x: x*torch.blackman_window(x.shape[-1]),
        "bartlett": lambda x: x*torch.bartlett_window(x.shape[-1]),
        "kaiser": lambda x: x*torch.kaiser_window(x.shape[-1]),
        "kaiser beta": lambda x: x*torch.kaiser_window(x.shape[-1],False,8.6),
        "hann sym": lambda x: x*torch.hann_window(x.shape[-1],False),
    },
    "rows": {
        "tril_indices": lambda x: torch.tril_indices(x.shape[0],x.shape[0]),
        "triu_indices": lambda x: torch.triu_indices(x.shape[0],x.shape[0]),
        "triu_indices 1": lambda x: torch.triu_indices(x.shape[0],x.shape[0],1),
        "tril_indices 5": lambda x: torch.tril_indices(x.shape[0],5,-1),
        "vander": lambda x: torch.vander(x[:,0],x.shape[0]),
        "vander default": lambda x: torch.vander(x[:,0]),
        "pow": lambda x: x.pow(x.shape[0]),
        "scalar to a power": lambda x: (x.shape[0] / 2) ** x,
        "integers to a power": lambda x: torch.arange(6).pow(x.shape[0]),
        "pow 1/n": lambda x: x**(1/x.shape[0]),
        "addcdiv": lambda x: torch.addcdiv(x,x,x,value=1/x.shape[0]),
        "addcmul": lambda x: torch.addcmul(x,x,x,value=x.shape[0]),
        "softplus": lambda x: F.softplus(x,beta=x.shape[0]),
        "softplus threshold": lambda x: F.softplus(x,beta=1,threshold=x.shape[0]),
        "vector_norm": lambda x: torch.linalg.vector_norm(x,ord=x.shape[0]),
        "norm": lambda x: x.norm(x.shape[0],dim=1),
        "normalize": lambda x: F.normalize(x,p=float(x.shape[0])),
        "threshold": lambda x: F.threshold(x,1/x.shape[0],x.shape[0]),
        "hardtanh": lambda x: F.hardtanh(x,-1/x.shape[0],1/x.shape[0]),
        "std": lambda x: x.std(correction=x.shape[0]/9),
        "var": lambda x: x.var(dim=1,correction=x.shape[0]/9),
        "std_mean": lambda x: torch.std_mean(x,dim=1,correction=x.shape[0]//2)[0],
        "elu": lambda x: F.elu(x-.5,x.shape[0]),
        "leaky_relu": lambda x: F.leaky_relu(x-.5,1/x.shape[0]),
        "celu": lambda x: F.celu(x-.5,x.shape[0]),
        "hardshrink": lambda x: F.hardshrink(x,1/x.shape[0]),
        "softshrink": lambda x: F.softshrink(x,1/x.shape[0]),
        "clamp": lambda x: torch.clamp(x,1/x.shape[0],x.shape[0]),
        "add alpha": lambda x: torch.add(x,x,alpha=x.shape[0]),
        "addmm": lambda x: torch.addmm(x,x,x.T@x,beta=x.shape[0],alpha=1/x.shape[0]),
        "lerp": lambda x: torch.lerp(x,x*2,1/x.shape[0]),
        "quantile": lambda x: torch.quantile(x,1/x.shape[0]),
        "logit": lambda x: torch.logit(x,1/x.shape[0]),
        "full": lambda x: torch.full((x.shape[0],),x.shape[0]/2),
        "linspace": lambda x: torch.linspace(0,x.shape[0],5),
        "renorm": lambda x: x.renorm(2,0,x.shape[0]/3),
        "cdist": lambda x: torch.cdist(x,x*2,p=float(x.shape[0])),
        "pairwise": lambda x: F.pairwise_distance(x,x*2,p=float(x.shape[0])),
        "nan_to_num": lambda x: torch.nan_to_num(x,x.shape[0]),
        "gelu": lambda x: F.gelu(x)*x.shape[0],
        "tril": lambda x: x.tril(x.shape[0]//2),
        "roll": lambda x: torch.roll(x,x.shape[0]//2,0),
        "repeat": lambda x: x.repeat(x.shape[0],1),
        "layer_norm eps": lambda x: F.layer_norm(x,x.shape[1:],eps=1/x.shape[0]),
        "one_hot": lambda x: F.one_hot(torch.arange(x.shape[0]),x.shape[0]+1),
        "diagonal": lambda x: x.diagonal(x.shape[0]//4),
        "eye": lambda x: torch.eye(x.shape[0],x.shape[0]+1),
        "pad": lambda x: F.pad(x,(x.shape[0],1)),
        "index": lambda x: x.cumsum(0)[x.shape[0]//2],
        "topk": lambda x: torch.topk(x,x.shape[0]//2,0)[0],
        "kth": lambda x: x.kthvalue(x.shape[0]//2+1,0)[0],
        "interpolate size": lambda x: F.interpolate(x[None,None],size=(x.shape[0]*2,x.shape[1])),
        "interpolate scale": lambda x: F.interpolate(x[None,None],scale_factor=float(x.shape[0])),
        "unfold": lambda x: x.unfold(0,2,1),
        "chunk": lambda x: torch.chunk(x,2)[0],
        "tensor_split": lambda x: torch.tensor_split(x,2)[1],
        "split": lambda x: x.split(x.shape[0]//2)[0],
        "hardsigmoid": lambda x: F.hardsigmoid(x*x.shape[0]),
        "mvlgamma": lambda x: torch.special.multigammaln(x+3,2)*x.shape[0],
        "histc": lambda x: torch.histc(x,4,0,x.shape[0]),
        "bucketize": lambda x: torch.bucketize(x,torch.arange(x.shape[0])),
        "fmod": lambda x: torch.fmod(x,1/x.shape[0]),
        "remainder": lambda x: torch.remainder(x*5,x.shape[0]/3),
        "floordiv": lambda x: torch.floor_divide(x*50,x.shape[0]),
        "isclose": lambda x: torch.isclose(x,x+.1,atol=1/x.shape[0]),
        "lrn": lambda x: F.local_response_norm(x[None],x.shape[0]//2+1),
        "rrelu": lambda x: F.rrelu(x-.5,1/x.shape[0],1/x.shape[0]),
        "mean": lambda x: torch.sum(x,0)/x.shape[0],
        "masked_fill": lambda x: x.masked_fill(x>.5,x.shape[0]),
        "where": lambda x: torch.where(x>.5,x,x.shape[0]),
        "index_fill": lambda x: x.index_fill(1,torch.tensor([0]),x.shape[0]),
        "dist": lambda x: torch.dist(x,x*2,p=x.shape[0]),
        "glu": lambda x: F.glu(x,1)*x.shape[0],
        "embedding": lambda x: F.embedding(torch.tensor([0,1]),x,max_norm=float(x.shape[0])),
        "combinations": lambda x: torch.combinations(x[:,0],2),
        "lse": lambda x: x.logsumexp(0)*x.shape[0],
        "huber": lambda x: F.huber_loss(x,x*3,delta=1/x.shape[0]),
        "smooth_l1": lambda x: F.smooth_l1_loss(x,x*3,beta=1/x.shape[0]),
        "polar": lambda x: torch.polar(x,x*x.shape[0]).abs(),
    },
}

# Programs that cannot be a model, and a part of why.
REFUSED = {
    "histc": "is not known before the model runs",  # where min == max, the range is that of the data
}
REFUSED_TRACES = REFUSED | {
    "split": "whose length is decided at run time is unpacked",
    "lrn": "is an attribute",  # a window of a size that no axis has
}


def trace(function, example, folder):
    traced = torch.jit.trace(function, example, check_trace=False)
    traced.save(str(folder / "m.pt"))
    return traced, folder / "m.pt", next(traced.graph.inputs()).debugName()


class Program(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def difference(model, module, inputs):
    for name, session in two_levels.sessions(model).items():
        for x in inputs:
            try:
                wanted = module(x)
            except (AssertionError, RuntimeError):  # the program does not take these sizes
                continue
            made = session.run(None, {model.graph.input[0].name: x.numpy()} if model.graph.input else {})
            near = lambda a, b: "" if np.allclose(a, b, 1e-3, 1e-4, equal_nan=True) else f"is {a}, not {b}"
            if text := two_levels.difference(made, [wanted.numpy()], near):
                return f"{name}, at {list(x.shape)}: {text}"
    return ""


class Arguments(unittest.TestCase):
    def export(self, archive, words, opset, out):
        command = [EXPORTER, "export", archive, "-o", out, "--opset", str(opset), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    def check(self, name, module, archive, words, inputs, refused=""):
        for opset in OPSETS:
            with self.subTest(name=name, opset=opset):
                out = archive.parent / "m.onnx"
                done = self.export(archive, words, opset, out)
                if refused:
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(refused, done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(difference(onnx.load(out), module, inputs), "")

    def test_of_a_trace(self):
        for group, programs in PROGRAMS.items():
            text, _, inputs = GROUPS[group]
            for name, function in programs.items():
                with tempfile.TemporaryDirectory() as folder:
                    module, archive, argument = trace(function, (inputs[0],), pathlib.Path(folder))
                    self.check(name, module, archive, ["--input", f"{argument}={text}"], inputs, REFUSED_TRACES.get(name, ""))

    def test_of_torch_export(self):
        for group, programs in PROGRAMS.items():
            _, free, inputs = GROUPS[group]
            axes = ({axis: torch.export.Dim.DYNAMIC for axis in free},)
            for name, function in programs.items():
                try:
                    exported = torch.export.export(Program(function), (inputs[0],), dynamic_shapes=axes)
                except Exception:  # it makes no program of it for all sizes
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    archive = pathlib.Path(folder) / "m.pt2"
                    torch.export.save(exported, archive)
                    # The module raises at sizes for which torch.export did not make it; the exporter warns of them.
                    self.check(name, exported.module(), archive, [], inputs, REFUSED.get(name, ""))


if __name__ == "__main__":
    unittest.main()
