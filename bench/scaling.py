"""Does the time per node grow? `scaling.py --exporter PATH [--models DIR] [--runs N]`.

Exports a scripted loop of 10, 100 and 1,000 iterations, traces of 1,000 to 100,000 calls, and programs of torch.export
of 1,000 to 1,000,000 calls. Prints Markdown: the median time of the whole process, its peak memory, the nodes of the
model, and microseconds and kilobytes per iteration or call. The time to start the process is subtracted.
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
NAMES = [f"loop_{count}.pt" for count in (10, 100, 1000)]
NAMES += [f"graph_{count}.pt" for count in (1000, 10000, 100000)]
NAMES += [f"graph_{count}.pt2" for count in (1000, 10000, 100000, 1000000)]
INPUT = "x=f32[batch,16]"  # for a .pt, which does not say that the batch is free


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        models = options.models or os.path.join(folder, "models")
        subprocess.run([sys.executable, os.path.join(HERE, "make_models.py"), models, *NAMES], check=True)
        starts = [compare.run([options.exporter, "--version"], folder) for _ in range(20)]
        start, least = (statistics.median(run[column] for run in starts) for column in (0, 1))
        print("| model | seconds | MB | nodes | microseconds for each | KB for each |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for name in NAMES:
            out = os.path.join(folder, "out.onnx")
            command = [options.exporter, "export", os.path.join(models, name), "-o", out]
            command += ["--input", INPUT] if name.endswith(".pt") else []
            outcomes = [compare.run(command, folder) for _ in range(options.runs)]
            if any(error for _, _, error, _ in outcomes):
                sys.exit(f"{name}: {outcomes[0][2]}")
            seconds, megabytes = (statistics.median(o[column] for o in outcomes) for column in (0, 1))
            text = subprocess.run([*command, "-v"], capture_output=True, text=True, check=True).stderr
            nodes = re.search(r"(\d[\d,]*) nodes", text)
            count = int(re.search(r"\d+", name)[0])
            each = [f"{(seconds - start) / count * 1e6:.1f}", f"{(megabytes - least) / count * 1024:.2f}"]
            cells = [name, f"{seconds:.3f}", f"{megabytes:.0f}", nodes[1] if nodes else "-", *each]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
