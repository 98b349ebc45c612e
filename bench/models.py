"""Compares our models with those of torch.onnx.export(dynamo=True), from the same .pt2.

usage: models.py --exporter PATH [--models DIR] [--runs N] [--opset N] [--openvino] [--json FILE] [NAME...]

Prints Markdown: nodes (those of branches and functions too), MB of all files, and the latency in ONNX Runtime with its
own optimizations on, as a user sees it. The latency is in processor time with one thread, which other programs disturb
less, and in wall time with all threads. Both models take the same inputs. Runs take turns, after three unmeasured ones,
and another model begins each time; the numbers are medians. `A/A` is the ratio of their model to itself in such turns.
A ratio that is as near to 1 as this one means nothing. `load` is the time to make a session, with one thread. It is
measured for our model as one file (up to 1.8 GB), for ours with `--external-data always`, and for theirs, which always
has its weights in a second file. `difference` is the largest between the two models' outputs, relative to the largest
output. With --openvino, OpenVINO runs the models instead of ONNX Runtime. Needs Python with torch, torchvision,
transformers, onnxscript and onnxruntime, or openvino.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx

HERE = os.path.dirname(os.path.abspath(__file__))

CONVOLUTIONAL = ["resnet50", "mobilenet_v2", "mobilenet_v3_large", "efficientnet_b0", "densenet121", "convnext_tiny"]
TRANSFORMERS = ["bert_base", "vit_b_16", "gpt", "gpt_cached", "llama", "llama_cached"]
MORE = ["retinanet", "yolos", "deeplab", "segformer", "swin", "whisper_encoder", "wav2vec2", "t5_encoder", "lstm", "mamba",
        "experts", "int8"]  # fmt: skip
UNMEASURED = 3


def export(options, source, folder):
    """Returns the paths of our model, of ours with its weights in a second file, and of theirs."""
    ours, beside, theirs = (os.path.join(folder, name, "model.onnx") for name in ("ours", "beside", "theirs"))
    for path, where in ((ours, "auto"), (beside, "always")):
        os.makedirs(os.path.dirname(path))
        command = [options.exporter, "export", source, "-o", path, "--opset", str(options.opset)]
        subprocess.run([*command, "--external-data", where], check=True, stdout=subprocess.DEVNULL)
    os.makedirs(os.path.dirname(theirs))
    peer = [sys.executable, os.path.join(HERE, "peer_torch_onnx.py"), source, theirs]
    subprocess.run(peer, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ours, beside, theirs


def count(nodes):
    total = 0
    for node in nodes:
        total += 1
        for attribute in node.attribute:
            total += sum(count(graph.node) for graph in [attribute.g, *attribute.graphs])
    return total


def nodes_of(path):
    model = onnx.load(path, load_external_data=False)
    return count(model.graph.node) + sum(count(function.node) for function in model.functions)


def megabytes(path):
    return sum(os.path.getsize(part) for part in glob.glob(path + "*")) / 1e6


class OnnxRuntime:
    """A model that is loaded to run with this many threads."""

    def __init__(self, path, threads):
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        settings.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
        self.names = [port.name for port in self.session.get_inputs()]

    def __call__(self, values):
        return self.session.run(None, dict(zip(self.names, values, strict=True)))


class OpenVino:
    """The same in OpenVINO, which keeps float32."""

    def __init__(self, path, threads):
        import openvino

        settings = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
        self.model = openvino.Core().compile_model(path, "CPU", settings)

    def __call__(self, values):
        return list(self.model(values).values())


def inputs_of(path):
    """Assigns values by position, because the two models have different names for their inputs."""
    random = numpy.random.default_rng(0)
    values = []
    for port in onnx.load(path, load_external_data=False).graph.input:
        shape = [dim.dim_value for dim in port.type.tensor_type.shape.dim]
        if port.type.tensor_type.elem_type == onnx.TensorProto.INT64:
            values.append(numpy.ones(shape, numpy.int64))
        else:
            values.append(random.standard_normal(shape, numpy.float32))
    return values


def difference(ours, theirs):
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        worst = max(worst, float(numpy.abs(a - b).max() / (numpy.abs(b).max() + 1e-30)))
    return worst


def latency(paths, threads, runs, runtime=OnnxRuntime):
    """Returns the median milliseconds of each model, and the difference between the outputs of the first two. With one
    thread, these are milliseconds of the processor."""
    clock = time.process_time if threads == 1 else time.perf_counter
    sessions = [runtime(path, threads) for path in paths]
    values = inputs_of(paths[0])
    times = [[] for _ in paths]
    for turn in range(runs + UNMEASURED):
        outputs = [None] * len(sessions)
        for number in (numpy.arange(len(sessions)) + turn) % len(sessions):
            start = clock()
            outputs[number] = sessions[number](values)
            if turn >= UNMEASURED:
                times[number].append((clock() - start) * 1000)
    return [statistics.median(one) for one in times], difference(*outputs[:2])


def load(paths, runtime, turns=3):
    """Returns the median milliseconds until a model is ready to run."""
    times = [[] for _ in paths]
    for _ in range(turns):
        for path, taken in zip(paths, times, strict=True):
            start = time.perf_counter()
            runtime(path, 1)
            taken.append((time.perf_counter() - start) * 1000)
    return [statistics.median(one) for one in times]


def measure(options, source):
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        ours, beside, theirs = export(options, source, folder)
        paths = [ours, theirs]
        row = {"nodes": [nodes_of(path) for path in paths], "MB": [megabytes(path) for path in paths]}
        runtime = OpenVino if options.openvino else OnnxRuntime
        row["load"] = load([ours, beside, theirs], runtime)
        for title, threads in (("one", 1), ("all", len(os.sched_getaffinity(0)))):
            row[title], row["difference"] = latency([ours, theirs, theirs], threads, options.runs, runtime)
    return row


def show(name, row):
    cells = [name, *map(str, row["nodes"]), *(f"{size:.1f}" for size in row["MB"])]
    cells += [f"{milliseconds:.0f}" for milliseconds in row["load"]]
    for threads in ("one", "all"):
        ours, theirs, again = row[threads]
        cells += [f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}", f"{again / theirs:.2f}"]
    print(f"| {' | '.join(cells)} | {row['difference']:.0e} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--opset", type=int, default=20, help="of our model; the default is PyTorch's")
    parser.add_argument("--openvino", action="store_true", help="run the models by OpenVINO")
    parser.add_argument("--json", help="file for the numbers")
    parser.add_argument("names", nargs="*", help="models (default: all)")
    options = parser.parse_args()

    names = options.names or CONVOLUTIONAL + TRANSFORMERS + MORE
    rows = {}
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        models = options.models or folder
        files = [name + ".pt2" for name in names]
        subprocess.run([sys.executable, os.path.join(HERE, "make_models.py"), models, *files], check=True)
        columns = ["model", "nodes", "theirs", "MB", "theirs", "load, ms", "weights beside", "theirs"]
        for threads in ("one thread", "all threads"):
            columns += [f"ms, {threads}", "theirs", "ratio", "A/A"]
        columns.append("difference")
        print(f"| {' | '.join(columns)} |\n| --- |" + " ---: |" * (len(columns) - 1), flush=True)
        for name, file in zip(names, files):
            rows[name] = measure(options, os.path.join(models, file))
            show(name, rows[name])
    for threads in ("one", "all"):
        ratios = [row[threads][0] / row[threads][1] for row in rows.values()]
        print(f"\n{threads}: median ratio {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
