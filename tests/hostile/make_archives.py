"""Writes the archives that //tests/hostile damages: traced.pt, scripted.pt, quantized.pt, exported.pt2."""

import os
import sys
import warnings

import torch
from typing import Dict, List, Optional

warnings.filterwarnings("ignore")


class Traced(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)
        self.head = torch.nn.Linear(4, 5)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return self.head(x.mean([2, 3]))


class Scripted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(4, 3, 2, bidirectional=True)
        self.sizes = [1, 2, 3]
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x, steps: int = 3, extra: Optional[torch.Tensor] = None):
        parts: List[torch.Tensor] = []
        for i in range(steps):
            if i % 2 == 0:
                parts.append(x * self.scale + i)
            else:
                parts.append(x - self.sizes[i])
        y = torch.stack(parts).sum(0)
        if bool(y.sum() > 0):
            y = -y
        if extra is not None:
            y = y + extra
        out, state = self.rnn(y)
        named: Dict[str, torch.Tensor] = {"out": out, "state": state[0]}
        return named


class Exported(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)
        self.rnn = torch.nn.LSTM(4, 3)
        self.head = torch.nn.Linear(3, 5)

    def forward(self, x, steps):
        x = torch.nn.functional.max_pool2d(self.norm(self.conv(x)), 3, 2, 1)
        left, right = x.split(2, 1)
        x = torch.cat([left, right[:, 1:], right.flip(1)[:, :1]], 1).flatten(2).permute(2, 0, 1)
        out, _ = self.rnn(x)
        out = torch.nn.functional.pad(self.head(out), [1, 0]).cumsum(-1)
        return {"out": out.view(-1, 6), "top": out.topk(2, -1)[0], "steps": steps.clamp(0, 3).unsqueeze(0)}


class Quantized(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = torch.ao.quantization.QuantStub()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.relu = torch.nn.ReLU()
        self.head = torch.nn.Linear(4, 5)
        self.dequant = torch.ao.quantization.DeQuantStub()

    def forward(self, x):
        x = self.relu(self.conv(self.quant(x)))
        return self.dequant(self.head(x.mean([2, 3])))


def quantized():
    model = Quantized().eval()
    model.qconfig = torch.ao.quantization.get_default_qconfig("fbgemm")
    torch.ao.quantization.fuse_modules(model, ["conv", "relu"], inplace=True)
    model = torch.ao.quantization.prepare(model)
    model(torch.randn(2, 3, 6, 6))
    return torch.jit.trace(torch.ao.quantization.convert(model), torch.randn(2, 3, 6, 6))


def main(folder):
    torch.manual_seed(0)
    os.makedirs(folder, exist_ok=True)
    torch.jit.trace(Traced().eval(), torch.randn(2, 3, 6, 6)).save(os.path.join(folder, "traced.pt"))
    torch.jit.script(Scripted().eval()).save(os.path.join(folder, "scripted.pt"))
    quantized().save(os.path.join(folder, "quantized.pt"))
    example = (torch.randn(2, 3, 6, 6), torch.tensor([1, 2]))
    batch = {0: torch.export.Dim("batch", min=2, max=64)}
    program = torch.export.export(Exported().eval(), example, dynamic_shapes=(batch, None))
    torch.export.save(program, os.path.join(folder, "exported.pt2"))


if __name__ == "__main__":
    main(sys.argv[2])
