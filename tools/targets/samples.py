"""Nodes of one operator each, to ask ONNX Runtime whether it runs them."""

import math
import re

import onnx
import onnxruntime
from onnx import TensorProto, helper
from onnxruntime.capi import onnxruntime_pybind11_state

# Operator: inputs, with T for the type that is tried; attributes.
SAMPLES = {
    "Abs": ("T[2,3]", {}),
    "Add": ("T[2,3] T[3]", {}),
    "AffineGrid": ("T[1,2,3] int64[4]", {}),
    "ArgMax": ("T[2,3]", {}),
    "Attention": ("T[1,2,3,4] T[1,2,3,4] T[1,2,3,4]", {}),
    "AveragePool": ("T[1,1,4,4]", {"kernel_shape": [2, 2]}),
    "Bernoulli": ("T[2,3]", {}),
    "BlackmanWindow": ("T[]", {}),
    "CastLike": ("T[2,3] float32[3]", {}),
    "CausalConvWithState": ("T[1,2,5] T[2,1,3]", {}),
    "Ceil": ("T[2,3]", {}),
    "Celu": ("T[2,3]", {}),
    "CenterCropPad": ("T[2,3] int64[2]", {}),
    "Clip": ("T[2,3] T[] T[]", {}),
    "Concat": ("T[2,3] T[2,3]", {"axis": 0}),
    "Conv": ("T[1,1,4,4] T[1,1,2,2]", {}),
    "CumSum": ("T[2,3] int64[]", {}),
    "DepthToSpace": ("T[1,4,2,2]", {"blocksize": 2}),
    "DequantizeLinear": ("T[2,4] float32[4]", {}),
    "Div": ("T[2,3] T[3]", {}),
    "DynamicQuantizeLinear": ("T[2,3]", {}),
    "Einsum": ("T[2,3] T[3,2]", {"equation": "ij,jk->ik"}),
    "Elu": ("T[2,3]", {}),
    "Equal": ("T[2,3] T[3]", {}),
    "Erf": ("T[2,3]", {}),
    "Exp": ("T[2,3]", {}),
    "Expand": ("T[2,3] int64[2]", {}),
    "Flatten": ("T[2,3]", {}),
    "Gather": ("T[2,3] int64[2]", {}),
    "Gelu": ("T[2,3]", {}),
    "Gemm": ("T[2,3] T[3,2]", {}),
    "GlobalMaxPool": ("T[1,1,4,4]", {}),
    "GreaterOrEqual": ("T[2,3] T[3]", {}),
    "GroupNormalization": ("T[1,4,2,2] T[4] T[4]", {"num_groups": 4}),
    "HammingWindow": ("T[]", {}),
    "HannWindow": ("T[]", {}),
    "HardSigmoid": ("T[2,3]", {}),
    "HardSwish": ("T[2,3]", {}),
    "IsNaN": ("T[2,3]", {}),
    "LayerNormalization": ("T[2,3] T[3]", {}),
    "LeakyRelu": ("T[2,3]", {}),
    "LessOrEqual": ("T[2,3] T[3]", {}),
    "LinearAttention": (
        "T[1,3,4] T[1,3,4] T[1,3,4]",
        {"q_num_heads": 1, "kv_num_heads": 1, "update_rule": "linear"},
    ),
    "Log": ("T[2,3]", {}),
    "LogSoftmax": ("T[2,3]", {}),
    "LpNormalization": ("T[2,3]", {}),
    "MatMul": ("T[2,3] T[3,2]", {}),
    "Max": ("T[2,3] T[3]", {}),
    "MaxPool": ("T[1,1,4,4]", {"kernel_shape": [2, 2]}),
    "MeanVarianceNormalization": ("T[1,2,3,3]", {}),
    "Mish": ("T[2,3]", {}),
    "Mod": ("T[2,3] T[3]", {"fmod": 1}),
    "Mul": ("T[2,3] T[3]", {}),
    "Neg": ("T[2,3]", {}),
    "NegativeLogLikelihoodLoss": ("T[2,3] int64[2]", {}),
    "NonZero": ("T[2,3]", {}),
    "Not": ("T[2,3]", {}),
    "PRelu": ("T[2,3] T[3]", {}),
    "Pow": ("T[2,3] T[3]", {}),
    "RMSNormalization": ("T[2,3] T[3]", {}),
    "Range": ("T[] T[] T[]", {}),
    "ReduceL1": ("T[2,3]", {}),
    "ReduceL2": ("T[2,3]", {}),
    "ReduceLogSum": ("T[2,3]", {}),
    "ReduceLogSumExp": ("T[2,3]", {}),
    "ReduceMax": ("T[2,3]", {}),
    "ReduceProd": ("T[2,3]", {}),
    "ReduceSum": ("T[2,3]", {}),
    "ReduceSumSquare": ("T[2,3]", {}),
    "Relu": ("T[2,3]", {}),
    "Reshape": ("T[2,3] int64[2]", {}),
    "RotaryEmbedding": ("T[1,2,3,4] T[1,3,2] T[1,3,2]", {}),
    "ScatterND": ("T[4] int64[2,1] T[2]", {}),
    "Selu": ("T[2,3]", {}),
    "Shrink": ("T[2,3]", {}),
    "Sigmoid": ("T[2,3]", {}),
    "Sign": ("T[2,3]", {}),
    "Softmax": ("T[2,3]", {}),
    "SoftmaxCrossEntropyLoss": ("T[2,3] int64[2]", {}),
    "Softplus": ("T[2,3]", {}),
    "Softsign": ("T[2,3]", {}),
    "SpaceToDepth": ("T[1,1,4,4]", {"blocksize": 2}),
    "Sqrt": ("T[2,3]", {}),
    "Sub": ("T[2,3] T[3]", {}),
    "SwiGLU": ("T[2,3] T[2,3]", {}),
    "Swish": ("T[2,3]", {}),
    "Tanh": ("T[2,3]", {}),
    "ThresholdedRelu": ("T[2,3]", {}),
    "Tile": ("T[2,3] int64[2]", {}),
    "TopK": ("T[4] int64[1]", {}),
    "Transpose": ("T[2,3]", {}),
    "Unique": ("T[4]", {}),
    "Where": ("bool[3] T[2,3] T[3]", {}),
}


