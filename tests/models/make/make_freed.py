"""Makes the fixture of freed_test: `make_freed.py NAME OUTDIR`.

OUTDIR gets, of programs whose first input has an axis that torch.export made a number, MODEL.pt2 and MODEL.input, the
text for `--input` that frees it. MODEL.0 to MODEL.3 hold inputs and outputs at other lengths, MODEL.refused what is
said where it cannot be free.
"""

import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

from writing import write_tensors

LENGTHS = (2, 4, 9, 33)
BATCH = torch.export.Dim("batch")


class Recurrent(nn.Module):
    def __init__(self, kind, hidden=8, **options):
        super().__init__()
        self.rnn = getattr(nn, kind)(6, hidden, **options)
        self.linear = nn.Linear(hidden * (2 if self.rnn.bidirectional else 1), 3)

    def forward(self, x):
        y = self.rnn(x)[0]
        last = y[:, -1] if self.rnn.batch_first else y[-1]
        return torch.relu(self.linear(y)), last


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.AdaptiveAvgPool2d(1)
        )

    def forward(self, x):
        return self.parts(x).flatten(1)


class Of(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.table = nn.Parameter(torch.randn(1, 64, 6))
        self.five = nn.Parameter(torch.randn(1, 5, 6))
        self.mixed = nn.Linear(5, 7)
        self.square = nn.Linear(6, 6)

    def forward(self, x):
        return self.function(self, x)


# Programs whose axis can be free: the module, and whether the first axis is the length.
FREE = {
    f"{kind.lower()}_{name}": (Recurrent(kind, **options), not options.get("batch_first", False))
    for kind in ("LSTM", "GRU", "RNN")
    for name, options in {
        "plain": {},
        "batch_first": {"batch_first": True},
        "bidirectional": {"batch_first": True, "bidirectional": True, "num_layers": 2},
        "like_its_length": {"hidden": 5, "num_layers": 2},
        # 0.2 is the reciprocal of the length.
        "settings": {"num_layers": 5, "dropout": 0.2},
    }.items()
} | {
    name: (Of(function), False)
    for name, function in {
        "attention": lambda m, x: torch.softmax(x @ x.transpose(1, 2), -1) @ x,
        "statistics": lambda m, x: (x.mean(1), x.std(1), x.cumsum(1).flip(1)),
        "joined": lambda m, x: torch.cat([x[:, 1:], torch.zeros_like(x)], 1),
        "pieces": lambda m, x: x.split(3, 2)[1],
        "first": lambda m, x: x[:, 0],
        "settings": lambda m, x: F.instance_norm(F.dropout(x, 0.2, m.training), eps=0.2).norm(5, 2),
    }.items()
}

# Programs of f32[6,6], whose first axis should be free. A number computed with a 6 may come from either axis. It is
# certain only where no other number is involved.
SQUARE_FREE = {
    "square_linear": lambda m, x: (torch.relu(m.square(x)), x.sum(1)),
    "square_softmax": lambda m, x: (torch.softmax(x @ m.square.weight, 1), x.cumsum(0)),
    "square_parts": lambda m, x: (x.reshape(-1, 2, 3).flip(2), x.split(3, 1)[1], x.unbind(1)[5]),
    "square_columns": lambda m, x: (x + torch.arange(x.shape[1]), m.square.bias.expand_as(x) * x),
    "square_gram": lambda m, x: (x.t() @ x, x @ x.t()),
}
SQUARE_REFUSED = {
    "square_view": (lambda m, x: x.reshape(-1, 2, 3).flip(2).reshape(-1, 6), "its 6 (`shape`)"),
    "square_scale": (lambda m, x: x / x.shape[1], "aten::div.Tensor"),
    "square_rows": (lambda m, x: x.reshape(x.shape[0] * 6), "its 36 (`shape`)"),
    "square_product": (lambda m, x: x @ x, "would be fixed at 6"),
    "square_turned": (lambda m, x: x + x.t(), "would be fixed at 6"),
    "square_mean": (lambda m, x: m.square(x).sum(0) / x.shape[0], "aten::div.Tensor"),
    "square_position": (lambda m, x: x + torch.arange(x.shape[0])[:, None], "aten::arange"),
    "square_list": (lambda m, x: x.unbind(0)[5], "how many tensors"),
}

# Programs that depend on the 5, and the operator that the message names.
REFUSED = {
    "reshape": (lambda m, x: x.reshape(x.shape[0] * x.shape[1], 6), "host::mul"),
    "view": (lambda m, x: (x * 2).view(x.shape[0], 30), "aten::view"),
    "positions": (lambda m, x: x + m.table[:, : x.shape[1]], "its 5 (`end`)"),
    "arange": (lambda m, x: x + torch.arange(x.shape[1])[None, :, None], "aten::arange"),
    "expand": (lambda m, x: x[:, :1].expand(-1, x.shape[1], -1) + 1, "aten::expand"),
    "average": (lambda m, x: x.sum(1) / x.shape[1], "aten::div.Tensor"),
    "unbiased": (lambda m, x: x.square().sum(1) / (x.shape[1] - 1), "its 4 (`other`)"),
    "scale": (lambda m, x: x / x.shape[1] ** 0.5, "aten::div.Tensor"),
    "constant": (lambda m, x: x * torch.tensor(float(x.shape[1])), "5 in the constant"),
    "last": (lambda m, x: x[:, x.shape[1] - 1], "its 4 (`index`)"),
    "half": (lambda m, x: x[:, : x.shape[1] // 2], "its 2 (`end`)"),
    "steps": (lambda m, x: torch.stack([x[:, t] for t in range(x.shape[1])], 1), "aten::select.int"),
    "rows": (lambda m, x: sum(x.unbind(1)), "how many tensors"),
    "chunks": (lambda m, x: x.chunk(2, 1)[0], "how many tensors"),
    "padding": (lambda m, x: F.pad(x, [0, 0, 0, -x.shape[1] % 8]), "its 3 (`pad`)"),
    "pool": (lambda m, x: F.avg_pool1d(x.transpose(1, 2), x.shape[1]), "aten::avg_pool1d"),
    "parameter": (lambda m, x: x + m.five, "would be fixed at 5"),
    "mixer": (lambda m, x: m.mixed(x.transpose(1, 2)), "would be fixed at 5"),
    "number": (lambda m, x: (x * 2, x.shape[1]), "output 'output_1'"),
}


def save(stem, net, x, axis, text):
    program = torch.export.export(net, (x,), dynamic_shapes=({axis: BATCH},) if axis is not None else None)
    torch.export.save(program, stem + ".pt2")
    with open(stem + ".input", "w", encoding="ascii") as file:
        file.write(text)


def save_refused(stem, function, x, axis, text, reason):
    save(stem, Of(function).eval(), x, axis, text)
    with open(stem + ".refused", "w", encoding="ascii") as file:
        file.write(reason)


def save_runs(stem, net, example):
    for number, length in enumerate(LENGTHS):
        x = example(length)
        outputs = net(x)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        os.makedirs(f"{stem}.{number}")
        write_tensors(f"{stem}.{number}", "input", [("x", x)])
        write_tensors(f"{stem}.{number}", "output", [(f"y{i}", y) for i, y in enumerate(outputs)])


def main(name, outdir):
    del name
    torch.manual_seed(0)
    torch.set_num_threads(1)
    os.makedirs(outdir, exist_ok=True)
    with torch.no_grad():
        for model, (net, first) in FREE.items():
            stem = os.path.join(outdir, model)
            example = lambda n, batch=2, first=first: torch.randn(*((n, batch) if first else (batch, n)), 6)
            text = "x=f32[time,batch,6]" if first else "x=f32[batch,time,6]"
            save(stem, net.eval(), example(5, 3), 1 if first else 0, text)
            save_runs(stem, net, example)
        stem = os.path.join(outdir, "images")
        net = Images().eval()
        save(stem, net, torch.randn(2, 3, 64, 48), None, "x=f32[2,3,height,width]")
        save_runs(stem, net, lambda n: torch.randn(2, 3, n + 20, 2 * n + 7))
        for model, function in SQUARE_FREE.items():
            stem = os.path.join(outdir, model)
            net = Of(function).eval()
            save(stem, net, torch.randn(6, 6), None, "x=f32[batch,6]")
            save_runs(stem, net, lambda n: torch.randn(n, 6))
        for model, (function, text) in REFUSED.items():
            save_refused(os.path.join(outdir, model), function, torch.randn(3, 5, 6), 0, "x=f32[batch,time,6]", text)
        for model, (function, text) in SQUARE_REFUSED.items():
            save_refused(os.path.join(outdir, model), function, torch.randn(6, 6), None, "x=f32[batch,6]", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
