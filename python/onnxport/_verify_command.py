"""`exporter verify` with the PyTorch and ONNX Runtime of this Python, where no exporter-verify is compiled.

Its words, output and exit statuses are those of that program (docs/command.md)."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from ._errors import ExportError
from ._text import visible

_DIFFERS, _USAGE, _NOT_COMPARED = 1, 2, 5
_NOT_HERE = {"bisect": "--bisect", "save_tests": "--save-tests", "onnxruntime": "--onnxruntime"}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exporter verify",
        description="Runs an ONNX model beside the PyTorch program that it was made of, with the PyTorch and ONNX Runtime "
        "of this Python. Exit status: 0 they agree, 1 they differ, 2 usage, 5 one of them does not run.",
        allow_abbrev=False,
    )
    many: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("model", metavar="MODEL", help="the ONNX file")
    parser.add_argument("--against", required=True, help="the .pt2 or TorchScript archive that it was made from")
    parser.add_argument("--inputs", help="a NumPy .npz file with an array for each input; default: random values")
    parser.add_argument("--sizes", metavar="NAME=SIZE,...", help="sizes of a free axis, one run for each", **many)
    parser.add_argument("--range", metavar="NAME=LOW,HIGH", help="the range of random values", **many)
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random values")
    parser.add_argument("--input", metavar="NAME=VALUE", help="the value of a parameter that is no input", **many)
    parser.add_argument("--atol", type=float, help="the absolute tolerance, for every output")
    parser.add_argument("--rtol", type=float, help="the relative tolerance")
    parser.add_argument("--load", metavar="FILE", help="a shared library that registers operators", **many)
    parser.add_argument("--verifier", help=argparse.SUPPRESS)  # how this program was found
    parser.add_argument("--bisect", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--save-tests", help=argparse.SUPPRESS)
    parser.add_argument("--onnxruntime", help=argparse.SUPPRESS)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    for name, flag in _NOT_HERE.items():
        if getattr(arguments, name):
            return _fail(_USAGE, f"{flag} needs the program exporter-verify, which is compiled (docs/install.md)")
    try:
        from . import _beside
    except ImportError as error:
        return _fail(_NOT_COMPARED, f"needs torch, numpy and onnxruntime in {sys.executable}: {error}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of torch.jit, which has to read what is given
            return 0 if _beside.compare(arguments) else _DIFFERS
    except ExportError as error:
        return _fail(_USAGE if error.kind == "usage" else _NOT_COMPARED, error.diagnostics[0].reason)
    except Exception as error:
        return _fail(_NOT_COMPARED, f"cannot compare: {type(error).__name__}: {error}")


def _fail(status: int, reason: str) -> int:
    print(f"exporter verify: {visible(reason)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
