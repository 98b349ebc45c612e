#!/usr/bin/env python3
"""read_openvino.py FILE: writes spec/targets/openvino.yaml anew, from what the installed OpenVINO says of ONNX's operators.

Each form of each operator is asked for as a model of one node. OpenVINO names the operators for which it has no rule;
any other error is about the node's made-up inputs. Which dtypes a tensor may have is the same for all operators: OpenVINO
converts those that a device lacks, such as float64 to float32. They are asked for with an Identity.
"""

import datetime
import io
import pathlib
import sys

import openvino
import target_profile
from onnx import TensorProto, helper

NO_RULE = "No conversion rule found for operations:"
# Operators whose results differ from ONNX, or from PyTorch where ONNX leaves them open (findings/openvino_*.sh and
# //tests/targets show it), and operators that it takes in part.
SATURATING = {op: {"saturates": {"uint8", "int8"}} for op in ("Add", "MatMul", "Mul", "Pow", "Sub", "Sum")}
CONDITIONS = SATURATING | {
    "Abs": {"saturates": {"int8"}},
    "AveragePool": {"ceil_mode": "own windows"},
    "DequantizeLinear": {"blocks": "whole"},
    "MaxPool": {"ceil_mode": "own windows"},
    "Neg": {"saturates": {"int8"}},
    "STFT": {"sized": "[signal]"},
    "Tile": {"known": "[repeats]"},
}
OPSETS = (7, 23)  # the newest operators that its documentation lists are of opset 23


def model(schema):
    names = [f"x{i}" for i in range(max(schema.min_input, 1 if schema.inputs else 0))]
    outputs = [f"y{i}" for i in range(max(schema.min_output, 1))]
    port = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 2])  # noqa: E731
    node = helper.make_node(schema.name, names, outputs)
    graph = helper.make_graph([node], "g", [port(n) for n in names], [port(n) for n in outputs])
    opset = helper.make_opsetid("", max(schema.since_version, OPSETS[0]))
    return helper.make_model(graph, opset_imports=[opset], ir_version=10).SerializeToString()


def has_rule(core, schema):
    try:
        core.read_model(io.BytesIO(model(schema)))
    except RuntimeError as error:
        missing = str(error).partition(NO_RULE)[2].splitlines()
        return not missing or schema.name not in [op.strip().rpartition("-")[0] for op in missing[0].split(",")]
    return True


def takes(core, number):
    """Returns whether a tensor may have the dtype, a number of onnx.TensorProto.DataType."""
    port = lambda name: helper.make_tensor_value_info(name, number, [2, 2])  # noqa: E731
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [port("x")], [port("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    try:
        core.compile_model(core.read_model(io.BytesIO(model.SerializeToString())), "CPU")
    except RuntimeError:
        return False
    return True


def dtypes(core):
    numbers = {name.lower(): number for name, number in TensorProto.DataType.items()}
    return [word for name, word in target_profile.DTYPES.items() if takes(core, numbers[name])]


def rows(core):
    for name, schemas in target_profile.forms().items():
        last = "none"
        for schema in schemas:
            if schema.deprecated or schema.since_version > OPSETS[1]:
                continue
            kinds = CONDITIONS.get(name, {}) if has_rule(core, schema) else "none"
            if kinds != last:
                yield name, schema.since_version, kinds
            last = kinds


def main():
    core = openvino.Core()
    head = [
        "# Written by tools/targets/read_openvino.py.",
        "title: OpenVINO on CPU",
        f"source: what openvino {openvino.__version__.split('-')[0]} has conversion rules for, asked for each operator",
        f"date: {datetime.date.today()}",
        f"opsets: {OPSETS[0]}..{OPSETS[1]}",
        "int64: 32 bits",
        "functions: none",
        f"dtypes: [{', '.join(dtypes(core))}]",
    ]
    text = target_profile.text(head, rows(core))
    pathlib.Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
