"""Compositions of the entries of spec/aten: the calls that their `tests:` lines state, with other flags and numbers,
made of the results of earlier calls; some with free axes.
"""

import re

import torch

import spec_tests
from kinds.watch import meets
from tree import Program, Stmt

LETTERS = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
           "uint8": "u8", "bool": "bool"}  # fmt: skip
OTHER_SIZES = {2: 3, 3: 5, 4: 6, 5: 4, 6: 2}
LARGEST = 2000  # elements
# Which of equal elements they mean is open.
ORDER_OF_EQUALS = re.compile(r"sort|topk|kthvalue|median|mode|unique")
# Their results for a nearly singular matrix are undefined, and so are results of some others.
DECOMPOSES = re.compile(r"linalg|svd|eig|qr|lu_|cholesky|inverse|pinv|lstsq|solve|det\b|matrix_exp|matrix_power|ldl")
# Operators that check little of what they are given, most as only PyTorch itself calls them.
UNCHECKED = re.compile(
    r"aten\._|backward|unpool|native_|embedding|renorm|grid_sampler|batch_norm|lstm|gru|rnn|take_along_dim|segment_reduce"
)


def contents(random, spec, shape):
    count = 1
    for size in shape:
        count *= size
    dtype = getattr(torch, spec.dtype)
    if spec.dtype == "bool":
        values = [random.random() < 0.5 for _ in range(count)]
    elif dtype.is_floating_point:
        low, high = (-2.0, 2.0) if spec.low is None else (spec.low, spec.high)
        values = [random.uniform(low, high) for _ in range(count)]
    else:
        least = 0 if spec.dtype == "uint8" else -9
        low, high = (least, 9) if spec.low is None else (int(spec.low), int(spec.high))
        values = [random.randint(low, high) for _ in range(count)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


def has_no_meaning(op, made):
    """Calls that PyTorch takes, and does not mean what it gives."""
    # Edges of bins must rise, and strides be those of the tensor.
    if op in ("histogram.bins_tensor", "_histogramdd_from_bin_tensors") or op.startswith("_reshape_alias"):
        return True
    # Each row is the first one, where a picture of five channels and more becomes one element wide.
    return op.startswith("upsample") and made[0].dtype == torch.uint8 and made[0].shape[-1] == 1


def is_not_finite(values):
    return any(v.is_floating_point() and not v.isfinite().all() for v in values if isinstance(v, torch.Tensor))


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


class Maker:
    def __init__(self, random, door):
        self.random = random
        self.door = door
        self.env = {}  # every tensor
        self.inputs = {}  # name -> what its contents are
        self.results = []
        self.count = 0
        self.unchecked = False  # the call at hand
        self.alone = False  # likewise

    def pick(self, options):
        return self.random.choice(options)

    def tensor(self, spec):
        """An earlier tensor that fits, or a new input. `new` has inputs that only this call needs."""
        kept = spec.contents is not None
        dtype = getattr(torch, spec.dtype)
        finite = {name: v for name, v in self.env.items() if v.dtype == dtype and not is_not_finite([v])}
        fits = [name for name, v in finite.items() if tuple(v.shape) == spec.shape]
        ranks = [name for name, v in finite.items() if v.dim() == len(spec.shape)]
        kept = kept or self.alone
        if not kept and fits and self.random.randrange(4):
            name = self.pick(fits)
        elif not kept and ranks and not self.unchecked and self.random.randrange(6) == 0:
            name = self.pick(ranks)
        else:
            name = f"x{len(self.inputs) + len(self.new)}"
            self.new[name] = spec
            return name
        bounded = spec.low is not None and spec.dtype != "bool"
        if not bounded:
            return name
        ends = (spec.low, spec.high) if dtype.is_floating_point else (int(spec.low), int(spec.high))
        return f"{name}.clamp({ends[0]}, {ends[1]})"

    def changed(self, text):
        """Other flags and numbers, now and then; PyTorch says whether it takes them."""

        def other(match):
            word = match.group(0)
            if self.random.randrange(5):
                return word
            if word in ("True", "False"):
                return "False" if word == "True" else "True"
            if "." in word or "e" in word:
                return self.pick([word, "0.5", "-1.5", "2.0", "1e-3"])
            return str(max(-9, min(9, int(word) + self.pick([-1, 1]))))

        return re.sub(r"(?<![\w.'\"{])(True|False|-?\d+(?:\.\d*)?(?:e-?\d+)?)(?![\w.'\"}])", other, text)

    def call(self):
        """Statements of one call; None where PyTorch refuses it, or where its results are no plain tensors."""
        line = self.pick(spec_tests.lines())
        op, self.new = self.pick(line.names), {}
        self.unchecked = bool(UNCHECKED.search(f"aten.{op}"))
        self.alone = bool(DECOMPOSES.search(op))
        text = line.text if self.unchecked or self.alone else self.changed(line.text)
        name = op.split(".")[0] if self.door == "script" else op  # TorchScript picks the overload
        text = f"torch.ops.aten.{name}" + text.format(*(self.tensor(spec) for spec in line.tensors))
        scope = {**self.env, **{name: self.fresh(spec, spec.shape) for name, spec in self.new.items()}}
        twice = [leaves(eval(text, {"torch": torch}, {n: v.clone() for n, v in scope.items()})) for _ in range(2)]
        made = twice[0]
        if ORDER_OF_EQUALS.search(op) and any(not v.is_floating_point() for v in scope.values()):
            return None
        if not made or not all(isinstance(v, torch.Tensor) for v in made):
            return None
        if any(v.is_complex() or v.numel() >= LARGEST for v in made):
            return None
        if any(str(v.dtype).removeprefix("torch.") not in LETTERS for v in made):
            return None
        if not all(torch.equal(torch.nan_to_num(a), torch.nan_to_num(b)) for a, b in zip(*twice)):
            return None  # random
        if has_no_meaning(op, made):
            return None
        if self.door == "static" and not self.stated_truly(text, scope, made):
            return None
        self.inputs.update(self.new)
        self.env = scope
        return self.named(text, made)

    def stated_truly(self, text, scope, made):
        """Returns whether torch.export will state the right dtypes and shapes of the results; for some losses it does
        not."""
        stated = leaves(eval(text, {"torch": torch}, {n: v.to("meta") for n, v in scope.items()}))
        return [(v.dtype, v.shape) for v in stated] == [(v.dtype, v.shape) for v in made]

    def named(self, text, made):
        self.count += 1
        name = f"v{self.count}"
        if len(made) == 1 and not text.startswith("torch.ops.aten.split"):
            names, stmts = [name], [Stmt(f"{name} = {text}")]
            if isinstance(eval(text, {"torch": torch}, dict(self.env)), (list, tuple)):
                stmts = [Stmt(f"{name} = {text}[0]")]
        else:
            names = [f"{name}_{i}" for i in range(min(len(made), 3))]
            stmts = [Stmt(f"{name} = {text}")] + [Stmt(f"{one} = {name}[{i}]") for i, one in enumerate(names)]
        self.env.update(zip(names, made))
        self.results += names
        return stmts

    def fresh(self, spec, shape):
        if spec.contents is not None and tuple(shape) == spec.shape:
            values = eval(spec.contents, {"inf": float("inf"), "nan": float("nan")})
            return torch.tensor(values, dtype=getattr(torch, spec.dtype)).reshape(shape)
        return contents(self.random, spec, shape)

    def run(self, sizes):
        """Arguments with those sizes in the place of others."""
        return tuple(self.fresh(spec, [sizes.get(size, size) for size in spec.shape]) for spec in self.inputs.values())


def make(random):
    door = random.choice(("script", "script", "trace", "trace", "trace", "static"))
    maker = Maker(random, door)
    body, wanted = [], random.randint(2, 4)
    for _ in range(40):
        try:
            body += maker.call() or []
        except Exception:  # whatever PyTorch says of it
            continue
        if maker.count >= wanted:
            break
    body.append(Stmt(f"return ({', '.join(maker.results)},)"))
    unchecked = any(UNCHECKED.search(stmt.text) for stmt in body)
    stated = any(spec.contents is not None for spec in maker.inputs.values())
    free = door != "static" and not unchecked and not stated and random.randrange(3) == 0
    runs = [maker.run({}), maker.run({})] + ([maker.run(OTHER_SIZES)] if free else [])
    texts = []
    for name, spec in maker.inputs.items():
        sizes = ",".join(f"n{size}" if free and size in OTHER_SIZES else str(size) for size in spec.shape)
        texts.append(f"{name}={LETTERS[spec.dtype]}[{sizes}]")
    params = tuple(f"{name}: Tensor" if door == "script" else name for name in maker.inputs)
    program = Program("entries", params, body, tuple(texts), runs, door, tolerance=1e-3, signs=False)
    # The sum of infinities is undefined.
    if stated:
        return program
    return program.with_runs([args for args in runs if not meets(program.source(), args, is_not_finite)])
