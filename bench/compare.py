"""Compares `exporter export`, as a whole process from file to file, with `cp` and with torch.onnx.export.

An export waits until the model is on the disk, so it is compared with a copy that waits, too. With --no-sync it is
compared with cp alone. The same holds for processor seconds.

usage: compare.py --exporter PATH [--libtorch PATH] [--models DIR] [--runs N] [--no-torch] [NAME...]

A .pt2 is compared with dynamo=True, a .pt with dynamo=False, and with the time that LibTorch needs to load it. Runs
take turns (all tools once, then all again), after one unmeasured round; the numbers are medians. Before each run dirty
pages go to disk, and the output is removed afterwards. The files are in the page cache, so this measures the work, not
the disk. Needs Python with torch, torchvision, transformers, and onnxscript for the peer. Prints Markdown.
"""

import argparse
import glob
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# The inputs of a .pt, for the peer; the exporter reads them from the file.
INPUTS = {
    "resnet50.pt": ["x=f32[2,3,224,224]"],
    "bert_base.pt": ["input_ids=i64[2,128]", "attention_mask=i64[2,128]"],
}

COPIES = ["cp, sync", "cp"]
OURS = ["exporter", "--no-sync"]  # each is compared with the copy at its place
RATIOS = {f"{a} / {b}": (a, b) for a, b in [*zip(OURS, COPIES), ("torch.onnx", "exporter")]}


# A process begins with the memory of its parent, so a small process starts it.
STARTER = """
import os, sys, time
start = time.perf_counter()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(process, 0)
with open(sys.argv[1], "w") as usage:
    print(time.perf_counter() - start, used.ru_maxrss, used.ru_utime + used.ru_stime, file=usage)
sys.exit(os.waitstatus_to_exitcode(status) != 0)"""


def run(command, folder):
    """Returns wall seconds, peak memory in MB, the text of an error or None, and processor seconds."""
    os.sync()
    log = os.path.join(folder, "log")
    usage = os.path.join(folder, "usage")
    with open(log, "wb") as out:
        starter = [sys.executable, "-S", "-E", "-c", STARTER, usage, *command]
        failed = subprocess.run(starter, stdout=out, stderr=out, stdin=subprocess.DEVNULL, check=False).returncode
    with open(usage, encoding="ascii") as text:
        seconds, kilobytes, processor = map(float, text.read().split())
    error = None
    if failed:
        with open(log, encoding="utf-8", errors="replace") as text:
            error = " / ".join(text.read().strip().splitlines()[-3:]) or "fails"
    return seconds, kilobytes / 1024, error, processor


def tools(options, source, folder):
    """Returns a dict: name -> (command, pattern of the files that it writes)."""

    def out(name):
        return os.path.join(folder, name)

    copy = ["cp", "--reflink=never", source, out("copy.bin")]
    result = {"cp": (copy, out("copy*")), "cp, sync": (["sh", "-c", '"$@" && sync "$4"', "sh", *copy], out("copy*"))}
    if options.libtorch and source.endswith(".pt"):
        result["LibTorch load"] = ([options.libtorch, source], out("nothing"))
    if options.exporter:
        export = [options.exporter, "export", source, "-o", out("ours.onnx")]
        result["exporter"] = (export, out("ours*"))
        result["--no-sync"] = ([*export, "--no-sync"], out("ours*"))
    if not options.no_torch:
        peer = os.path.join(HERE, "peer_torch_onnx.py")
        texts = INPUTS.get(os.path.basename(source), [])
        result["torch.onnx"] = ([sys.executable, peer, source, out("theirs.onnx"), *texts], out("theirs*"))
    return result


