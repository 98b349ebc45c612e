"""Runs a model in ONNX Runtime with its optimizations off and on, and compares results with PyTorch's."""

import numpy as np
import onnx.reference
import onnxruntime

onnxruntime.set_default_logger_severity(4)
Level = onnxruntime.GraphOptimizationLevel
REFERENCE = "in the reference evaluator"
LEVELS = {"without optimizations": Level.ORT_DISABLE_ALL, "with optimizations": Level.ORT_ENABLE_ALL}


class NotLoaded(Exception):
    """ONNX Runtime does not take the model, though it has the kernels."""


def lacks_kernel(error):
    """Where it has none it takes an operator's function, whose nodes of an old opset may not know bfloat16."""
    return "NOT_IMPLEMENTED" in str(error) or "Type 'tensor(bfloat16)' of input parameter" in str(error)


def sessions(model):
    """By name; ONNX's reference evaluator alone where ONNX Runtime lacks a kernel."""
    made, text = {}, model.SerializeToString()
    for name, level in LEVELS.items():
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = level
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            made[name] = onnxruntime.InferenceSession(text, options)
        except Exception as error:
            if not lacks_kernel(error):
                raise NotLoaded(f"ONNX Runtime does not load it {name}: {str(error)[:700]}") from error
            return {REFERENCE: onnx.reference.ReferenceEvaluator(model)}
    return made


def zeros_differ(a, b):
    """Returns whether a zero of one tensor has another sign in the other."""
    zeros = (a == 0) & (b == 0)
    return bool(a.dtype.kind == "f" and np.any(np.signbit(a[zeros]) != np.signbit(b[zeros])))


def difference(made, wanted, differ):
    """Text of the first that differs; `differ` tells it of two tensors of one dtype and shape."""
    if len(made) != len(wanted):
        return f"{len(made)} results, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(made, wanted)):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"result {i} is {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        if text := differ(a, b):
            return f"result {i} {text}"
    return ""
