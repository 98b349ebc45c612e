"""Makes models in fewer bits with onnxport and with other tools, and measures each.

usage: smaller.py --exporter PATH [--turns N] [--runs N] [--opset N] MODEL...

MODEL is a .pt2 of make_models.py. Prints Markdown: seconds and MB of memory of the process that makes the model, MB of
the file, and milliseconds of a run in ONNX Runtime with one thread. For our models, the process is the whole export.
For theirs, it is only the tool, which reads the float model. The last column is the largest difference of the outputs
from those of the float model, relative to the largest output. Tools take turns (all once, then all again), and so do
the models when they run; the numbers are medians. The other tools are quantize_dynamic (int8; it also quantizes
activations at run time), the weight-only MatMulNBits quantizer (4 bits), convert_float_to_float16 of
onnxconverter-common, and Olive's passes for all three. Tools that are not installed are left out. Needs Python with
onnxruntime.
"""

import argparse
import glob
import importlib.metadata
import importlib.util
import os
import shutil
import statistics
import sys
import tempfile
import time

import compare
import models

OURS = {
    "float32": [],
    "int8": ["--weights-as=int8"],
    "int4": ["--weights-as=int4"],
    "uint4": ["--weights-as=int4,asymmetric"],
    "float16": ["--compute-as=float16"],
}
# Each gets `source` and `target`. A pass of Olive chooses its own file name.
OLIVE = """
import os
from olive.model import ONNXModelHandler
from olive.passes.olive_pass import create_pass_from_dict
from olive.passes.onnx.{module} import {name}
made = create_pass_from_dict({name}, {options}, disable_search=True)
made = made.run(ONNXModelHandler(source), os.path.splitext(target)[0])
os.symlink(made.model_path, target)"""
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
    "Olive, int8": OLIVE.format(
        module="quantization", name="OnnxDynamicQuantization", options={"weight_type": "QInt8", "per_channel": True}
    ),
    "Olive, int4": OLIVE.format(
        module="rtn_quantization", name="OnnxBlockWiseRtnQuantization", options={"bits": 4, "block_size": 32}
    ),
    "Olive, float16": OLIVE.format(
        module="float16_conversion", name="OnnxFloatToFloat16", options={"keep_io_types": True}
    ),
}
NEEDS = {"onnxconverter-common": "onnxconverter_common", "Olive": "olive"}
UNMEASURED = 2


def commands(options, source, folder):
    """Returns the name of each row, its file and the command that makes it."""
    for name, words in OURS.items():
        path = os.path.join(folder, name + ".onnx")
        yield name, path, [options.exporter, "export", source, "-o", path, "--opset", str(options.opset), *words]
    for name, code in THEIRS.items():
        needed = NEEDS.get(name.partition(",")[0])
        if needed and importlib.util.find_spec(needed) is None:
            continue
        path = os.path.join(folder, name.replace(", ", "_") + ".onnx")
        reading = f"source, target = {os.path.join(folder, 'float32.onnx')!r}, {path!r}"
        yield name, path, [sys.executable, "-c", reading + code]


def remove(path):
    """Returns the file that a tool wrote. The float32 file stays, because the other tools read it."""
    for left in glob.glob(glob.escape(os.path.splitext(path)[0]) + "*"):
        shutil.rmtree(left) if os.path.isdir(left) else os.remove(left)


def make(options, source, folder):
    """Returns a dict: name -> path, and the median seconds and MB to make it, or the error."""
    made = {}
    for _ in range(options.turns):
        for name, path, command in commands(options, source, folder):
            if name in made and isinstance(made[name][1], str):
                continue  # it failed before
            remove(path)
            seconds, megabytes, error, _ = compare.run(command, folder)
            if error:
                made[name] = (path, error)
            else:
                made.setdefault(name, (path, []))[1].append((seconds, megabytes))
    return {
        name: (path, runs if isinstance(runs, str) else [statistics.median(one) for one in zip(*runs)])
        for name, (path, runs) in made.items()
    }


def time_runs(paths, runs):
    """Returns a dict: name -> median milliseconds and the difference from the first, or the name of an error."""
    results, sessions, times, outputs = {}, {}, {}, {}
    for name, path in paths.items():
        try:
            sessions[name] = models.OnnxRuntime(path, 1)
        except Exception as error:
            results[name] = (type(error).__name__, "")
    values = models.inputs_of(next(iter(paths.values())))
    for turn in range(runs + UNMEASURED):
        for name, session in sessions.items():
            start = time.perf_counter()
            outputs[name] = session(values)
            if turn >= UNMEASURED:
                times.setdefault(name, []).append((time.perf_counter() - start) * 1000)
    first = next(iter(outputs.values()))
    for name, taken in times.items():
        results[name] = (f"{statistics.median(taken):.1f}", f"{models.difference(outputs[name], first):.1e}")
    return results


def measure(options, source):
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        made = make(options, source, folder)
        ran = time_runs({name: path for name, (path, taken) in made.items() if not isinstance(taken, str)}, options.runs)
        for name, (path, taken) in made.items():
            cells = [os.path.splitext(os.path.basename(source))[0], name]
            if isinstance(taken, str):
                print(f"{cells}: {taken}", file=sys.stderr)
                cells += ["fails", "", "", "", ""]
            else:
                path = os.path.realpath(path)
                cells += [f"{taken[0]:.1f}", f"{taken[1]:.0f}", f"{models.megabytes(path):.1f}", *ran[name]]
            print(f"| {' | '.join(cells)} |", flush=True)


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--opset", type=int, default=21)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    options = parser.parse_args()
    packages = ("onnxruntime", "onnxconverter-common", "olive-ai")
    print(", ".join(f"{name} {version(name)}" for name in packages), end="; ")
    print(f"{len(os.sched_getaffinity(0))} CPUs, load before {os.getloadavg()[1]:.1f}\n")
    print("| model | made by | s | MB of memory | MB | ms | difference |")
    print("| --- | --- | --: | --: | --: | --: | --: |")
    for source in options.models:
        measure(options, source)
    print(f"\nload after {os.getloadavg()[1]:.1f}")


if __name__ == "__main__":
    main()
