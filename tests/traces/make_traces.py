"""Makes the fixture of traces_test: `make_traces.py NAME OUTDIR`.

OUTDIR gets a folder for each case, with

    0.pt, 1.pt ...   traces of one model at several sizes
    flags            more words of the command line
    remarks          texts that its remarks must have in them, one a line
    refused          instead: the exit status, then texts that the message must have in it
    run0, run1 ...   input_I.pb and output_J.pb: what eager PyTorch says at sizes of none of the traces

and folders random0, random1 ... of random programs.
"""

import os
import random
import sys
import warnings

if __name__ == "__main__" and "MAKE_TRACES_PLAIN" not in globals():
    # Stack traces go into the archive. Under an absolute path, the fixtures would differ from sandbox to sandbox.
    path = os.path.relpath(__file__)
    with open(path, encoding="utf-8") as source:
        code = compile(source.read(), path, "exec")
    exec(code, {"__name__": "__main__", "__file__": path, "MAKE_TRACES_PLAIN": True})
    sys.exit(0)

import torch
from torch import nn

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), os.pardir, "models", "make")]
import unrolled  # noqa: E402
from writing import write_tensors  # noqa: E402

CASES = []


def case(*traced, runs=(), flags=(), remarks=(), refused=(), **trace_options):
    """`traced`: the sizes of each trace, arguments of the class's `inputs`; `runs`: those of the data."""

    def add(make):
        CASES.append((make, traced, runs, flags, remarks, refused, trace_options))
        return make

    return add


class Rows(nn.Module):
    """x: f32[batch, seq, 16]"""

    @staticmethod
    def inputs(batch, seq):
        return (torch.randn(batch, seq, 16),)


NAMED = ["--input", "x=f32[batch,seq,16]"]


# ---- what is right


@case((2, 10), (3, 14), runs=[(1, 7), (5, 33)], flags=NAMED, remarks=["numbers that were 10, 14 in the traces are seq"])
class Positions(Rows):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(64, 16))

    def forward(self, x):
        length = int(x.shape[1])
        return x + self.table[:length] + torch.arange(length)[:, None]


@case((2, 10), (3, 14), runs=[(1, 7), (5, 33)], remarks=["axis 1 of input 'x' (10, 14 in the traces) is free and called"])
class Heads(Rows):
    """Products with numbers, names that nobody gave."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(16, 16)

    def forward(self, x):
        batch, seq = int(x.shape[0]), int(x.shape[1])
        heads = self.mix(x).view(batch, seq, 4, 4).transpose(1, 2).reshape(batch * 4, seq, 4)
        scores = torch.bmm(heads, heads.transpose(1, 2)).softmax(-1)
        out = torch.bmm(scores, heads).view(batch, 4, seq, 4).transpose(1, 2)
        return out.reshape(batch, seq * 16), out.reshape(batch * seq, 16)


@case((2, 11, 9), (3, 16, 24), runs=[(1, 8, 7), (4, 21, 30)], flags=["--input", "x=f32[batch,3,height,width]"])
class Pictures(nn.Module):
    """Sizes of what operators gave."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)

    def forward(self, x):
        y = self.conv(x)
        height, width = int(y.shape[2]), int(y.shape[3])
        rows = y.reshape(int(x.shape[0]), 4, height * width).transpose(1, 2)
        grid = torch.arange(height)[:, None] + torch.arange(width)[None]
        up = nn.functional.interpolate(y, size=(int(x.shape[2]), int(x.shape[3])), mode="nearest")
        return rows * 2, y + grid, up

    @staticmethod
    def inputs(batch, height, width):
        return (torch.randn(batch, 3, height, width),)


@case((2, 5, 8), (3, 7, 13), runs=[(1, 4, 6), (4, 12, 9)], remarks=["called `new_axis0`, like another axis"])
class Cache(nn.Module):
    """Inputs in a tuple; a sum of two axes."""

    def forward(self, new, past):
        keys = torch.cat([past[0], new], 1)
        total = len(past[0][0]) + len(new[0])
        mask = torch.ones(len(new[0]), total).tril(len(past[0][0]))
        return (new @ keys.transpose(1, 2)) * mask, keys + past[1].sum() + torch.zeros(total, 1)

    @staticmethod
    def inputs(batch, new, past):
        return torch.randn(batch, new, 4), (torch.randn(batch, past, 4), torch.randn(batch, past, 4))


