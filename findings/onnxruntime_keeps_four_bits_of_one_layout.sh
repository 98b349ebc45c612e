#!/usr/bin/env bash
# ONNX Runtime 1.32.0 makes a MatMulNBits, which computes with 4 bits, of a product with DequantizeLinear of int4 if the
# weight stands as [in, out]. Behind a Transpose, and in a Gemm with transB=1, it stays a DequantizeLinear that makes the
# floats anew in each run, although MatMulNBits itself stores its weights as [out, in].
#
#> [in, out], MatMul: ['MatMulNBits']
#> [out, in], Transpose, MatMul: ['DequantizeLinear', 'FusedMatMul']
#> [out, in], Gemm: ['DequantizeLinear', 'Gemm']

source "$(dirname "$0")/lib"

with_python onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6 <<'PYTHON'
import numpy as np
import onnx
import onnxruntime
from models import T, model, node
from onnx import helper


def optimized(nodes, shape, scales, axis):
    dequantized = node("DequantizeLinear", ["weight", "scales"], ["w"], axis=axis, block_size=32)
    packed = helper.make_tensor("weight", T.INT4, shape, np.arange(64 * 32) % 15 - 7)
    weights = {"scales": np.ones(scales, np.float32), "weight": packed}
    sides = {"x": (T.FLOAT, ["n", 64])}, {"y": (T.FLOAT, ["n", 32])}
    made = model([dequantized, *nodes], *sides, 21, weights)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = "optimized.onnx"
    onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [each.op_type for each in onnx.load("optimized.onnx").graph.node]


product = [node("MatMul", ["x", "w"], ["y"])]
print("[in, out], MatMul:", optimized(product, [64, 32], [2, 32], 0))
transposed = [node("Transpose", ["w"], ["t"], perm=[1, 0]), node("MatMul", ["x", "t"], ["y"])]
print("[out, in], Transpose, MatMul:", optimized(transposed, [32, 64], [32, 2], 1))
print("[out, in], Gemm:", optimized([node("Gemm", ["x", "w"], ["y"], transB=1)], [32, 64], [32, 2], 1))
PYTHON
