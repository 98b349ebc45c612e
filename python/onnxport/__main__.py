"""`python -m onnxport ...`: the command, which the wheel has installed."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import metadata


def _installed() -> str | None:
    """Where pip has put the command, which need not be on PATH."""
    try:
        files = metadata.files("onnxport") or []
    except metadata.PackageNotFoundError:  # used from the sources
        files = []
    found = [str(file.locate()) for file in files if file.name == "exporter"]
    found.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin", "exporter"))  # pip install --target
    return next((path for path in found if os.access(path, os.X_OK)), None)


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["verify"] and "--verifier" not in words:
        from ._verify_command import main as verify

        return verify(words[1:])
    command = _installed() or shutil.which("exporter")
    if command is None:
        print("onnxport: the command is not installed: the wheel has it, or it is built by `./bazelw build //:exporter`",
              file=sys.stderr)  # fmt: skip
        return 2
    sys.stdout.flush()
    os.execv(command, ["exporter", *words])


if __name__ == "__main__":
    sys.exit(main())
