"""Makes the models of the findings."""

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper


def model(nodes, inputs, outputs, opset, weights=None):
    """A model that ONNX's checker takes. inputs, outputs: name -> (type, shape); weights: name -> array or TensorProto."""
    values = [[helper.make_tensor_value_info(name, *what) for name, what in side.items()] for side in (inputs, outputs)]
    initializers = [
        array if isinstance(array, onnx.TensorProto) else numpy_helper.from_array(np.asarray(array), name)
        for name, array in (weights or {}).items()
    ]
    graph = helper.make_graph(nodes, "finding", *values, initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    onnx.checker.check_model(made, full_check=True)
    return made


def in_onnx_runtime(made, feed, optimized=True):
    return session(made, optimized).run(None, feed)


def session(made, optimized=True):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    if not optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])


def in_openvino(made, feed):
    import openvino

    core = openvino.Core()
    compiled = core.compile_model(core.read_model(made.SerializeToString(), b""), "CPU")
    return [np.array(value) for value in compiled(feed).values()]


node = helper.make_node
