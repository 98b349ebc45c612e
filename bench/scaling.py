"""Does the time per node grow? `scaling.py --exporter PATH [--models DIR] [--runs N]`.

Exports a scripted loop of 10, 100 and 1,000 iterations and traces of 1,000, 10,000 and 100,000 calls, without
simplifications that depend on the model's contents, and prints Markdown: the median of the whole process, the nodes of
the model, and microseconds for each iteration or call. The start of the process is taken off.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["loop_10.pt", "loop_100.pt", "loop_1000.pt", "graph_1000.pt", "graph_10000.pt", "graph_100000.pt"]
INPUT = "x=f32[batch,16]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        models = options.models or os.path.join(folder, "models")
        subprocess.run([sys.executable, os.path.join(HERE, "make_models.py"), models, *NAMES], check=True)
        start = statistics.median(compare.run([options.exporter, "--version"], folder)[0] for _ in range(20))
        print("| model | seconds | MB | nodes | microseconds for each |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for name in NAMES:
            out = os.path.join(folder, "out.onnx")
            command = [options.exporter, "export", os.path.join(models, name), "-o", out, "--input", INPUT]
            outcomes = [compare.run(command, folder) for _ in range(options.runs)]
            if any(error for _, _, error in outcomes):
                sys.exit(f"{name}: {outcomes[0][2]}")
            seconds, megabytes = (statistics.median(o[column] for o in outcomes) for column in (0, 1))
            text = subprocess.run([*command, "-v"], capture_output=True, text=True, check=True).stderr
            nodes = re.search(r"(\d[\d,]*) nodes", text)
            each = (seconds - start) / int(re.search(r"\d+", name)[0]) * 1e6
            cells = [name, f"{seconds:.3f}", f"{megabytes:.0f}", nodes[1] if nodes else "-", f"{each:.1f}"]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
