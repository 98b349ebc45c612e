"""A U-Net that removes noise from pictures, in float16, and the loop that makes pictures with it."""

import onnxport
import torch
from recipe import check, path
from torch import nn


class Block(nn.Module):
    """Two convolutions, with the time added between them."""

    def __init__(self, channels, made):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(8, channels), nn.Conv2d(channels, made, 3, padding=1)
        self.norm2, self.conv2 = nn.GroupNorm(8, made), nn.Conv2d(made, made, 3, padding=1)
        self.time, self.skip = nn.Linear(128, made), nn.Conv2d(channels, made, 1)

    def forward(self, x, time):
        h = self.conv1(nn.functional.silu(self.norm1(x))) + self.time(time)[:, :, None, None]
        return self.skip(x) + self.conv2(nn.functional.silu(self.norm2(h)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(64, 128), nn.SiLU(), nn.Linear(128, 128), nn.SiLU())
        self.first, self.last = nn.Conv2d(3, 32, 3, padding=1), nn.Conv2d(32, 3, 3, padding=1)
        self.down = nn.ModuleList([Block(32, 32), Block(32, 64), Block(64, 128)])
        self.attention = nn.MultiheadAttention(128, 4, batch_first=True)
        self.up = nn.ModuleList([Block(128 + 64, 64), Block(64 + 32, 32)])
        self.register_buffer("frequencies", torch.exp(-torch.arange(32) / 32 * 9.0))

    def forward(self, x, time):
        angles = time[:, None] * self.frequencies
        time = self.time(torch.cat([angles.sin(), angles.cos()], dim=1))
        x, kept = self.first(x), []
        for block in self.down:
            x = block(x, time)
            kept.append(x)
            x = nn.functional.avg_pool2d(x, 2) if block is not self.down[-1] else x
        flat = x.flatten(2).transpose(1, 2)
        x = x + self.attention(flat, flat, flat, need_weights=False)[0].transpose(1, 2).unflatten(2, x.shape[2:])
        for block, skip in zip(self.up, kept[1::-1]):
            x = block(torch.cat([nn.functional.interpolate(x, scale_factor=2), skip], dim=1), time)
        return self.last(nn.functional.silu(x))


def denoise(predict, x, steps=8):
    """DDIM: each step takes the predicted noise out, and puts less of it back."""
    kept = torch.cos(torch.linspace(1.5, 0, steps + 1)) ** 2  # how much of the picture there is, from the noise on
    for i in range(steps):
        noise = predict(x, torch.full((len(x),), 1000.0 * (1 - i / steps)))
        clean = ((x - (1 - kept[i]).sqrt() * noise) / kept[i].sqrt()).clamp(-1, 1)
        x = kept[i + 1].sqrt() * clean + (1 - kept[i + 1]).sqrt() * noise
    return x


torch.manual_seed(0)
unet = UNet().eval()
example = torch.randn(2, 3, 32, 32), torch.tensor([10.0, 700.0])
height, width = (4 * torch.export.Dim(name, min=2, max=64) for name in ("rows", "columns"))
shapes = {"x": {0: "batch", 2: height, 3: width}, "time": {0: "batch"}}
noise = torch.randn(3, 3, 48, 24)
with torch.no_grad():
    expected, pictures = unet(*example), denoise(unet, noise)

for name, tolerance, options in [
    ("diffusion.onnx", 1e-5, {}),
    ("diffusion.float16.onnx", 5e-3, {"compute_as": "float16"}),
]:
    model = onnxport.export(unet, example, path(name), dynamic_shapes=shapes, **options)
    print(model, *model.remarks, sep="\n")
    check(path(name), expected, model(*example)[0], tolerance=tolerance)
    check(path(name), pictures, denoise(lambda *args: model(*args)[0], noise), tolerance=2 * tolerance)
