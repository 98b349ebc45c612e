"""Weights from files, as inputs, and in fewer bits."""

import torch
from advice import Case, exported, file, made
from safetensors.torch import save_file
from torch import nn

X = torch.rand(3, 4)


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 5)
        self.norm = nn.BatchNorm1d(5)
        self.eval()

    def forward(self, x):
        return self.norm(self.fc(x))


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.eval()

    def forward(self, x):
        return self.norm(self.conv(x))


class Added(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(3, 4))

    def forward(self, x):
        return x + self.w


class Wide(nn.Module):
    def __init__(self, first=1.0):
        super().__init__()
        self.first = nn.Linear(64, 64)
        self.second = nn.Linear(64, 64)
        with torch.no_grad():
            self.first.weight[0, 0] = first

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def tensors(state):
    state = {key: value.contiguous() for key, value in state.items()}
    return file(".safetensors", lambda path: save_file(state, str(path)))


MODULE = Normed()
STATE = MODULE.state_dict()
NORMED = exported(MODULE, X)
WEIGHTS = tensors(STATE)
OTHER = tensors({"a": torch.rand(3)})
SMALL = tensors(STATE | {"fc.weight": torch.rand(5, 3)})
CUT = file(".safetensors", lambda path: path.write_bytes(WEIGHTS.path.read_bytes()[:100]))
MODEL = made(NORMED)
CONVOLUTION = exported(Convolution(), torch.rand(1, 3, 5, 5))
KERNEL = tensors({"conv.weight": torch.rand(4, 3, 3, 3)})
WHOLE_CONVOLUTION = tensors(Convolution().state_dict())
ADDED = Added()
WIDE = exported(Wide(), torch.rand(2, 64))
INFINITE = exported(Wide(float("inf")), torch.rand(2, 64))
with torch.device("meta"):
    META = exported(Added(), torch.rand(3, 4))

CASES = [
    Case("E0309", [NORMED, "--weights", CUT], "cut off", [NORMED, "--weights", WEIGHTS]),
    Case("E0405", [NORMED, "--weights", OTHER], "there is no fc.weight, fc.bias", [NORMED, "--weights", WEIGHTS]),
    Case("E0405", [NORMED, "--weights", SMALL], "is float32[5, 3] in the file, and float32[5, 4] in the model",
         [NORMED, "--weights", WEIGHTS]),
    Case("E0405", ["apply-weights", MODEL, "--weights", SMALL],
         "is float32[5, 3] in the file, and float32[5, 4] in the model",
         ["apply-weights", MODEL, "--weights", WEIGHTS]),
    Case("E0405", ["apply-weights", MODEL, "--weights", OTHER], "none of its tensors is one: it has",
         ["apply-weights", MODEL, "--weights", WEIGHTS]),
    Case("E0405", ["apply-weights", made(CONVOLUTION), "--weights", KERNEL], "which the file does not have",
         ["apply-weights", made(CONVOLUTION), "--weights", WHOLE_CONVOLUTION]),
    Case("E0405", ["apply-weights", made(CONVOLUTION, "--no-metadata"), "--weights", KERNEL],
         "export it without passes (--no-fold)",
         ["apply-weights", made(CONVOLUTION, "--no-metadata", "--no-fold"), "--weights", KERNEL]),
    Case("E0405", ["apply-weights", made(CONVOLUTION, "--no-metadata"), "--weights", WHOLE_CONVOLUTION],
         "or once more with --weights", [CONVOLUTION, "--weights", WHOLE_CONVOLUTION], compare=False),
    Case("E0001", [NORMED, "--no-weights", "--weights", WEIGHTS], "or come from a file (--weights)",
         [NORMED, "--weights", WEIGHTS]),
    Case("E0100", [META], "save the program with real ones", [exported(ADDED, X)]),
    Case("E0100", [META], "name a file that has them (--weights)", [META, "--weights", tensors({"w": X})],
         compare=False),
    Case("E0100", [META], "or make them inputs of the model (--no-weights)", [META, "--no-weights"], compare=False),
    Case("E0005", [WIDE, "--no-weights", "--weights-as", "int8"], "or stored in fewer bits (--weights-as",
         [WIDE, "--weights-as", "int8"], compare=False),
    Case("E0100", [INFINITE, "--weights-as", "int8"], "leave the weight as it is (--weights-keep first.weight)",
         [INFINITE, "--weights-as", "int8", "--weights-keep", "first.weight"], compare=False),
    Case("E0001", [WIDE, "--weights-as", "int8", "--weights-keep", "frist"], "the model has",
         [WIDE, "--weights-as", "int8", "--weights-keep", "first"], compare=False),
    Case("E0001", [WIDE, "--weights-as", "int8,asymmetric"], "only int4 and int2 are asymmetric",
         [WIDE, "--weights-as", "int4,asymmetric", "--opset", 21], compare=False),
    Case("E0010", [WIDE, "--parameter-names", "a,..."],
         "counts on from a name that ends with a number, as in learned_0,...",
         [WIDE, "--parameter-names", "learned_0,..."]),
    Case("E0212", [WIDE, "--weights-as", "mxfp4", "--target", "ort-cpu", "--opset", 25],
         "store weights in another type (float32, or --weights-as)", [WIDE, "--target", "ort-cpu", "--opset", 25]),
    Case("E0212", [WIDE, "--weights-as", "mxfp4", "--target", "ort-cpu", "--opset", 25], "it takes uint8, int8",
         [WIDE, "--weights-as", "int8", "--target", "ort-cpu", "--opset", 25], compare=False),
]
