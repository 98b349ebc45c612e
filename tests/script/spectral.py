"""Complex numbers, Fourier transforms and spectrograms. In the model a complex tensor is its two parts."""

import torch
from torch import nn

from program import rand, script

# Complex numbers come with opset 13, DFT with 17.
SHORT = (12, 13, 16, 17, 21, 25)
FOURIER = (16, 17, 19, 20, 25)
SIGNAL = "x=f32[n,t]"
SIGNALS = [(rand(2, 64),), (rand(3, 91),), (rand(1, 40),)]


@script(SIGNAL, runs=SIGNALS, since=13, opsets=SHORT, tolerance=1e-4)
class Spectrogram(nn.Module):
    """As torchaudio: a window shorter than the frame, reshaped while complex."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(12))

    def forward(self, x):
        shape = x.size()
        flat = x.reshape(-1, shape[-1])
        z = torch.stft(flat, 16, 5, 12, self.window, True, "reflect", False, True, True)
        z = z.reshape(shape[:-1] + z.shape[-2:])
        z = z / self.window.pow(2.0).sum().sqrt()
        return z.abs().pow(2.0), z.real, z.imag, z.dtype == torch.complex64


@script(SIGNAL, runs=SIGNALS, since=13, opsets=SHORT, tolerance=1e-4)
class ThereAndBack(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(16))

    def forward(self, x):
        z = torch.stft(x, 16, 4, window=self.window, return_complex=True)
        louder = torch.polar(z.abs() * 2.0, z.angle())
        whole = torch.istft(louder, 16, 4, window=self.window)
        same = torch.istft(z, 16, 4, window=self.window, length=x.size(1))
        return whole, same, torch.view_as_real(z)


@script(SIGNAL, runs=SIGNALS, since=17, opsets=FOURIER, has=["DFT"], tolerance=1e-3)
class Transforms(nn.Module):
    def forward(self, x):
        half = torch.fft.rfft(x)
        whole = torch.fft.fft(x[0], norm="ortho")
        back = torch.fft.irfft(half * torch.conj(half), n=x.size(1))
        pairs = torch.view_as_real(torch.fft.ifft(whole).unsqueeze(0).transpose(0, 1))
        return back, pairs, torch.fft.irfft2(torch.fft.rfft2(x[:, :40]), s=[x.size(0), 40])


@script("x=f32[n,t,8]", runs=[(rand(2, 5, 8),), (rand(1, 9, 8),)], since=13, opsets=SHORT)
class RotaryWeights(nn.Module):
    """A complex buffer, as language models keep their positions."""

    def __init__(self):
        super().__init__()
        turns = torch.arange(10.0).unsqueeze(1) * torch.tensor([1.0, 0.1, 0.01, 0.001])
        self.register_buffer("turns", torch.polar(torch.ones_like(turns), turns))

    def forward(self, x):
        z = torch.view_as_complex(x.reshape(x.size(0), x.size(1), -1, 2))
        turned = z * self.turns[: x.size(1)]
        return torch.view_as_real(turned).flatten(2)


@script("x=f32[n,2]", "y=f32[m,2]", runs=[(rand(3, 2), rand(4, 2)), (rand(1, 2), rand(2, 2))], since=13, opsets=SHORT)
class Arithmetic(nn.Module):
    def forward(self, x, y):
        a = torch.view_as_complex(x).unsqueeze(1)
        b = torch.view_as_complex(y)
        mixed = torch.where(a.real > 0, a * b, a / b) - 0.5 * a
        joined = torch.cat([mixed, a.expand(a.size(0), 2)], dim=-1)
        outer = torch.matmul(a, b.unsqueeze(0))
        some = torch.exp(joined[:, -1:]) + outer.sum(-1, keepdim=True)
        return torch.view_as_real(joined), torch.view_as_real(some.squeeze(-1)), torch.view_as_real(-outer.t())


@script("x=f32[n,2]", "y=f64[n,2]", runs=[(rand(3, 2), rand(3, 2).double())], since=13, opsets=SHORT)
class ComplexNumbers(nn.Module):
    def forward(self, x, y):
        z = torch.view_as_complex(x)
        w = torch.view_as_complex(y)
        turn = complex(0.5, -2)
        filled = torch.full([x.size(0)], 1 + 2j, dtype=torch.complex64)
        a = z * 1j + turn
        return torch.view_as_real(a - filled), torch.view_as_real(turn * w / (0.1 - 0.3j))


@script("x=f32[2]", runs=[(rand(2),)], refused=["a complex number whose parts are known only at run time"])
class ComplexNumberOfTheRun(nn.Module):
    def forward(self, x):
        z = torch.view_as_complex(x)
        return torch.view_as_real(z * complex(float(x[0]), 1.0))


@script("x=f32[n,2]", refused=["[E0206] ", "ONNX has no complex outputs here; return torch.view_as_real of it"], runs=[])
class ComplexOutput(nn.Module):
    def forward(self, x):
        return torch.view_as_complex(x)


COMPLEX = [(torch.randn(3, 4, dtype=torch.complex64),), (torch.randn(5, 4, dtype=torch.complex64),)]


@script("x=c64[n,4]", refused=["ONNX has no complex inputs here", 'ExportOptions::complex: "as-real"', "output `"], runs=[])
class ComplexInput(nn.Module):
    def forward(self, x):
        return x * x


@script(
    "x=c64[n,4]",
    since=17,
    complex_as_real=True,
    remarks=["input `x` is complex; the model has its real and imaginary part as a last axis of 2", "output `"],
    runs=COMPLEX,
)
class ComplexAsReal(nn.Module):
    """Sizes are those of the complex tensor; the first output is the input as it came."""

    def forward(self, x):
        return x, torch.fft.fft(x * x.conj() + x.size(0)), x.abs()


@script("x=f32[n,2]", refused=["a complex tensor leaves a block of ONNX If"], runs=[])
class ComplexFromBranch(nn.Module):
    def forward(self, x):
        z = torch.view_as_complex(x)
        if bool(x.sum() > 0):
            z = z * z
        return torch.view_as_real(z)
