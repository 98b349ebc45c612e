"""Models of pictures from pytorch/examples and from the documentation of torch.onnx."""

import torch
from case import Case, calibrate, model, randomise
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


class Mnist(nn.Module):
    """The net of pytorch/examples/mnist; `widths` are its two convolutions and the hidden layer."""

    def __init__(self, widths=(32, 64, 128)):
        super().__init__()
        a, b, c = widths
        self.conv1 = nn.Conv2d(1, a, 3, 1)
        self.conv2 = nn.Conv2d(a, b, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(b * 12 * 12, c)
        self.fc2 = nn.Linear(c, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout2(x)
        x = self.fc2(x)
        return F.log_softmax(x, dim=1)


@model
def mnist():
    return Case(
        Mnist(),
        (torch.randn(2, 1, 28, 28),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(5, 1, 28, 28),),
    )


@model
def dcgan_generator():
    def up(a, b, stride, padding):
        return [nn.ConvTranspose2d(a, b, 4, stride, padding, bias=False), nn.BatchNorm2d(b), nn.ReLU(True)]

    n = 16  # 64 in the example
    net = nn.Sequential(
        *up(100, n * 8, 1, 0),
        *up(n * 8, n * 4, 2, 1),
        *up(n * 4, n * 2, 2, 1),
        *up(n * 2, n, 2, 1),
        nn.ConvTranspose2d(n, 3, 4, 2, 1, bias=False),
        nn.Tanh(),
    )
    net = calibrate(net, torch.randn(8, 100, 1, 1))
    return Case(
        net,
        (torch.randn(2, 100, 1, 1),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 100, 1, 1),),
    )


@model
def dcgan_discriminator():
    def down(a, b):
        return [nn.Conv2d(a, b, 4, 2, 1, bias=False), nn.BatchNorm2d(b), nn.LeakyReLU(0.2, inplace=True)]

    class Net(nn.Module):
        def __init__(self, n=16):  # 64 in the example
            super().__init__()
            self.main = nn.Sequential(
                nn.Conv2d(3, n, 4, 2, 1, bias=False),
                nn.LeakyReLU(0.2, inplace=True),
                *down(n, n * 2),
                *down(n * 2, n * 4),
                *down(n * 4, n * 8),
                nn.Conv2d(n * 8, 1, 4, 1, 0, bias=False),
                nn.Sigmoid(),
            )

        def forward(self, x):
            return self.main(x).view(-1, 1).squeeze(1)

    net = calibrate(Net(), torch.randn(8, 3, 64, 64))
    return Case(
        net,
        (torch.randn(2, 3, 64, 64),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 64, 64),),
    )


class StyleConv(nn.Module):
    """Reflection padding, after an upsampling where asked for, and a convolution."""

    def __init__(self, a, b, size, stride=1, upsample=0):
        super().__init__()
        self.upsample = upsample
        self.pad = nn.ReflectionPad2d(size // 2)
        self.conv = nn.Conv2d(a, b, size, stride)

    def forward(self, x):
        if self.upsample > 0:
            x = F.interpolate(x, mode="nearest", scale_factor=float(self.upsample))
        return self.conv(self.pad(x))


class StyleResidual(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv1 = StyleConv(n, n, 3)
        self.in1 = nn.InstanceNorm2d(n, affine=True)
        self.conv2 = StyleConv(n, n, 3)
        self.in2 = nn.InstanceNorm2d(n, affine=True)

    def forward(self, x):
        return self.in2(self.conv2(torch.relu(self.in1(self.conv1(x))))) + x


@model
def fast_neural_style():
    """The transformer network of pytorch/examples/fast_neural_style, for pictures of any size."""

    def stage(conv, n):
        return [conv, nn.InstanceNorm2d(n, affine=True), nn.ReLU()]

    net = nn.Sequential(
        *stage(StyleConv(3, 32, 9), 32),
        *stage(StyleConv(32, 64, 3, 2), 64),
        *stage(StyleConv(64, 128, 3, 2), 128),
        *[StyleResidual(128) for _ in range(5)],
        *stage(StyleConv(128, 64, 3, upsample=2), 64),
        *stage(StyleConv(64, 32, 3, upsample=2), 32),
        StyleConv(32, 3, 9),
    )
    return Case(
        randomise(net),
        (torch.randn(2, 3, 32, 24),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 32, 24),),
        torchscript_shapes=({0: Dim("batch"), 2: Dim("height"), 3: Dim("width")},),
        torchscript_other=(torch.randn(2, 3, 20, 36),),
    )


@model
def super_resolution():
    class Net(nn.Module):
        def __init__(self, upscale_factor):
            super().__init__()
            self.relu = nn.ReLU()
            self.conv1 = nn.Conv2d(1, 64, (5, 5), (1, 1), (2, 2))
            self.conv2 = nn.Conv2d(64, 64, (3, 3), (1, 1), (1, 1))
            self.conv3 = nn.Conv2d(64, 32, (3, 3), (1, 1), (1, 1))
            self.conv4 = nn.Conv2d(32, upscale_factor**2, (3, 3), (1, 1), (1, 1))
            self.pixel_shuffle = nn.PixelShuffle(upscale_factor)
            for conv in (self.conv1, self.conv2, self.conv3):
                nn.init.orthogonal_(conv.weight, nn.init.calculate_gain("relu"))
            nn.init.orthogonal_(self.conv4.weight)

        def forward(self, x):
            x = self.relu(self.conv1(x))
            x = self.relu(self.conv2(x))
            x = self.relu(self.conv3(x))
            return self.pixel_shuffle(self.conv4(x))

    return Case(
        Net(3),
        (torch.randn(2, 1, 32, 24),),
        dynamic_shapes=({0: Dim("batch"), 2: Dim("height"), 3: Dim("width")},),
        other=(torch.randn(1, 1, 17, 40),),
    )


@model
def conv():
    class MyModel(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 128, 5)

        def forward(self, x):
            return torch.relu(self.conv1(x))

    return Case(
        MyModel(),
        (torch.rand(1, 1, 40, 40),),
        dynamic_shapes=({2: Dim("height", min=6), 3: Dim("width", min=6)},),
        other=(torch.rand(1, 1, 20, 31),),
    )
