"""arrays.py make FOLDER: files with arrays as NumPy writes them, for the product of make_models.py. arrays.py show FILE: what a file of
NumPy, or a TensorProto of ONNX, has, as JSON: {"type", "dims", "values"}."""

import json
import os
import sys

import numpy as np
import onnx


def make(folder):
    """One that is good, in columns; both in one; one of another dtype."""
    x = np.asfortranarray(np.arange(12, dtype="float32").reshape(4, 3) / 10)
    y = np.arange(15, dtype="float32").reshape(3, 5) - 7
    for name, array in {"x": x, "y": y, "wrong": x.astype("float64")}.items():
        np.save(os.path.join(folder, f"{name}.npy"), array)
    np.savez_compressed(os.path.join(folder, "pair.npz"), x=x, y=y)


def show(file):
    """See above."""
    if file.endswith(".pb"):
        with open(file, "rb") as proto:
            array = onnx.numpy_helper.to_array(onnx.TensorProto.FromString(proto.read()))
    else:
        array = np.load(file)
    json.dump({"type": str(array.dtype), "dims": list(array.shape), "values": array.ravel().tolist()}, sys.stdout)


if __name__ == "__main__":
    {"make": make, "show": show}[sys.argv[1]](sys.argv[2])
