"""Speech to letters with CTC: from samples of sound, through a spectrogram, convolutions and an LSTM, to a text."""

import sys

import onnxport
import torch
from recipe import check, path
from torch import nn

LETTERS = "-abcdefghijklmnopqrstuvwxyz '"  # - is CTC's blank
WINDOW, HOP, BANDS, WIDTH = 400, 160, 64, 192  # 25 ms and 10 ms at 16 kHz


class Recognizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(WINDOW))
        self.register_buffer("bands", torch.rand(WINDOW // 2 + 1, BANDS) ** 8 / WINDOW)
        self.convolutions = nn.Sequential(
            nn.Conv1d(BANDS, WIDTH, 5, stride=2, padding=2), nn.GELU(), nn.Conv1d(WIDTH, WIDTH, 5, padding=2), nn.GELU()
        )
        self.lstm = nn.LSTM(WIDTH, WIDTH // 2, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, len(LETTERS)))

    def forward(self, samples):
        """Logarithms of probabilities [batch, frames, letters] of [batch, samples]."""
        waves = torch.stft(samples, WINDOW, HOP, window=self.window, return_complex=True)
        loudness = torch.log(waves.abs().square().transpose(1, 2) @ self.bands + 1e-6)
        louder = (loudness - loudness.mean(1, keepdim=True)).transpose(1, 2)
        hidden = self.convolutions(louder).transpose(1, 2)
        return self.head(self.lstm(hidden)[0]).log_softmax(-1)


def texts(probabilities):
    """Greedy: the likeliest letter of each frame, repetitions once, without blanks."""
    for frames in probabilities.argmax(-1):
        yield "".join(LETTERS[i] for i in frames.unique_consecutive()).replace("-", "")


def sounds(count, length):
    """Tones, each of a tenth of a second."""
    tones = torch.rand(count, length // 1600 + 1).repeat_interleave(1600, dim=1)[:, :length]
    return torch.sin((0.05 + tones).cumsum(1))


torch.manual_seed(0)
recognizer = Recognizer().eval()
with torch.no_grad():
    for weight in [*recognizer.lstm.parameters(), recognizer.head[2].weight]:
        weight *= 3  # letters that differ from frame to frame, so that there is a text to compare
example = sounds(2, 16000)
axes = {"samples": {0: "batch", 1: torch.export.Dim("samples", min=WINDOW)}}

for name, options, tolerance in [
    ("speech.onnx", {}, 1e-5),
    # The bands stay floats: the logarithm behind them makes much of small weights that 8 bits round to zero.
    ("speech.int8.onnx", {"weights_as": "int8", "weights_keep": ["bands"]}, 2e-2),
]:
    model = onnxport.export(
        recognizer, (example,), path(name), dynamic_shapes=axes, output_names=["letters"], strategy="trace", **options
    )
    print(model, *model.remarks, sep="\n")
    for samples in (example, sounds(1, 8000), sounds(3, 24123)):
        with torch.no_grad():
            expected = recognizer(samples)
        found = model(samples)[0]
        check(path(name), expected, found, tolerance=tolerance)
        print(*texts(found), sep="\n")
        if not options and list(texts(found)) != list(texts(expected)):
            sys.exit(f"PyTorch has {list(texts(expected))}")