BITS = {"uint4": 4, "int4": 4, "uint2": 2, "int2": 2}
NAMES = {"float32": "FLOAT", "float64": "DOUBLE"}  # of onnx.TensorProto, where they are other words


def variable_of(schema):
    """The type variable of the schema that is T in the sample."""
    place = [text.startswith("T[") for text in SAMPLES[schema.name][0].split()].index(True)
    return schema.inputs[min(place, len(schema.inputs) - 1)].type_str


def model(op, dtype, opset, as_weight=False):
    """`as_weight`: what is of the dtype is a weight, as nothing can be given to a model in types of fewer than 8 bits."""
    inputs, attributes = SAMPLES[op]
    ports, weights = [], []
    for i, text in enumerate(inputs.split()):
        name, shape = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()
        word = dtype if name == "T" else name
        element = getattr(TensorProto, NAMES.get(word, word.upper()))
        sizes = [int(n) for n in shape.split(",") if n]
        if as_weight and name == "T":
            weights.append(helper.make_tensor(f"x{i}", element, sizes, bytes(-(-math.prod(sizes) * BITS[dtype] // 8)), raw=True))
        else:
            ports.append(helper.make_tensor_value_info(f"x{i}", element, sizes))
    schema = onnx.defs.get_schema(op, opset)
    outputs = [f"y{i}" for i in range(schema.min_output)]
    node = helper.make_node(op, [f"x{i}" for i in range(len(inputs.split()))], outputs, **attributes)
    empty = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph([node], "g", ports, empty, weights)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()


def runs(op, dtype, opset):
    # Invalid is what the function of the operator would be for the dtype.
    state = onnxruntime_pybind11_state
    refused = (state.NotImplemented, state.InvalidGraph, state.Fail)
    try:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        onnxruntime.InferenceSession(model(op, dtype, opset), options)
    except refused:
        return False
    return True