@case((2, 10), (3, 14), (5, 21), runs=[(1, 6), (4, 30)], flags=NAMED)
class AllButOne(Rows):
    def forward(self, x):
        length = int(x.shape[1])
        return x[:, : length - 1] * 2, torch.arange(length - 1)


@case((2, 10), (3, 14), (5, 21), (4, 9), runs=[(1, 6), (6, 31)], flags=NAMED)
class Half(Rows):
    def forward(self, x):
        return x[:, : int(x.shape[1]) // 2] * 2


@case((2, 10), (3, 14), runs=[(1, 6), (6, 31)], flags=NAMED)
class NothingBurntIn(Rows):
    """A constant index that was the last one in the first trace is no loop."""

    def forward(self, x):
        return x.reshape(x.shape[0], -1), x[:, 9:].sum(1)


@case(
    (2, 10),
    (3, 14),
    runs=[(1, 6), (6, 31)],
    flags=NAMED + ["--sizes", "batch=2,seq=10", "--sizes", "batch=3,seq=14"],
    _store_inputs=False,
)
class SizesAreSaid(Rows):
    def forward(self, x):
        return x.view(int(x.shape[0]), int(x.shape[1]) * 16)


@torch.jit.script
def halves(x):
    if x.size(1) > 11:
        x = x * 2
    for i in range(x.size(1)):
        x = x + x[:, i : i + 1] * 0.1
    return x


@case((2, 10), (3, 14), runs=[(1, 6), (6, 31)], flags=NAMED)
class ScriptedParts(Rows):
    """A branch and a loop on a size, in a scripted function: they stay."""

    def forward(self, x):
        return halves(x).view(int(x.shape[0]) * int(x.shape[1]), 16)


# ---- what is refused


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "other things at other sizes", "make_traces.py", "seq=14"])
class Loop(Rows):
    def forward(self, x):
        return sum(x[:, i] for i in range(x.shape[1]))


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "other things at other sizes", "torch.exp", "torch.tanh", "seq=10"])
class Branch(Rows):
    def forward(self, x):
        return x.exp() if x.shape[1] > 12 else x.tanh()


@case((2, 10), (4, 20), flags=NAMED, refused=[1, "5*batch", "seq", "another trace", "torch.slice", "make_traces.py", "20 in"])
class Proportional(Rows):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(64, 16))

    def forward(self, x):
        return x + self.table[: int(x.shape[1])]


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "[E0112] ", "no simple expression", "5 in", "7 in", "seq=14", "torch.slice", "another trace"])
class HalfOfTwo(Half):
    pass


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "no simple expression", "another trace"])
class AllButOneOfTwo(AllButOne):
    pass


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "'table' is not the same"])
class OtherWeights(Rows):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(16))

    def forward(self, x):
        return x + self.table

    def between(self):
        with torch.no_grad():
            self.table.add_(1)


@case((2, 10), (3, 14), flags=NAMED, refused=[1, "a constant tensor of torch.mul", "make_traces.py"])
class OtherConstants(Rows):
    def forward(self, x):
        return x * float(len(x[0]))


@case((2, 10), (2, 14), flags=NAMED, refused=[2, "`batch` is 2 in every trace"])
class OneSize(Rows):
    def forward(self, x):
        return x + 1


@case((2, 10), (2, 10), refused=[2, "traced with the same sizes"])
class SameSizes(OneSize):
    pass


@case((2, 10), (3, 14), flags=["--input", "x=f32[batch,10,16]"], refused=[2, "axis 1 of input 'x'", "10, 14", "give it a name"])
class SaidNumber(OneSize):
    pass


@case((2, 10), (3, 14), flags=NAMED, refused=[2, "no recorded inputs", "(--sizes): batch=8"], _store_inputs=False)
class SizesNotSaid(OneSize):
    pass


