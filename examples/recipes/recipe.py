"""Shared by the recipes: where files go, a session, and how far a result may be from PyTorch's."""

import pathlib
import sys

import onnxruntime
import torch


def path(name: str) -> pathlib.Path:
    """Returns the path of a file in the folder that the recipe is given, or in the current one."""
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def session(file: pathlib.Path) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])


def check(file: pathlib.Path, expected: torch.Tensor, found: torch.Tensor, *, tolerance: float) -> None:
    """Prints the size of the file and the relative error |found - expected| / |expected|; ends the recipe above
    `tolerance`."""
    if expected.shape != found.shape:
        sys.exit(f"{file.name}: {list(found.shape)} instead of {list(expected.shape)}")
    expected, found = expected.double(), found.double()
    error = ((found - expected).norm() / expected.norm()).item()
    print(f"{file.name:24} {file.stat().st_size / 1000:8.1f} kB   error {error:.1e}, at most {tolerance:.0e}")
    if not error <= tolerance:
        sys.exit(f"{file.name}: too far from PyTorch's result")
