#!/usr/bin/env -S python3 -B
"""Runs models in ONNX's reference evaluator: what runner.cc does in ONNX Runtime, for opsets that are newer than it.

The messages are those of protocol.h.
"""

import os
import struct
import sys

import ml_dtypes
import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

# Numbers of onnx.TensorProto.DataType.
_BFLOAT16 = onnx.TensorProto.BFLOAT16


def numpy_dtype(number):
    if number == _BFLOAT16:
        return np.dtype(ml_dtypes.bfloat16)
    return onnx.helper.tensor_dtype_to_np_dtype(number)


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        (value,) = struct.unpack_from("<q", self.data, self.at)
        self.at += 8
        return value

    def text(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def tensor(self):
        name = self.text().decode()
        number = self.number()
        shape = [self.number() for _ in range(self.number())]
        data = self.text()
        if self.number():
            return name, [element for _, element in self.tensors()]
        return name, np.frombuffer(data, numpy_dtype(number)).reshape(shape)

    def tensors(self):
        return [self.tensor() for _ in range(self.number())]


class Writer:
    def __init__(self):
        self.parts = []

    def number(self, value):
        self.parts.append(struct.pack("<q", value))

    def text(self, data):
        self.number(len(data))
        self.parts.append(data)

    def tensor(self, name, value):
        sequence = isinstance(value, list)
        array = np.zeros(0, np.float32) if sequence else np.ascontiguousarray(value)
        is_bfloat16 = array.dtype == ml_dtypes.bfloat16
        self.text(name.encode())
        self.number(0 if sequence else _BFLOAT16 if is_bfloat16 else onnx.helper.np_dtype_to_tensor_dtype(array.dtype))
        shape = () if sequence else np.shape(value)  # ascontiguousarray makes a 0-d array 1-d
        self.number(len(shape))
        for size in shape:
            self.number(size)
        self.text(b"" if sequence else array.tobytes())
        self.number(1 if sequence else 0)
        if sequence:
            self.tensors([("", element) for element in value])

    def tensors(self, named):
        self.number(len(named))
        for name, value in named:
            self.tensor(name, value)


def read_message(stream):
    header = stream.read(8)
    if len(header) < 8:
        return None
    return stream.read(struct.unpack("<Q", header)[0])


def evaluator(request):
    path, model = request
    proto = onnx.load(path.decode()) if path else onnx.load_from_string(model)
    onnx.checker.check_model(proto, full_check=True)
    for node in proto.graph.node:
        if node.op_type in ("GRU", "LSTM", "RNN") and len(node.input) > 4 and node.input[4]:
            raise NotImplementedError(f"no implementation for {node.op_type} with sequence_lens")
    return ReferenceEvaluator(proto)


def main():
    # Libraries may print on standard output; answers go to a descriptor of their own.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    last = None
    while (message := read_message(sys.stdin.buffer)) is not None:
        reader = Reader(message)
        model = (reader.text(), reader.text())
        inputs = dict(reader.tensors())
        error, outputs = b"", []
        try:
            if any(model):
                last = evaluator(model)
            with np.errstate(all="ignore"):
                outputs = list(zip(last.output_names, last.run(None, inputs)))
        except NotImplementedError as exception:
            error = f"NOT_IMPLEMENTED: {exception}".encode()
        except Exception as exception:  # whatever it is, the test gets it
            error = f"{type(exception).__name__}: {exception}".encode()
        writer = Writer()
        writer.text(error)
        writer.tensors(outputs)
        body = b"".join(writer.parts)
        answers.write(struct.pack("<Q", len(body)) + body)
        answers.flush()


if __name__ == "__main__":
    main()
