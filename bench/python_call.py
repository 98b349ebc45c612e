"""Compares onnxport.export with torch.onnx.export, from a module in memory to a file.

usage: PYTHONPATH=python ONNXPORT_LIBRARY=FILE python_call.py [--calls N] [--json FILE] [--exporter FILE] [NAME...]
       python_call.py --one NAME EXPORTER FILE CALLS

Prints Markdown: seconds of the first call in a process and, as a median, of the N calls after it. Then come the memory
that one more call adds to the process, nodes, and milliseconds in ONNX Runtime with one thread. `alone` is
torch.export.export, which both exporters call. `command` is the whole command on that program, saved as a .pt2. Each
exporter has its own process, and they take turns. If a wheel is installed, no variable is needed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
EXPORTERS = ["onnxport", "torch.onnx", "alone", "command"]


def exporter_of(name):
    """Returns the call to measure, as a function of module, arguments and file. It does not include the imports."""
    if name == "onnxport":
        import onnxport

        return lambda net, args, kwargs, file: onnxport.export(net, args, file, kwargs=kwargs)
    if name == "torch.onnx":
        import onnxscript  # noqa: F401

        return lambda net, args, kwargs, file: torch.onnx.export(net, args, file, kwargs=kwargs, dynamo=True, verbose=False)
    return lambda net, args, kwargs, file: torch.export.export(net, args, kwargs)


def command_on(net, args, kwargs, file):
    """Returns a call that runs the command on the saved program; only its time counts here, not its memory."""
    saved = file + ".pt2"
    torch.export.save(torch.export.export(net, args, kwargs), saved)
    command = [os.environ.get("ONNXPORT_COMMAND", "onnxport"), "export", saved, "-o", file]
    return lambda *_: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def one(name, exporter, file, calls):
    """Prints the numbers of an exporter as JSON; runs in a separate process."""
    import make_models
    from peak import Peak

    torch.manual_seed(0)
    net, args, kwargs, _ = make_models.NETWORKS[name]()
    net.eval()
    with torch.no_grad():
        net(*args, **kwargs)  # so that the exporter is not charged with the memory of a first run
    export = command_on(net, args, kwargs, file) if exporter == "command" else exporter_of(exporter)
    first = timed(lambda: export(net, args, kwargs, file))
    later = [timed(lambda: export(net, args, kwargs, file)) for _ in range(calls)]
    with Peak() as peak:
        export(net, args, kwargs, file)
    print(json.dumps({"first": first, "later": statistics.median(later), "MB": peak.more / 1e6}))


def measure(name, calls):
    import models

    row = {}
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        files = {exporter: os.path.join(folder, exporter + ".onnx") for exporter in EXPORTERS}
        for exporter, file in files.items():
            command = [sys.executable, "-W", "ignore", __file__, "--one", name, exporter, file, str(calls)]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            row[exporter] = json.loads(said.splitlines()[-1])
        written = [files["onnxport"], files["torch.onnx"]]
        times, difference = models.latency(written, 1, 20)
        for file, exporter, milliseconds in zip(written, EXPORTERS, times):
            row[exporter] |= {"nodes": models.nodes_of(file), "ms": milliseconds}
        row["difference"] = difference
    return row


def show(name, row):
    ours, theirs, alone, command = (row[exporter] for exporter in EXPORTERS)
    beyond = ours["later"] - alone["later"]
    cells = [name]
    for key in ("first", "later"):
        cells += [f"{ours[key]:.2f}", f"{theirs[key]:.2f}", f"{theirs[key] / ours[key]:.1f}"]
    cells += [f"{alone['later']:.2f}", f"{command['later']:.2f}", f"{beyond / command['later']:.1f}", f"{ours['MB']:.0f}", f"{theirs['MB']:.0f}", str(ours["nodes"]), str(theirs["nodes"]),
              f"{ours['ms']:.1f}", f"{theirs['ms']:.1f}", f"{row['difference']:.0e}"]  # fmt: skip
    print(f"| {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=3)
    parser.add_argument("--json", help="file for the numbers")
    parser.add_argument("--exporter", help="the command (default: onnxport of the path)")
    parser.add_argument("names", nargs="*", help="models (default: all)")
    options = parser.parse_args()
    if options.exporter:
        os.environ["ONNXPORT_COMMAND"] = os.path.abspath(options.exporter)
    import models  # not at the top: it imports ONNX Runtime, which must not count for an exporter

    columns = ["model", "s, first call", "torch.onnx", "times", "s, later", "torch.onnx", "times", "alone",
               "command", "beyond / command", "MB more", "torch.onnx", "nodes", "torch.onnx", "ms to run", "torch.onnx", "difference"]  # fmt: skip
    print(f"| {' | '.join(columns)} |\n| --- |" + " ---: |" * (len(columns) - 1), flush=True)
    rows = {}
    for name in options.names or models.CONVOLUTIONAL + models.TRANSFORMERS:
        rows[name] = measure(name, options.calls)
        show(name, rows[name])
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    sys.path[:0] = [HERE, os.path.join(HERE, "..", "python", "tests")]
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:5], int(sys.argv[5]))
    else:
        main()
