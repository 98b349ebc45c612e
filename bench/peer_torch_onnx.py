"""The peer of the benchmark, PyTorch's own exporter from a file to a file: `peer_torch_onnx.py IN.pt2 OUT.onnx`."""

import sys

import torch

torch.onnx.export(torch.export.load(sys.argv[1]), f=sys.argv[2], dynamo=True, verbose=False)
