#!/usr/bin/env bash
# PyTorch 2.13.0: resizing with antialias=True to a width of 1 and another height fills every row with the first row's
# number. With the channels last in memory each row has its own.
#
#> torch.contiguous_format [1.9000000953674316, 1.9000000953674316, 1.9000000953674316]
#> torch.channels_last [1.9000000953674316, 5.5, 9.09999942779541]

source "$(dirname "$0")/lib"

with_python torch==2.13.0 numpy==2.4.6 <<'PYTHON'
import torch

x = torch.arange(12.0).reshape(1, 1, 4, 3)
for channels in (torch.contiguous_format, torch.channels_last):
    image = x.expand(1, 2, 4, 3).contiguous(memory_format=channels)
    y = torch.nn.functional.interpolate(image, (3, 1), mode="bilinear", antialias=True)
    print(channels, y[0, 0, :, 0].tolist())
PYTHON
