"""Dtypes and values at their ends: promotion, casts, comparisons, reductions, sorting, bits; NaN, infinities, -0.0,
halves, the ends of the integers, subnormal numbers, empty and 0-d tensors. Exact results are compared by bits.
"""

import torch

from tree import Program, Stmt

NAMES = {"bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}  # fmt: skip
DTYPES = {name: getattr(torch, name) for name in NAMES}
SHAPES = ((2, 3), (2, 3), (2, 3), (3,), (1, 3), (2, 1), (1,), (), (0,), (2, 0), (0, 3))
FLOATS = ("nan", "inf", "-inf", "-0.0", "0.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "-3.5", "1.0", "-1.0", "3.0",
          "-7.0", "127.5", "1e-3", "0.1", "100.0", "-128.0", "255.0")  # fmt: skip
NUMBERS = ("True", "0", "1", "-1", "2", "3", "-2", "7", "0.5", "-0.0", "-1.5", "2.0", "float('inf')", "float('nan')",
           "127", "100")
INTS, FLOATING, BOOL = "i", "f", "b"
ANY, NUMERIC = "ifb", "if"

# Form, kinds of dtype it is made of, whether its result is exact. {a} is the first tensor, {b} is another of any dtype,
# {s} has the dtype of {a}, and {m} is a mask. {n} and {c} are numbers, {d} is an axis, {k} is a bool, and {t} is a
# dtype that {a} can become.
# The sign of a NaN is open.
# OPEN: PyTorch's kernels give either zero as the larger of 0.0 and -0.0. Its softshrink of -0.0 is 0.0 in a block of
# 64 bytes and -0.0 behind the last whole block. ONNX Runtime's Where makes 0.0 of a chosen -0.0.
EXACT, NEAR, OPEN = "exact", "near", "open"
ARITHMETIC = (
    ("{a} + {b}", ANY, EXACT), ("{a} - {b}", NUMERIC, EXACT), ("{a} * {b}", ANY, EXACT), ("{a} / {b}", ANY, EXACT),
    ("{a} + {n}", ANY, EXACT), ("{n} - {a}", NUMERIC, EXACT), ("{a} * {n}", ANY, EXACT), ("{a} / {n}", ANY, EXACT),
    ("{n} / {a}", ANY, NEAR), ("{a} - {n}", NUMERIC, EXACT), ("torch.add({a}, {s}, alpha=2)", NUMERIC, NEAR),
    ("torch.sub({a}, {s}, alpha=3)", NUMERIC, NEAR), ("torch.rsub({a}, {s})", NUMERIC, EXACT),
    ("-{a}", NUMERIC, EXACT), ("torch.abs({a})", NUMERIC, EXACT), ("torch.square({a})", NUMERIC, EXACT),
    ("torch.reciprocal({a})", ANY, EXACT), ("torch.positive({a})", NUMERIC, EXACT),
    ("torch.addcmul({a}, {s}, {s}, value=2)", NUMERIC, NEAR), ("torch.addcdiv({a}, {s}, {s})", FLOATING, NEAR),
    ("torch.lerp({a}, {s}, 0.25)", FLOATING, NEAR), ("torch.true_divide({a}, {b})", ANY, EXACT),
)  # fmt: skip
# Never 0 and never -1, which end a process with the least integer.
DIVISION = (
    ("torch.div({a}, {q}, rounding_mode='trunc')", NUMERIC, EXACT), ("torch.fmod({a}, {q})", NUMERIC, EXACT),
    ("torch.div({a}, {q}, rounding_mode='floor')", NUMERIC, EXACT), ("torch.remainder({a}, {q})", NUMERIC, EXACT),
    ("{a} // {q}", NUMERIC, EXACT), ("{a} % {q}", NUMERIC, EXACT), ("torch.floor_divide({a}, {q})", NUMERIC, EXACT),
    ("torch.div({a}, {f}, rounding_mode='floor')", FLOATING, EXACT), ("torch.remainder({a}, {f})", FLOATING, EXACT),
    ("torch.fmod({a}, {f})", FLOATING, EXACT), ("torch.div({a}, {f}, rounding_mode='trunc')", FLOATING, EXACT),
    ("torch.gcd({a}, {s})", INTS, EXACT),
)  # fmt: skip
BITS = (
    ("{a} << {h}", INTS, EXACT), ("{a} >> {h}", INTS, EXACT), ("{a} & {w}", "ib", EXACT), ("{a} | {w}", "ib", EXACT),
    ("{a} ^ {w}", "ib", EXACT), ("~{a}", "ib", EXACT), ("torch.bitwise_and({a}, 12)", INTS, EXACT),
    ("torch.bitwise_left_shift({a}, 1)", INTS, EXACT), ("torch.bitwise_right_shift({a}, 2)", INTS, EXACT),
    ("torch.logical_and({a}, {b})", ANY, EXACT), ("torch.logical_or({a}, {b})", ANY, EXACT),
    ("torch.logical_xor({a}, {b})", ANY, EXACT), ("torch.logical_not({a})", ANY, EXACT),
)  # fmt: skip
COMPARISONS = (
    *((f"{{a}} {op} {{{other}}}", ANY, EXACT) for op in ("<", "<=", ">", ">=", "==", "!=") for other in "bc"),
    ("torch.isnan({a})", ANY, EXACT), ("torch.isinf({a})", ANY, EXACT), ("torch.isfinite({a})", ANY, EXACT),
    ("torch.isposinf({a})", ANY, EXACT), ("torch.isneginf({a})", ANY, EXACT),
    ("torch.signbit(torch.nan_to_num({a}))", ANY, EXACT),
    ("torch.isclose({a}, {s})", ANY, EXACT), ("torch.isclose({a}, {s}, equal_nan=True)", FLOATING, EXACT),
    ("torch.sign({a})", ANY, EXACT), ("torch.sgn({a})", NUMERIC, EXACT),
    ("torch.copysign({a}, torch.nan_to_num({b}))", NUMERIC, EXACT),
    ("torch.copysign({a}, -1.0)", NUMERIC, EXACT), ("torch.heaviside({a}, {s})", NUMERIC, OPEN),
    ("torch.where({m}, {a}, {b})", ANY, OPEN), ("torch.where({m}, {a}, {n})", ANY, OPEN),
    ("torch.where({a} > 0, {n}, {a})", NUMERIC, OPEN), ("{a}.masked_fill({m}, 1)", ANY, EXACT),
    ("torch.isin({a}, {s})", NUMERIC, EXACT), ("torch.equal({a}, {s})", ANY, EXACT),
)  # fmt: skip
BOUNDS = (
    ("torch.maximum({a}, {b})", ANY, OPEN), ("torch.minimum({a}, {b})", ANY, OPEN), ("torch.fmax({a}, {b})", ANY, OPEN),
    ("torch.fmin({a}, {b})", ANY, OPEN), ("torch.clamp({a}, min=-1, max=2)", NUMERIC, EXACT),
    ("torch.clamp({a}, min=0.5)", NUMERIC, EXACT), ("torch.clamp({a}, max=1)", NUMERIC, EXACT),
    ("torch.clamp({a}, min=3, max=1)", NUMERIC, EXACT), ("torch.clamp({a}, min={s})", NUMERIC, OPEN),
    ("torch.clamp({a}, min={s}, max={s})", NUMERIC, OPEN),
    ("torch.clamp({a}, min=float('nan'), max=1.0)", FLOATING, EXACT), ("torch.nan_to_num({a})", ANY, EXACT),
    ("torch.nan_to_num({a}, nan=1.5, posinf=2.0)", NUMERIC, EXACT), ("torch.relu({a})", NUMERIC, OPEN),
    ("torch.nn.functional.relu6({a})", NUMERIC, EXACT),
    ("torch.nn.functional.hardtanh({a}, -1.0, 2.0)", NUMERIC, EXACT), ("torch.threshold({a}, 1, 2)", NUMERIC, EXACT),
    ("torch.nn.functional.leaky_relu({a}, 0.5)", FLOATING, EXACT),
    ("torch.nn.functional.hardshrink({a})", FLOATING, EXACT), ("torch.nn.functional.softshrink({a})", FLOATING, OPEN),
)  # fmt: skip
ROUNDING = (
    ("torch.floor({a})", NUMERIC, EXACT), ("torch.ceil({a})", NUMERIC, EXACT), ("torch.round({a})", NUMERIC, EXACT),
    ("torch.trunc({a})", NUMERIC, EXACT), ("torch.frac({a})", FLOATING, EXACT),
    ("torch.round({a}, decimals=1)", FLOATING, NEAR), ("torch.round({a}, decimals=-1)", FLOATING, NEAR),
    ("{a}.to({t})", ANY, EXACT), ("{a}.to({t})", ANY, EXACT), ("{a}.type_as({b2})", ANY, EXACT),
    ("torch.nan_to_num({a}, 1.5, 9., -9.).clamp(-100, 100).to(torch.int8)", FLOATING, EXACT),
    ("torch.nan_to_num({a}, 1.5, 9., 2.).clamp(0, 200).to(torch.uint8)", FLOATING, EXACT),
    ("torch.nan_to_num({a}, 1.5, 9., 2.).clamp(-1000, 1000).long()", FLOATING, EXACT),
    ("torch.ldexp({a}, torch.tensor(3))", FLOATING, EXACT),
)  # fmt: skip
REDUCTIONS = (
    ("{a}.sum()", ANY, NEAR), ("{a}.sum({d}, keepdim={k})", ANY, NEAR), ("{a}.sum({d}, dtype={r})", ANY, NEAR),
    ("{a}.prod()", ANY, NEAR), ("{a}.prod({d}, keepdim={k})", ANY, NEAR),
    ("{a}.mean({d}, keepdim={k})", FLOATING, NEAR), ("{a}.mean(dtype=torch.float32)", ANY, NEAR),
    ("{a}.amax({d}, keepdim={k})", ANY, OPEN), ("{a}.amin({d}, keepdim={k})", ANY, OPEN), ("{a}.max()", ANY, OPEN),
    ("{a}.min()", ANY, OPEN), ("{a}.max({d}, keepdim={k})[0]", ANY, OPEN), ("{a}.min({d})[1]", ANY, EXACT),
    ("{a}.max({d})[1]", ANY, EXACT), ("{a}.argmax()", NUMERIC, EXACT), ("{a}.argmax({d}, keepdim={k})", NUMERIC, EXACT),
    ("{a}.argmin({d})", NUMERIC, EXACT), ("{a}.any()", ANY, EXACT), ("{a}.all()", ANY, EXACT),
    ("{a}.any({d}, keepdim={k})", ANY, EXACT), ("{a}.all({d})", ANY, EXACT), ("torch.count_nonzero({a})", ANY, EXACT),
    ("torch.count_nonzero({a}, {d})", ANY, EXACT), ("torch.nansum({a}, {d})", NUMERIC, NEAR),
    ("torch.aminmax({a})[1]", ANY, OPEN), ("{a}.std({d})", FLOATING, NEAR),
    ("{a}.var({d}, keepdim={k})", FLOATING, NEAR), ("torch.logsumexp({a}, {d})", FLOATING, NEAR),
    ("{a}.norm()", FLOATING, NEAR), ("torch.nanmedian({a})", NUMERIC, OPEN), ("{a}.median()", NUMERIC, OPEN),
)  # fmt: skip
ORDER = (
    ("{a}.cumsum({d})", ANY, NEAR), ("{a}.cumsum({d}, dtype={r})", ANY, NEAR), ("{a}.cumprod({d})", ANY, NEAR),
    ("{a}.cummax({d})[0]", ANY, OPEN), ("{a}.cummin({d})[0]", ANY, OPEN), ("{a}.cummax({d})[1]", ANY, EXACT),
    ("torch.sort({a}, stable=True, dim={d})[0]", ANY, EXACT), ("torch.sort({a}, stable=True, dim={d})[1]", ANY, EXACT),
    ("torch.sort({a}, dim={d}, stable=True, descending=True)[1]", ANY, EXACT),
    ("torch.sort({a}, dim={d}, descending=True)[0]", ANY, OPEN), ("torch.topk({a}, 1, dim={d})[0]", NUMERIC, OPEN),
    ("torch.topk({a}, 2, dim={d}, largest=False)[0]", NUMERIC, OPEN), ("torch.kthvalue({a}, 1, {d})[0]", NUMERIC, OPEN),
    ("torch.diff({a}, dim={d})", ANY, EXACT), ("{a}.flip({d})", ANY, EXACT),
    ("torch.logcumsumexp({a}, {d})", FLOATING, NEAR), ("{a}.nonzero()", ANY, EXACT),
    ("torch.cat([{a}, {b}])", ANY, EXACT), ("torch.stack([{a}, {s}])", ANY, EXACT), ("torch.tril({a})", ANY, OPEN),
    ("torch.bucketize({a}, torch.tensor([0., 1., 2.]))", NUMERIC, EXACT),
)  # fmt: skip
FUNCTIONS = (
    ("torch.softmax({a}, {d})", FLOATING, NEAR), ("torch.log_softmax({a}, {d})", FLOATING, NEAR),
    ("torch.softmax({a}, {d}, dtype=torch.float32)", NUMERIC, NEAR), ("{a} ** 2", NUMERIC, NEAR),
    ("{a} ** 0.5", NUMERIC, NEAR), ("torch.pow({a}, 3)", NUMERIC, NEAR), ("torch.pow({a}, -1)", FLOATING, NEAR),
    ("torch.pow(2, {a})", NUMERIC, NEAR), ("torch.pow({a}, {b})", FLOATING, NEAR), ("torch.sqrt({a})", ANY, NEAR),
    ("torch.rsqrt({a})", ANY, NEAR), ("torch.exp({a})", ANY, NEAR), ("torch.log({a})", ANY, NEAR),
    ("torch.log1p({a})", ANY, NEAR), ("torch.expm1({a})", ANY, NEAR), ("torch.log2({a})", ANY, NEAR),
    ("torch.sigmoid({a})", ANY, NEAR), ("torch.tanh({a})", ANY, NEAR), ("torch.atan2({a}, {s})", ANY, NEAR),
    ("torch.hypot({a}, {s})", FLOATING, NEAR), ("torch.erf({a})", ANY, NEAR),
    ("torch.logaddexp({a}, {s})", FLOATING, NEAR), ("torch.sinh({a})", ANY, NEAR),
    ("torch.nn.functional.softplus({a})", FLOATING, NEAR), ("torch.nn.functional.gelu({a})", FLOATING, NEAR),
    ("torch.nn.functional.silu({a})", FLOATING, NEAR), ("torch.nn.functional.logsigmoid({a})", FLOATING, NEAR),
    ("torch.xlogy({a}, {s})", NUMERIC, NEAR), ("torch.nn.functional.elu({a})", FLOATING, NEAR),
    ("torch.atan({a})", ANY, NEAR), ("torch.nn.functional.hardswish({a})", FLOATING, NEAR),
    ("torch.nn.functional.hardsigmoid({a})", FLOATING, NEAR), ("torch.logit({a}, eps=0.25)", FLOATING, NEAR),
    ("torch.asinh({a})", ANY, NEAR), ("torch.exp2({a})", ANY, NEAR),
    ("torch.nn.functional.normalize({a}, dim={d})", FLOATING, NEAR), ("torch.special.xlog1py({a}, {s})", NUMERIC, NEAR),
    ("torch.floor({a}).remainder(3)", FLOATING, EXACT), ("torch.sinc({a})", FLOATING, NEAR),
)  # fmt: skip
# No other float 0 beside -0.0: LibTorch makes one constant of both.
# Statements that write to a copy of {a}.
WRITES = ("{v}.add_({n})", "{v}.mul_({b})", "{v}.sub_({n})", "{v}.div_({n})", "{v}.clamp_(0, 1)", "{v}.copy_({b2})",
          "{v}.fill_({n})", "{v}.masked_fill_({m}, 1)", "{v}.neg_()", "{v}.floor_()", "{v}.lt_({b})", "{v}.eq_({n})",
          "{v}.logical_not_()", "{v}.remainder_(3)", "{v}.floor_divide_(2)", "{v}.zero_()")  # fmt: skip
FORMS = (ARITHMETIC, DIVISION, BITS, COMPARISONS, BOUNDS, ROUNDING, REDUCTIONS, ORDER, FUNCTIONS)


def kind_of(value):
    return BOOL if value.dtype == torch.bool else FLOATING if value.dtype.is_floating_point else INTS


def tensor(random, dtype, shape, tame):
    """Contents that are special more often than not; `tame` ones have no ends, so that sums and powers stay near."""
    count = 1
    for size in shape:
        count *= size
    if dtype == torch.bool:
        values = [random.random() < 0.5 for _ in range(count)]
    elif dtype.is_floating_point:
        info = torch.finfo(dtype)
        ends = [info.max, info.min, info.tiny, -info.tiny / 4, info.eps, 1 / 3]
        special = [float(text) for text in FLOATS] + ([] if tame else ends)
        values = [random.choice(special) if random.random() < 0.7 else random.uniform(-4, 4) for _ in range(count)]
    else:
        info = torch.iinfo(dtype)
        least = 0 if info.min == 0 else -3
        special = [info.min, info.max, info.max - 1, info.min + 1, 0, 1, max(least, -1), 2, 3, 7, 100, info.max // 2]

        def value():
            return random.choice(special) if random.random() < 0.5 and not tame else random.randint(least, 5)

        values = [value() for _ in range(count)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


class Maker:
    def __init__(self, random, exact, env):
        self.random = random
        self.exact = exact
        self.env = env  # what calls are made of
        self.results = {}
        self.count = 0

    def pick(self, options):
        return self.random.choice(options)

    def of(self, wanted):
        names = [name for name, value in self.env.items() if wanted(value)]
        return self.pick(names) if names else None

    def words(self, a):
        """Words of a form, by its letters; None where nothing fits."""
        value = self.env[a]
        kind = kind_of(value)
        divisor = self.pick(["2", "3", "7", "-2", "-7", "5", "10"])
        divisor = divisor.strip("-") if value.dtype == torch.uint8 else divisor
        alike = self.of(lambda other: other.dtype == value.dtype)
        if kind == INTS and self.random.randrange(2):
            divisor = f"({alike} % 5 + 2)"
        floating = ["bool", "float16", "bfloat16", "float32", "float64"]
        targets = {BOOL: list(DTYPES), INTS: list(DTYPES), FLOATING: floating}
        return {
            "a": a,
            "b": self.of(lambda other: True),
            "b2": self.of(lambda other: kind_of(other) == kind),  # an infinity is no integer
            "s": alike,
            "w": self.of(lambda other: kind_of(other) in (INTS, BOOL)),
            "m": self.of(lambda other: other.dtype == torch.bool) or "(x > 0)",
            "n": self.pick(NUMBERS),
            "c": self.pick(NUMBERS[1:]),  # TorchScript compares no tensor with a bool
            "q": divisor,
            "f": self.of(lambda other: other.dtype.is_floating_point) if kind == FLOATING else None,
            "h": self.pick(["1", "3", str(torch.iinfo(value.dtype).bits - 1)]) if kind == INTS else None,
            "d": self.pick(["0", "-1", "1"]) if value.dim() > 1 else self.pick(["0", "-1"]),
            "k": self.pick(["True", "False"]),
            "t": "torch." + self.pick(targets[kind]),
            "r": "torch." + self.pick(["float32", "float64"] if kind == FLOATING else ["int32", "int64", "float32",
            "float64"]),
        }

    def call(self):
        form, kinds, exact = self.pick(self.pick(FORMS))
        a = self.of(lambda value: kind_of(value) in kinds)
        if a is None or exact not in (EXACT, self.exact):
            return None
        text = form.format(**self.words(a))
        made = eval(text, {"torch": torch}, dict(self.env))
        return text, made, exact

    def write(self):
        a = self.of(lambda value: True)
        name = self.name()
        text = self.pick(WRITES).format(v=name, **self.words(a))
        scope = {**self.env, name: self.env[a].clone()}
        exec(text, {"torch": torch}, scope)
        self.add(name, scope[name], EXACT)
        return [Stmt(f"{name} = {a}.clone()"), Stmt(text)]

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def statements(self):
        """One or two lines; none where PyTorch refuses what was picked."""
        try:
            if self.random.randrange(8) == 0:
                return self.write()
            made = self.call()
        except Exception:  # whatever PyTorch says of it
            return []
        if made is None or not isinstance(made[1], torch.Tensor):
            return []
        text, value, exact = made
        name = self.name()
        self.add(name, value, exact)
        return [Stmt(f"{name} = {text}")]

    def add(self, name, value, exact):
        self.results[name] = value
        # A result that is only near could flip a comparison. ONNX Runtime computes a chain of halves in float32.
        if exact == EXACT and value.dtype not in (torch.float16, torch.bfloat16):
            self.env[name] = value


def returned(name, value):
    # NumPy knows no bfloat16, and each value is a float.
    return f"{name}.float()" if value.dtype == torch.bfloat16 else name


def tolerance(env):
    """Sums of halves are taken in other orders."""
    used = {value.dtype for value in env.values()}
    return 2e-2 if torch.bfloat16 in used else 4e-3 if torch.float16 in used else 1e-4


def make(random):
    """Three tensors and three to six calls."""
    door = random.choice(("script", "script", "script", "trace", "trace", "trace", "static"))
    exact = random.choice((EXACT, EXACT, EXACT, NEAR, OPEN))
    # Not both halves: programs with bfloat16 run in the reference evaluator, which computes in halves.
    unused = random.choice(("float16", "bfloat16"))
    names = random.sample([name for name in NAMES if name != unused], 3)
    kinds = [(DTYPES[name], random.choice(SHAPES)) for name in names]
    if "bfloat16" in names:
        exact = EXACT  # what the reference evaluator computes near to PyTorch, it computes in halves
    tame = exact == NEAR or "float16" in names  # ONNX Runtime's halves do not overflow
    runs = [tuple(tensor(random, dtype, shape, tame) for dtype, shape in kinds) for _ in range(3)]
    letters = ("x", "y", "z")
    inputs, body, start = [], [], {}
    for letter, name, value in zip(letters, names, runs[0]):
        sizes = ",".join(map(str, value.shape))
        start[letter] = value
        if name == "bfloat16":
            body.append(Stmt(f"{letter} = {letter}.to(torch.bfloat16)"))
        inputs.append(f"{letter}={'f32' if name == 'bfloat16' else NAMES[name]}[{sizes}]")
    runs = [tuple(v.float() if v.dtype == torch.bfloat16 else v for v in run) for run in runs]
    maker = Maker(random, exact, dict(start))
    wanted = random.randint(3, 6)
    for _ in range(60):
        body += maker.statements()
        if maker.count >= wanted:
            break
    made = [returned(name, value) for name, value in maker.results.items()]
    body.append(Stmt(f"return ({', '.join(made)},)"))
    params = tuple(f"{letter}: Tensor" if door == "script" else letter for letter in letters)
    near = tolerance(start) if exact == NEAR or "bfloat16" in names else 0
    return Program("values", params, body, tuple(inputs), runs, door, tolerance=near, signs=exact == EXACT)
