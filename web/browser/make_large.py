"""make_large.py FILE: a program with a weight of 1 GB, of zeros that take no room on the disk."""

import subprocess
import sys

import torch


class Large(torch.nn.Module):
    """A matrix."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(16384, 16384))

    def forward(self, x):
        return x @ self.weight


def main(file):
    """See above."""
    torch.export.save(torch.export.export(Large(), (torch.zeros(1, 16384),)), file)
    subprocess.run(["fallocate", "--dig-holes", file], check=False)


if __name__ == "__main__":
    main(sys.argv[1])
