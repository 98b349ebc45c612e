"""The peer of the benchmark, PyTorch's own exporter from a file to a file.

usage: peer_torch_onnx.py IN.pt2 OUT.onnx
       peer_torch_onnx.py IN.pt OUT.onnx x=f32[2,3,224,224]...
"""

import re
import sys

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  registers the operators of int8.pt2


def example(text):
    kind, sizes = re.fullmatch(r"\w+=(f32|i64)\[([\d,]*)\]", text).groups()
    return torch.ones([int(size) for size in sizes.split(",")], dtype={"f32": torch.float32, "i64": torch.int64}[kind])


source, target, *texts = sys.argv[1:]
if source.endswith(".pt2"):
    torch.onnx.export(torch.export.load(source), f=target, dynamo=True, verbose=False)
else:
    torch.onnx.export(torch.jit.load(source), tuple(map(example, texts)), target, dynamo=False)
