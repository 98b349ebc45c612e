"""reference.py MODEL: what ONNX Runtime gives for the inputs on stdin ([{"name", "type", "dims", "values"}]), as JSON of the same form on
stdout."""

import json
import sys

import numpy as np
import onnxruntime


def main(model):
    """See above."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    feeds = {one["name"]: np.array(one["values"], dtype=one["type"]).reshape(one["dims"]) for one in json.load(sys.stdin)}
    names = [output.name for output in session.get_outputs()]
    found = [
        {"name": name, "type": str(value.dtype), "dims": list(value.shape), "values": value.ravel().tolist()}
        for name, value in zip(names, session.run(names, feeds))
    ]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
