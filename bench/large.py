"""Does memory grow with the weights? `large.py --exporter PATH [--folder DIR] [GIGABYTES...]`.

Exports archives with this many gigabytes of weights (make_large.py) without waiting for the disk. Prints Markdown:
seconds, processor seconds and peak memory of the command, and those of `cp`. Until it is measured, the model takes
space in DIR for its weights.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile

import compare

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--folder", help="for the model, on the disk to try (default: that for temporary files)")
    parser.add_argument("gigabytes", nargs="*", type=int, default=[1, 8])
    options = parser.parse_args()
    print("| GB | weights | s | cp | processor s | cp | MB of memory |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for gigabytes in options.gigabytes:
        with tempfile.TemporaryDirectory(prefix="onnxport-bench-", dir=options.folder) as folder:
            model = os.path.join(folder, "large.pt2")
            # In a separate process: without GNU time, PyTorch's memory would count as the command's.
            subprocess.run([sys.executable, os.path.join(HERE, "make_large.py"), model, str(gigabytes)], check=True)
            with zipfile.ZipFile(model) as archive:
                count = sum(".json" not in name and "/weights/" in name for name in archive.namelist())
            out = os.path.join(folder, "out")
            copied = compare.run(["cp", "--sparse=never", "--reflink=never", model, out], folder)
            os.remove(out)
            command = [options.exporter, "export", model, "-o", out, "--no-sync", "--max-seconds", "0"]
            exported = compare.run(command, folder)
            for failure in copied[2], exported[2]:
                if failure:
                    sys.exit(failure)
            cells = [gigabytes, count, f"{exported[0]:.1f}", f"{copied[0]:.1f}", f"{exported[3]:.1f}",
                     f"{copied[3]:.1f}", f"{exported[1]:.0f}"]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
