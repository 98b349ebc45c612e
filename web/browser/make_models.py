"""make_models.py NAME FOLDER: makes the models of the tests in a browser. They are a script with a loop, a product
whose sizes are numbers (as a trace, too), a model of images, and a program with an operator without a mapping."""

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
    """A product of two matrices, whose sizes are numbers in the file."""

    def forward(self, x, y):
        return x @ y


class Image(torch.nn.Module):
    """The model that pages call model.pt2."""

    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.convolution(x).mean((2, 3))


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
    torch.manual_seed(0)
    image = torch.export.export(Image(), (torch.zeros(2, 3, 224, 224),), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.export.save(image, os.path.join(folder, "image.pt2"))
    x = torch.zeros(2, 3)
    torch.jit.trace(Product(), (x, torch.zeros(3, 5))).save(os.path.join(folder, "traced.pt"))
    torch.export.save(torch.export.export(Product(), (x, torch.zeros(3, 5))), os.path.join(folder, "product.pt2"))
    torch.export.save(torch.export.export(Refused(), (x,)), os.path.join(folder, "refused.pt2"))


if __name__ == "__main__":
    main(sys.argv[2])
