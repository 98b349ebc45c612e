"""make_models.py NAME FOLDER: the models of the tests in a browser: a script with a loop, a product whose sizes are numbers,
as a trace as well, and a program with an operator that nobody maps."""

import os
import sys

import torch


class Counted(torch.nn.Module):
    """As often as a run says."""

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        for _ in range(n):
            x = x * 2 + 1
        return x


class Product(torch.nn.Module):
    """Of two matrices, whose sizes are numbers in the file."""

    def forward(self, x, y):
        return x @ y


@torch.library.custom_op("web_test::strange", mutates_args=())
def strange(x: torch.Tensor) -> torch.Tensor:
    """Nobody maps it."""
    return x.clone()


@strange.register_fake
def _(x):
    return torch.empty_like(x)


class Refused(torch.nn.Module):
    """Calls it."""

    def forward(self, x):
        return strange(x)


def main(folder):
    """See above."""
    os.makedirs(folder, exist_ok=True)
    torch.jit.script(Counted()).save(os.path.join(folder, "counted.pt"))
    x = torch.zeros(2, 3)
    torch.jit.trace(Product(), (x, torch.zeros(3, 5))).save(os.path.join(folder, "traced.pt"))
    torch.export.save(torch.export.export(Product(), (x, torch.zeros(3, 5))), os.path.join(folder, "product.pt2"))
    torch.export.save(torch.export.export(Refused(), (x,)), os.path.join(folder, "refused.pt2"))


if __name__ == "__main__":
    main(sys.argv[2])