def measure(options, source, folder):
    commands = tools(options, source, folder)
    results = {name: [] for name in commands}
    for turn in range(options.runs + 1):
        for name, (command, written) in commands.items():
            if results[name] and results[name][-1][2]:
                continue  # it failed before
            outcome = run(command, folder)
            for path in glob.glob(written):
                os.remove(path)
            if turn or outcome[2]:
                results[name].append(outcome)
    return results


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def machine(options, folder):
    cpu = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as text:
            models = [line.split(":", 1)[1].strip() for line in text if line.startswith("model name")]
        cpu = models[0] if models else cpu
    print(f"- {len(os.sched_getaffinity(0))} CPUs, {cpu}")
    names = ["torch", "onnx", "onnxscript", "transformers", "torchvision"]
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    print(f"- Linux {platform.release()}, Python {platform.python_version()}, {versions}")
    if options.exporter:
        text = subprocess.run([options.exporter, "--version"], capture_output=True, text=True, check=False)
        seconds = [run([options.exporter, "--version"], folder)[0] for _ in range(20)]
        print(f"- {text.stdout.strip()}; start-up (`--version`): {statistics.median(seconds) * 1000:.1f} ms")
    if options.libtorch:
        starts = [run([options.libtorch], folder) for _ in range(5)]
        seconds, megabytes = (statistics.median(start[column] for start in starts) for column in (0, 1))
        print(f"- LibTorch's own start: {seconds:.3f} s, {megabytes:.0f} MB")
    print(f"- median of {options.runs} runs, interleaved, after one unmeasured; warm page cache")
    print()


def median(outcomes, column):
    if not outcomes or any(o[2] for o in outcomes):
        return None
    return statistics.median(o[column] for o in outcomes)


def cell(text, value):
    return "-" if value is None else text.format(value)


def ratio(a, b):
    return "-" if a is None or b is None else f"{a / b:.2f}"


def table(options, sources, folder):
    """Prints a row for each model; all have one format. Returns the failures."""
    tools_here = list(tools(options, sources[0], folder))
    columns = ["MB", *tools_here, *RATIOS, *[f"{tool} CPU" for tool in COPIES + OURS]]
    columns += [f"{a} / {b} CPU" for a, b in zip(OURS, COPIES)]
    columns += [f"{tool} RSS" for tool in tools_here if tool not in COPIES]
    print(f"| model | {' | '.join(columns)} |")
    print("| --- |" + " ---: |" * len(columns))
    failures = []
    for source in sources:
        name = os.path.basename(source)
        results = measure(options, source, folder)
        for tool, outcomes in results.items():
            failures += [f"{name}, {tool}: {outcome[2]}" for outcome in outcomes if outcome[2]]
        seconds = {tool: median(results.get(tool), 0) for tool in tools_here}
        cells = [name, f"{os.path.getsize(source) / 1e6:.0f}"]
        cells += [cell("{:.3f} s", s) for s in seconds.values()]
        cells += [ratio(seconds.get(a), seconds.get(b)) for a, b in RATIOS.values()]
        processor = {tool: median(results.get(tool), 3) for tool in COPIES + OURS}
        cells += [cell("{:.3f} s", s) for s in processor.values()]
        cells += [ratio(processor[a], processor[b]) for a, b in zip(OURS, COPIES)]
        cells += [cell("{:.0f} MB", median(results.get(tool), 1)) for tool in tools_here if tool not in COPIES]
        print(f"| {' | '.join(cells)} |", flush=True)
    print()
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", help="the exporter's binary; without it only the peers run")
    parser.add_argument("--libtorch", help="//bench:libtorch_start, for the rows of LibTorch's own start and load")
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--no-torch", action="store_true", help="leave torch.onnx out")
    parser.add_argument("names", nargs="*", help="models (default: all)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        models = options.models or os.path.join(folder, "models")
        maker = os.path.join(HERE, "make_models.py")
        subprocess.run([sys.executable, maker, models, *options.names], check=True)
        names = options.names or sorted(os.path.basename(path) for path in glob.glob(models + "/*.pt*"))
        machine(options, folder)
        failures = []
        for suffix in (".pt2", ".pt"):
            chosen = [name for name in names if name.endswith(suffix)]
            if chosen:
                failures += table(options, [os.path.join(models, name) for name in chosen], folder)
        if failures:
            print("\nFailed:\n\n" + "\n".join(f"- {f}" for f in failures))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