# ---- random programs whose sizes are Python's numbers: right, or refused


class Random(nn.Module):
    def __init__(self, seed):
        super().__init__()
        self.seed = seed

    def forward(self, x, y):
        rng = random.Random(self.seed)
        pool = [x * 1, y * 1]
        for _ in range(rng.randint(3, 8)):
            pool.append(self.step(rng, rng.choice(pool), rng.choice(pool)))
        return tuple(t * 1 for t in pool[-3:])

    def step(self, rng, t, other):
        kind, number, pick = rng.randrange(20), rng.randint(1, 3), rng.randrange(60)
        if not 0 < t.dim() <= 4:
            return t.reshape([-1])
        sizes = [int(size) for size in t.shape]
        axis = pick % t.dim()
        size = sizes[axis]
        count = 1
        for factor in sizes:
            count *= factor
        return [
            lambda: t.tanh(),
            lambda: t.transpose(0, axis),
            lambda: t.reshape(sizes[0], count // sizes[0]),
            lambda: t.contiguous().view(count),
            lambda: t.narrow(axis, 0, size // 2),
            lambda: t.narrow(axis, size // 2, size - size // 2),
            lambda: torch.cat([t, t * number], axis),
            lambda: t - t.mean(axis, keepdim=True),
            lambda: t + torch.arange(sizes[-1]),
            lambda: t + torch.arange(sizes[-1] + number)[number:],
            lambda: torch.zeros(size + number, sizes[-1]).narrow(0, 0, size) + t.amax(),
            lambda: t.index_select(axis, torch.arange(size // 2) * 2),
            lambda: t.unsqueeze(axis),
            lambda: nn.functional.pad(t, (number, size % 3), value=0.5),
            lambda: t.reshape(count // sizes[0], sizes[0]),
            lambda: torch.stack([t, t.flip(axis)], axis).reshape(2 * count),
            lambda: torch.full((size, 2 * size - 1), 0.5).sum(0) * t.sum(),
            lambda: t.select(axis, size - 1),
            lambda: t.expand(*([number] + sizes)),
            lambda: t.sum() + other,
        ][kind]()

    @staticmethod
    def inputs(a, b):
        return torch.randn(a, b, 6), torch.randn(b, a)


RANDOM_TRACES = [(4, 7), (7, 12), (9, 10), (5, 17), (12, 6), (14, 19)]
RANDOM_RUNS = [(2, 3), (5, 5), (8, 21)]


def write(make, traced, runs, flags, remarks, refused, trace_options, folder):
    os.makedirs(folder)
    torch.manual_seed(0)
    net = make().eval()
    with torch.no_grad():
        for i, sizes in enumerate(traced):
            if i > 0 and hasattr(net, "between"):
                net.between()
            saved = getattr(net, "save", torch.jit.trace)(net, net.inputs(*sizes), **trace_options)
            if isinstance(saved, bytes):
                with open(f"{folder}/{i}.pt", "wb") as file:
                    file.write(saved)
            else:
                torch.jit.save(saved, f"{folder}/{i}.pt")
        for i, sizes in enumerate(runs):
            args = net.inputs(*sizes)
            outputs = net(*args)
            run = f"{folder}/run{i}"
            os.makedirs(run)
            leaves = torch.utils._pytree.tree_leaves
            write_tensors(run, "input", [(f"input_{k}", t) for k, t in enumerate(leaves(args))])
            write_tensors(run, "output", [(f"output_{k}", t) for k, t in enumerate(leaves(outputs))])
    for name, lines in ("flags", flags), ("remarks", remarks), ("refused", refused):
        if lines:
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write("".join(f"{line}\n" for line in lines))


def main(_, outdir):
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for make, *rest in [*CASES, *unrolled.CASES]:
        write(make, *rest, os.path.join(outdir, make.__name__))
    flags = ["--input", "x=f32[a,b,6]", "--input", "y=f32[b,a]"]
    for seed in range(60):
        folder = os.path.join(outdir, f"random{seed}")
        write(lambda seed=seed: Random(seed), RANDOM_TRACES[: 2 + seed % 5], RANDOM_RUNS, flags, (), (), {}, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
