"""Does an export cost more than it did? `regressions.py --exporter PATH [--previous PATH] [--models DIR] [--record] [NAME...]`

It measures two kinds of numbers. The first are thousands of instructions of the command, counted by `valgrind
--tool=callgrind`. Other work on the machine does not change them, so 5 % more than the last row of history.csv fails.
The second are processor seconds divided by those of `cp` of the same file, the least of many turns. They include the
kernel's work on the bytes, which no count of instructions has. Here 5 % more fails, too, but only if two series of
`cp`, run in turns with them, agree within 5 %. If they do not, the machine has too much other work, and the row says
so.

--previous names another exporter, for example that of the last release. It is counted in the same run, and 5 % more
than its numbers fails, too. --record adds a row to history.csv for each number. Counts depend on the compiler, so
record them from `./bazelw build //:exporter`.
"""

import argparse
import csv
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
HISTORY = os.path.join(HERE, "history.csv")
COLUMNS = ("date", "commit", "number", "value")
MORE = 1.05  # times the last number: the cost has grown
TURNS = 9

# Number -> file and options. They measure the start, calls in each kind of archive, the interpreter, and weights: as
# they are, transposed and scaled.
INSTRUCTIONS = {
    "loop of 10": ("loop_10.pt", ["--input", "x=f32[batch,16]"]),
    "loop of 100": ("loop_100.pt", ["--input", "x=f32[batch,16]"]),
    "1,000 calls, .pt2": ("graph_1000.pt2", []),
    "10,000 calls, .pt2": ("graph_10000.pt2", []),
    "10,000 calls, .pt": ("graph_10000.pt", ["--input", "x=f32[batch,16]"]),
    "weights as they are": ("bert_base.pt2", ["--no-fold"]),
    "weights transposed": ("bert_base.pt2", []),
    "weights scaled": ("resnet50.pt2", []),
}
BESIDE_CP = {
    "weights as they are / cp": ("bert_base.pt2", ["--no-fold", "--no-sync"]),
    "weights transposed / cp": ("bert_base.pt2", ["--no-sync"]),
    "weights scaled / cp": ("resnet50.pt2", ["--no-sync"]),
}


def command(exporter, source, options, out):
    return [exporter, "export", source, "-o", out, *options]


def thousands_of_instructions(exporter, source, options, folder):
    out = os.path.join(folder, "counted.onnx")
    counts = os.path.join(folder, "callgrind.out")
    watched = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", *command(exporter, source, options, out)]
    done = subprocess.run(watched, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{source}: {done.stderr.strip()}")
    os.remove(out)
    with open(counts, encoding="utf-8") as text:
        total = re.search(r"^(?:summary|totals): (\d+)", text.read(), re.MULTILINE)
    return int(total[1]) // 1000


def processor_seconds(commands, folder):
    """Returns the least of each command's turns."""
    least = [float("inf")] * len(commands)
    for _ in range(TURNS):
        for position, words in enumerate(commands):
            _, _, error, seconds = compare.run(words, folder)
            if error:
                sys.exit(f"{' '.join(words)}: {error}")
            least[position] = min(least[position], seconds)
    return least


def beside_cp(exporter, source, options, folder):
    """Returns the processor seconds divided by those of cp, and the ratio of two series of cp (1.0: no noise)."""
    copy = ["cp", "--reflink=never", source, os.path.join(folder, "copy.bin")]
    ours = command(exporter, source, options, os.path.join(folder, "written.onnx"))
    first, seconds, second = processor_seconds([copy, ours, copy], folder)
    return seconds / min(first, second), max(first, second) / min(first, second)


def last_values(path):
    """Returns a dict: number -> value of its last row."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as rows:
        return {row["number"]: float(row["value"]) for row in csv.DictReader(rows)}


def judged(value, before, noise=1.0):
    """Returns a word on `value`, and True if it has grown. `before` is None for a new number."""
    if before is None:
        return "new", False
    ratio = value / before
    if noise > MORE:
        return f"{ratio:.2f}, not judged: cp beside cp is {noise:.2f}", False
    return f"{ratio:.3f}", ratio > MORE


def record(values):
    fresh = not os.path.exists(HISTORY)
    commit = subprocess.run(["git", "-C", HERE, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True)
    with open(HISTORY, "a", encoding="utf-8", newline="") as text:
        rows = csv.writer(text, lineterminator="\n")
        if fresh:
            rows.writerow(COLUMNS)
        for number, value in values.items():
            rows.writerow([datetime.date.today().isoformat(), commit.stdout.strip(), number, f"{value:.6g}"])


class Table:
    """Prints each number when it is known, and collects those that have grown."""

    def __init__(self, before):
        self.before = before
        self.values = {}
        self.grown = []
        print("| number | now | of the last row | of --previous |")
        print("| --- | ---: | ---: | ---: |")

    def add(self, number, value, previous=None, noise=1.0):
        self.values[number] = value
        words = []
        for name, other in (("the last row", self.before.get(number)), ("--previous", previous)):
            word, more = judged(value, other, noise)
            words.append(word)
            if more:
                self.grown.append(f"{number}: {word} times {name}")
        if previous is None:
            words[1] = "-"
        print(f"| {number} | {value:,.{0 if value > 100 else 2}f} | {' | '.join(words)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--previous")
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a number (default: all)")
    options = parser.parse_args()
    every = {**INSTRUCTIONS, **BESIDE_CP}
    names = options.names or list(every)
    if unknown := sorted(set(names) - set(every)):
        sys.exit(f"no such number: {', '.join(unknown)}; there are: {', '.join(every)}")
    if set(names) & set(INSTRUCTIONS) and not shutil.which("valgrind"):
        sys.exit("valgrind, which counts instructions, is not installed (Debian: apt install valgrind)")
    table = Table(last_values(HISTORY))
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        models = options.models or os.path.join(folder, "models")
        # Made only if one is missing: this needs PyTorch, which a machine with valgrind may lack.
        files = sorted({every[name][0] for name in names})
        if missing := [file for file in files if not os.path.exists(os.path.join(models, file))]:
            subprocess.run([sys.executable, os.path.join(HERE, "make_models.py"), models, *missing], check=True)
        for name in names:
            source = os.path.join(models, every[name][0])
            measure = thousands_of_instructions if name in INSTRUCTIONS else beside_cp
            measured = [measure(exporter, source, every[name][1], folder)
                        for exporter in (options.exporter, options.previous) if exporter]
            if name in BESIDE_CP:
                noise = max(spread for _, spread in measured)
                table.add(name, *(ratio for ratio, _ in measured), noise=noise)
            else:
                table.add(name, *measured)
    if options.record:
        record(table.values)
    if table.grown:
        sys.exit("\n".join(["costs more than it did:", *table.grown]))


if __name__ == "__main__":
    main()
