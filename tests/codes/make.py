"""make.py NAME FOLDER: the files that the examples of codes name."""

import pathlib
import sys

import torch


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 10)

    def forward(self, x):
        return self.layer(x)


def save(module, x, path, **options):
    torch.export.save(torch.export.export(module, (x,), **options), path)


def main(folder):
    path = pathlib.Path(folder)
    free = {"x": {0: torch.export.Dim("n")}}
    save(Linear().eval(), torch.ones(2, 3), path / "model.pt2", dynamic_shapes=free)
    save(torch.nn.Conv2d(1, 1, 3).eval().bfloat16(), torch.ones(1, 1, 5, 5, dtype=torch.bfloat16), path / "E0212.pt2")
    torch.jit.save(torch.jit.script(Linear().eval()), path / "scripted.pt")
    torch.jit.save(torch.jit.trace(Linear().eval(), torch.ones(2, 3)), path / "small.pt")


if __name__ == "__main__":
    main(sys.argv[2])
