"""Options, and files that do not go with them."""

import json

import torch
from advice import Case, exported, file, script, trace

X = torch.rand(3, 4)
WHOLE = "--input", "x=f32[3,4]"


def doubled(x):
    return x * 2


def doubled_and_more(x, y):
    return x * 2 + y


def sums(x):
    return x.sum(1)


PT2 = exported(doubled, X)
PT = script(doubled, X)
FREE = exported(doubled, X, dynamic_shapes={"x": {0: torch.export.Dim("n", max=9)}})
TWO = script(doubled_and_more, X, X)

def added(x, y):
    return torch.cat([x, x]) + y


N = torch.export.Dim("n", min=2, max=32)
DERIVED = exported(added, X, torch.rand(6, 4), dynamic_shapes={"x": {0: N}, "y": {0: 2 * N}})
SAME = exported(doubled_and_more, X, X, dynamic_shapes={"x": {0: N}, "y": {0: N}})

CASES = [
    Case("E0002", ["export"], "`exporter export --help` shows how", ["export", "--help"]),
    Case("E0002", [PT2, "--opset", "new"], "`exporter export --help` shows how", ["export", "--help"]),
    Case("E0002", [PT2, "--opest", "18"], "`exporter export --help` shows how", [PT2, "--opset", "18"]),
    Case("E0001", [PT2, "--weights-as", "int9"], "write one of int8", [PT2, "--weights-as", "int8"]),
    Case("E0001", [PT2, "--compute-as", "f16"], "neither float16 nor bfloat16", [PT2, "--compute-as", "float16"],
         compare=False),
    Case("E0002", [PT2, "--complex", "real"], "as-real", [PT2, "--complex", "as-real"]),
    Case("E0002", [PT2, "--external-data", "yes"], "auto", [PT2, "--external-data", "auto"]),
    Case("E0004", [PT2, "--disable-pass", "maybe"], "there are", [PT2, "--disable-pass", "fold-constants"]),
    Case("E0004", [PT2, "--target", "ort"], "there are coreml, openvino, ort-cpu", [PT2, "--target", "ort-cpu"]),
    Case("E0004", [PT, *WHOLE, "--method", "forwad"], "it has", [PT, *WHOLE, "--method", "forward"]),
    Case("E0011", [PT2, "--keep", "Attenton"], "did you mean `Attention`?",
         [PT2, "--keep", "Attention", "--opset", "23"]),
    Case("E0011", [PT2, "--keep", "Attention"], "but from opset 23 on", [PT2, "--keep", "Attention", "--opset", "23"]),
    Case("E0011", [PT2, "--keep", "Upsample"], "up to opset 9", [PT2, "--keep", "Upsample", "--opset", "9"]),
    Case("E0005", [PT2, "--target-notes"], "--target", [PT2, "--target-notes", "--target", "ort-cpu"]),
    Case("E0005", [PT2, "--weights-keep", "w"], "--weights-keep goes with --weights-as", [PT2]),
    Case("E0005", [PT2, "--float32", "Mul"], "--float32 goes with --compute-as",
         [PT2, "--float32", "Mul", "--compute-as", "float16"], compare=False),
    Case("E0005", [PT2, "--no-weights", "--weights-as", "int8"], "weights are either inputs",
         [PT2, "--weights-as", "int8"]),
    Case("E0001", [PT2, "--functions", "--opset", "9"], "take opset 15 or later",
         [PT2, "--functions", "--opset", "15"]),
    Case("E0001", [PT2, "--weights-as", "int4:32"], "needs opset 21",
         [PT2, "--weights-as", "int4:32", "--opset", "21"]),
    Case("E0001", [PT2, "--weights-as", "int4"], "needs opset 21", [PT2, "--weights-as", "int4", "--opset", "21"]),
    Case("E0001", [PT2, "--compute-as", "bfloat16", "--opset", "9"], "bfloat16 needs opset",
         [PT2, "--compute-as", "bfloat16", "--opset", "13"], compare=False),
    Case("E0001", [PT2, "--weights-as", "int8:32"], "has channels, and no groups", [PT2, "--weights-as", "int8"]),
    Case("E0004", [PT2, "--method", "other"], "a .pt2 has one program", [PT2]),
    Case("E0006", [PT, "--input", "x=f33[3,4]"], "f32, f16, bf16", [PT, *WHOLE]),
    Case("E0006", [PT, "--input", "x"], "write NAME=DTYPE[d0,d1,...], for example x=f32[batch,3,224,224]",
         [PT, "--input", "x=f32[batch,4]"]),
    Case("E0006", [PT, "--input", "x=f32[-1,4]"], "a dimension is not negative", [PT, "--input", "x=f32[n,4]"]),
    Case("E0006", [PT, "--input", "x=f32[n=3-9,4]"], "is no range like 1..64", [PT, "--input", "x=f32[n=3..9,4]"]),
    Case("E0006", [PT, "--input", "x=f32[2n,4]"], "is neither a number nor a name (letters, digits and _)",
         [PT, "--input", "x=f32[n,4]"]),
    Case("E0007", [PT, "--input", "y=f32[3,4]"], "the parameters of forward are `x`", [PT, *WHOLE]),
    Case("E0007", [PT2, "--input", "y=f32[3,4]"], "The inputs are x", [PT2, *WHOLE]),
    Case("E0007", [PT2, "--input", "xx=f32[3,4]"], "did you mean 'x'?", [PT2, *WHOLE]),
    Case("E0007", [PT2, "--input", "x=f32[3,4,5]"], "2 dimensions in the file", [PT2, *WHOLE]),
    Case("E0007", [PT2, "--input", "x=f64[3,4]"], "float32", [PT2, *WHOLE]),
    Case("E0007", [FREE, "--input", "x=f32[20,4]"], "is 0..9 in the file", [FREE, "--input", "x=f32[3,4]"]),
    Case("E0007", [PT2, "--input", "x=5"], "fixed values and list[...] are for TorchScript files", [PT2, *WHOLE]),
    Case("E0007", [FREE, "--input", "x=f32[m=20..30,4]"], "is 0..9 in the file", [FREE, "--input", "x=f32[m=2..9,4]"]),
    Case("E0008", [PT], "--input 'x=f32[batch,3,224,224]'", [PT, *WHOLE]),
    Case("E0008", [TWO], "describe them", [TWO, *WHOLE, "--input", "y=f32[3,4]"]),
    Case("E0009", [PT2, "--output", "y=[n,4]"], "they are", [PT2]),
    Case("E0104", [PT2, "--output", "output=[n,4]"],
         "`exporter export --check-axes` tells which axes can be free", [PT2, "--check-axes"], compare=False),
    Case("E0104", [PT2, "--output", "output=[n,4]"], "is fixed to 3", [PT2, "--output", "output=[3,4]"]),
    Case("E0009", [PT2, "--output", "output"], "write NAME=[d0,d1,...], for example y=[batch,classes]",
         [PT2, "--output", "output=[3,4]"]),
    Case("E0010", [PT2, "--input-names", "a,b"], "the model has 1 input", [PT2, "--input-names", "a"]),
    Case("E0010", [TWO, *WHOLE, "--input", "y=f32[3,4]", "--input-names", "a,a"], "the name `a` is given twice",
         [TWO, *WHOLE, "--input", "y=f32[3,4]", "--input-names", "a,b"]),
    Case("E0010", [PT2, "--parameter-names", "w"], "the model has 0 parameters", [PT2]),
    Case("E0011", [PT2, "--opset", "99"], "7 to 28 are", [PT2, "--opset", "28"], compare=False),
    Case("E0212", [PT2, "--opset", "7", "--target", "tensorrt"], "takes opsets 9 to 24, not 7",
         [PT2, "--opset", "9", "--target", "tensorrt"]),
    Case("E0012", [PT2, "--map", "my::op"], "write NAMESPACE::OPERATOR=DOMAIN.NODE",
         [PT2, "--map", "aten::mul.Tensor=acme.Mul"], compare=False),
    Case("E0011", [PT2, "--domain", "com.example"], "with a version, com.example=1",
         [PT2, "--domain", "com.example=1"]),
    Case("E0012", [PT2, "--domain", "com.example=0"], "write DOMAIN=VERSION, as com.example=2",
         [PT2, "--domain", "com.example=1"]),
    Case("E0014", ["export", PT2, "-o", PT2], "name another output", [PT2]),
    Case("E0400", ["export", PT2, "-o", "/nowhere/at/all.onnx"], "folder /nowhere/at: No such file or directory",
         [PT2]),
    Case("E0400", ["export", PT2, "-o", "/tmp"], "name a file in it", [PT2]),
    Case("E0401", [PT2, "--memory-budget", "1000"], "for a file that you trust, --memory-budget gives more",
         [PT2, "--memory-budget", "1000000000"]),
    Case("E0007", [DERIVED, "--input", "y=f32[m,4]"], "it follows from other axes, leave it to them",
         [DERIVED, "--input", "x=f32[m,4]"]),
    Case("E0007", [SAME, "--input", "x=f32[a,4]", "--input", "y=f32[b,4]"], "is the same size as axis 0 of input 'x'",
         [SAME, "--input", "x=f32[a,4]", "--input", "y=f32[a,4]"]),
    Case("E0009", [FREE, "--output", "output=[k=1..4,4]"], "ranges are of inputs", [FREE, "--output", "output=[k,4]"]),
    Case("E0009", [FREE, "--output", "m.onnx"], "(a file is -o)", ["export", FREE, "-o", "m.onnx"]),
    Case("E0010", [PT2, "--output-names", "a,b"], "the model has 1 outputs", [PT2, "--output-names", "a"]),
    Case("E0212", [FREE, "--functions", "--target", "openvino"], "leave --functions out",
         [FREE, "--target", "openvino"]),
]
