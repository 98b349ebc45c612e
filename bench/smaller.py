"""Models in fewer bits: ours beside those that the tools of ONNX Runtime and of ONNX make of our float model.

usage: smaller.py --exporter PATH [--runs N] [--opset N] MODEL...

MODEL is a .pt2, as make_models.py makes them. Prints Markdown: seconds and MB of memory of the process that makes the
model (ours: the whole export; theirs: the tool alone, which reads the float model), MB of the file, milliseconds of a run
in ONNX Runtime with one thread, and the largest difference of its outputs from those of the float model, relative to the
largest output. Theirs are quantize_dynamic (int8; it quantizes activations, too, while the model runs), the weight-only
MatMulNBits quantizer (4 bits), and convert_float_to_float16 of onnxconverter-common; what is not installed is left out.
Needs Python with onnxruntime.
"""

import argparse
import importlib.util
import os
import sys
import tempfile

import compare
import models

OURS = {
    "float32": [],
    "int8": ["--weights-int8"],
    "int4": ["--weights-int4"],
    "uint4": ["--weights-int4", "--weights-asymmetric"],
    "float16": ["--float16"],
}
THEIRS = {
    "quantize_dynamic": """
from onnxruntime.quantization import QuantType, quantize_dynamic
quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8)""",
    "MatMulNBits": """
import onnx
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
quantizer = MatMulNBitsQuantizer(onnx.load(source), block_size=32, is_symmetric=True)
quantizer.process()
onnx.save(quantizer.model.model, target)""",
    "onnxconverter-common": """
import onnx
from onnxconverter_common import float16
onnx.save(float16.convert_float_to_float16(onnx.load(source), keep_io_types=True), target)""",
}
NEEDS = {"onnxconverter-common": "onnxconverter_common"}


def commands(options, source, folder):
    """For each row its name, its file and the command that makes it."""
    for name, words in OURS.items():
        path = os.path.join(folder, name + ".onnx")
        yield name, path, [options.exporter, "export", source, "-o", path, "--opset", str(options.opset), *words]
    for name, code in THEIRS.items():
        if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
            continue
        path = os.path.join(folder, name + ".onnx")
        reading = f"source, target = {os.path.join(folder, 'float32.onnx')!r}, {path!r}"
        yield name, path, [sys.executable, "-c", reading + code]


def measure(options, source):
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        base = None
        for name, path, command in commands(options, source, folder):
            seconds, megabytes, error, _ = compare.run(command, folder)
            cells = [os.path.basename(source), name]
            if error:
                cells += ["fails", "", "", "", ""]
            else:
                base = base or path
                try:
                    (own, _), difference = models.latency([path, base], 1, options.runs)
                    run = [f"{own:.1f}", f"{difference:.1e}"]
                except Exception as error:  # of ONNX Runtime
                    run = [type(error).__name__, ""]
                cells += [f"{seconds:.1f}", f"{megabytes:.0f}", f"{models.megabytes(path):.1f}", *run]
            print(f"| {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--opset", type=int, default=21)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    options = parser.parse_args()
    print("| model | made by | s | MB of memory | MB | ms | difference |")
    print("| --- | --- | --: | --: | --: | --: | --: |")
    for source in options.models:
        measure(options, source)


if __name__ == "__main__":
    main()
