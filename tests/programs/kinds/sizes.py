"""Sizes of free axes: arithmetic with them, and operators whose arguments, or results, have sizes given at run time."""

import dataclasses

import torch

from kinds.watch import meets
from tree import Program, Stmt, lines

INPUTS = ("x=f32[n,m]", "y=f32[n]")
USUAL = ((4, 6), (6, 8), (2, 4))  # a program runs at all of these; at the others it may raise
OTHERS = ((5, 3), (3, 7), (1, 6), (3, 1), (1, 1))  # an axis without elements is not promised
MOST = 600  # elements of a tensor

# Expressions that make a tensor of `t` and perhaps `u`. `d`: an axis of `t`; `e`: an axis of `u`, or one more of `t`;
# `a`, `b`, `c`: ints with sizes in them; `1`, `2`, `3` are themselves.
ANY_RANK = (
    "{t}.reshape(-1)", "{t}.flatten()", "{t}.reshape(-1, {c})", "{t}.reshape({c}, -1)", "{t}.reshape({a}, {b})",
    "{t}.reshape({a}, -1)", "{t}.reshape(-1, {a})", "{t}.reshape({c}, {a}, -1)", "{t}.view({t}.size({d}), -1)",
    "{t}.view(-1, {t}.size({d}))", "{t}.reshape([{t}.numel() // {c}, {c}])", "{t}.unflatten({d}, [{c}, -1])",
    "{t}.unflatten({d}, [-1, {c}])", "{t}.unflatten({d}, [{c}, {t}.size({d}) // {c}])",
    "{t}.chunk({c}, {d})[0]", "{t}.chunk({c}, {d})[-1]", "torch.tensor_split({t}, {c}, {d})[{c} - 1]",
    "torch.tensor_split({t}, [{c}, {a}], {d})[1]", "{t}.split({a}, {d})[0]", "{t}.split({c}, {d})[-1]",
    "{t}.split([{a}, {t}.size({d}) - {a}], {d})[1]", "torch.cat([{t}, {t}], {d})", "torch.cat([{t}, {u}], {d})",
    "torch.cat([{t}.narrow({d}, 0, {a}), {t}], {d})", "torch.stack([{t}, {t} * 2], {d})",
    "torch.constant_pad_nd({t}, [{c}, {a}])", "torch.constant_pad_nd({t}, [-1, {a}], 1.5)",
    "torch.constant_pad_nd({t}, [{a} - {b}, {c}])", "{t}.narrow({d}, {a}, {b})",
    "{t}.narrow({d}, 1, {t}.size({d}) - 1)", "{t}.narrow({d}, -{a}, {a})", "{t}.select({d}, {a})",
    "{t}.select({d}, -{c})", "{t}.select({d}, {t}.size({d}) // 2)", "{t}[{a}:]", "{t}[:{a}]", "{t}[-{a}:]",
    "{t}[:-{a}]", "{t}[{a}:{b}]", "{t}[{a}::2]", "{t}[{a} - {b}:]", "{t}[:{a} - {b}]", "{t}[..., {a}:]",
    "{t}[..., :-{c}]", "{t}[..., -{a}:{b}]", "{t}[..., ::{c}]", "{t}[..., {a}]", "{t}[{c}:-1]",
    "torch.slice_copy({t}, {d}, {a}, {b})", "{t}.unsqueeze({d}).repeat_interleave({c}, {d})",
    "{t}.repeat_interleave({a}, {d})", "{t}.unsqueeze(0).expand({a}, *SAME)", "{t}.unsqueeze(-1) * torch.ones([{a}])",
    "{t}.index_select({d}, torch.arange({a}))", "{t}.index_select({d}, torch.arange({t}.size({d}) - 1, -1, -1))",
    "{t}.index_select({d}, torch.arange({a}) % {t}.size({d}))", "{t}.index_select({d}, torch.arange({a}, {b}))",
    "{t}[torch.arange({t}.size(0)) // 2]", "{t}[torch.arange({a}) % {t}.size(0)]",
    "{t}.unfold({d}, {c}, 1)", "{t}.unfold({d}, 2, {c})", "{t}.unfold({d}, {a}, {b})",
    "{t}.mean({d})", "{t}.mean()", "{t}.sum({d}, keepdim=True)", "{t}.amax({d})", "{t}.argmax({d})", "{t}.cumsum({d})",
    "{t}.var({d}, unbiased=False)", "{t}.sum({d}) / {t}.size({d})", "{t}.flip([{d}])", "{t}.roll({a}, {d})",
    "{t}.roll(-{c}, {d})", "torch.softmax({t}, {d})", "{t}.topk({c}, {d})[0]", "{t}.topk({a}, {d})[0]",
    "{t}.sort({d})[0]", "torch.stack([{t}, {t}], {d}).sum({d})", "{t} * {a}", "{t} + {a} / 2", "{t} / ({a} + 1)",
    "{t} - {a} // {c}", "{t} * ({a} / {b})", "{t} + {a} % {c}", "{t} + {a} * 0.5",
    "torch.clamp({t}, min=-{c}, max={a})", "{t} + {u}", "{t} * {u}", "torch.relu({t} - {c})",
    "{t}.unsqueeze({d}) + {u}", "torch.where({t} > {a}, {t}, {u})", "{t}.movedim({d}, {e})", "{t}.transpose({d}, {e})",
    "{t}.t().contiguous().view(-1)", "{t}.new_zeros([{a}, {b}]) + {c}", "{t}.new_full([{a}], {b} / 2)",
    "{t}.unsqueeze({d}).expand_as(torch.stack([{t}, {t}, {t}], {d}))", "torch.tile({t}, [{c}, {a}])",
    "{t}.squeeze({d})", "torch.layer_norm({t}, [{t}.size(-1)])", "torch.index_fill({t}, {d}, torch.arange({a}), 2.5)",
    "torch.diff({t}, dim={d})", "torch.cumprod({t} * 0.1, {d})",
    "{t}.gather({d}, torch.zeros_like({t}).long() + {a} // 2)",
)  # fmt: skip
OF_MATRIX = (
    "torch.tril({t}, {a})", "torch.triu({t}, -{c})", "torch.tril({t})", "{t}.diagonal({c})", "{t}.diagonal(-{a})",
    "torch.diag({t}.sum(0))", "{t} @ {t}.t()", "{t}.t() @ {t}", "torch.einsum('ij,ij->i', {t}, {t})",
    "torch.einsum('ij,kj->ik', {t}, {t})", "torch.einsum('ij->ji', {t})",
    "torch.einsum('ij,k->ikj', {t}, torch.ones([{a}]))", "{t}[:, {a}:]", "{t}[:, -{a}:]", "{t}[{a}:, :-{c}]",
    "{t}[torch.arange({t}.size(0)), torch.arange({t}.size(0)) % {t}.size(1)]", "{t}[:, torch.arange({a})]",
    "{t}.masked_fill(torch.arange({t}.size(1)) < {a}, 0.5)", "{t}.repeat({a}, {c})", "{t}.repeat([{c}, 1, {a}])",
    "torch.avg_pool1d({t}, [{c}])", "torch.avg_pool1d({t}, [{c}], [1], [{c} // 2])",
    "torch.max_pool1d({t}, [2], [2], [0], [1], True)", "torch.adaptive_avg_pool1d({t}, [{c}])",
    "torch.max_pool1d({t}, [{c}])", "torch.avg_pool1d({t}, [2], [2], [0], True)",
    "torch.conv1d({t}.unsqueeze(1), torch.ones([2, 1, {c}]), None, [1], [{c} - 1])",
    "torch.conv1d({t}.unsqueeze(0), torch.ones([2, {t}.size(0), 2]))",
    "torch.conv_transpose1d({t}.unsqueeze(1), torch.ones([1, 1, 2]), None, [{c}])",
    "torch.ops.aten.upsample_nearest1d({t}.unsqueeze(1), [{a}])",
    "torch.ops.aten.upsample_nearest2d({t}.unsqueeze(0).unsqueeze(0), [{a}, {b}])",
    "torch.ops.aten.upsample_bilinear2d({t}.unsqueeze(0).unsqueeze(0), [{t}.size(0) * {c}, {a}], False)",
    "torch.ops.aten.upsample_linear1d({t}.unsqueeze(1), [{t}.size(1) * 2], True)",
    "torch.ops.aten.reflection_pad1d({t}, [{c}, 1])", "torch.ops.aten.replication_pad1d({t}, [1, {a}])",
    "torch.ops.aten.im2col({t}.unsqueeze(0).unsqueeze(0), [2, {c}], [1, 1], [0, 0], [1, 1])",
    "{t}.view(-1, {t}.size(0)).sum(1)", "{t}.expand([{c}, {t}.size(0), {t}.size(1)])",
    "{t}.unsqueeze(1).expand([{t}.size(0), {a}, {t}.size(1)])",
)  # fmt: skip
OF_NOTHING = (
    "torch.arange({a}) * 0.5", "torch.arange({a}, {b}) + 0.5", "torch.arange(0, {a}, {c}) * 1.0",
    "torch.linspace(0.0, 1.0, {a})", "torch.zeros([{a}, {b}])", "torch.full([{a}], {b} / 2)",
    "torch.ones([{c}, {a}]) * {b}", "torch.eye({a})", "torch.eye({a}, {b})", "torch.arange({a}).view(-1, {c}) * 1.0",
    "torch.full([2], {a} // {b} + 0.5)", "torch.tensor([{a}, {b}]) * 1.0",
)  # fmt: skip
WRITES = ("{t}[{a}:] = {b}.0", "{t}[..., -{c}:] += 1.0", "{t}[:{a}] *= 2.0", "{t}.narrow({d}, {a}, {b}).fill_(0.5)",
          "{t}.select({d}, {a}).zero_()", "{t}[..., {a}] = 3.0", "{t}[{a}:{b}].add_({t}.size({d}))",
          "{t}.view(-1)[{a}:].neg_()", "{t}[::{c}] = {u}[::{c}]")  # fmt: skip


class Maker:
    """Makes statements that run at all usual sizes; `envs` has the values of each."""

    def __init__(self, random, script):
        self.random = random
        self.script = script  # whether there are branches and loops
        self.count = 0
        self.envs = []
        for n, m in USUAL:
            x, y = inputs(n, m)
            self.envs.append({"torch": torch, "x": x, "y": y, "n": n, "m": m})

    def pick(self, options):
        return self.random.choice(options)

    def tensors(self):
        return [name for name, value in self.envs[0].items() if isinstance(value, torch.Tensor)]

    def int(self, depth=2):
        """Text of an int that is not negative at the usual sizes."""
        if depth == 0 or self.random.randrange(3) == 0:
            return self.pick(["n", "m", "n", "m", "1", "2", "3"])
        a, b, c = self.int(depth - 1), self.int(depth - 1), self.pick(["2", "3", "4"])
        tensor = self.pick(self.tensors())
        text = self.pick([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} // {c})", f"({a} % {c})",
                          f"(({a} + {c} - 1) // {c})", f"min({a}, {b})", f"max({a}, {b})", f"{tensor}.size(0)",
                          f"{tensor}.size(-1)", f"({a} - 1)", f"({a} + 1)", f"(-{a} // {c} + {b})", f"int({a} / {c})",
                          f"({tensor}.numel() // {c})"])  # fmt: skip
        values = [self.value(text, env) for env in self.envs]
        return text if all(isinstance(value, int) and 0 <= value <= 64 for value in values) else a

    @staticmethod
    def value(text, env):
        try:
            return eval(text, env)  # our own text
        except Exception:  # whatever PyTorch refuses
            return None

    def fill(self, form, names=None):
        t, u = self.pick(names or self.tensors()), self.pick(self.tensors())
        rank = self.envs[0][t].dim()
        axis = [str(self.random.randrange(-rank, rank)) if rank else "0" for _ in range(2)]
        a, b, c = self.int(), self.int(), self.pick(["1", "2", "2", "3"])
        text = form.format(t=t, u=u, d=axis[0], e=axis[1], a=a, b=b, c=c)
        return text.replace("*SAME", ", ".join(["-1"] * rank))

    def usable(self, values):
        if not all(isinstance(value, torch.Tensor) for value in values):
            return False
        if len({(value.dim(), value.dtype) for value in values}) != 1 or values[0].dim() > 4:
            return False
        if max(value.numel() for value in values) > MOST or not all(bool(value.isfinite().all()) for value in values):
            return False
        return min(value.numel() for value in values) > 0 or self.random.randrange(8) == 0

    def tensor(self):
        """A line that makes a tensor, or None."""
        forms = self.pick([ANY_RANK] * 5 + [OF_MATRIX] * 3 + [OF_NOTHING])
        matrices = [name for name in self.tensors() if self.envs[0][name].dim() == 2]
        text = self.fill(self.pick(forms), matrices if forms is OF_MATRIX else None)
        values = [self.value(text, env) for env in self.envs]
        if not self.usable(values):
            return None
        self.count += 1
        for env, value in zip(self.envs, values):
            env[f"v{self.count}"] = value.float()
        return Stmt(f"v{self.count} = {text}" + ("" if values[0].dtype == torch.float32 else " + 0.0"))

    def number(self):
        text = self.int(3)
        self.count += 1
        for env in self.envs:
            env[f"k{self.count}"] = eval(text, env)
        return Stmt(f"k{self.count} = {text}")

    def write(self):
        """A write through a view of what is made anew, so that no input is written to."""
        names = [name for name in self.tensors() if name not in ("x", "y")]
        if not names:
            return None
        text = self.fill(self.pick(WRITES), names)
        copies = [copied(env) for env in self.envs]
        name = text.replace(".", "[").split("[")[0]
        for copy in copies:
            try:
                exec(f"{name} = {name}.clone()\n{text}", copy)
            except Exception:  # whatever PyTorch refuses
                return None
        for env, copy in zip(self.envs, copies):
            env[name] = copy[name]
        return [Stmt(f"{name} = {name}.clone()"), Stmt(text)]

    def control(self):
        """A branch or loop that changes a tensor and keeps its shape."""
        names = [name for name in self.tensors() if name not in ("x", "y")]
        if not names:
            return None
        name, a, b = self.pick(names), self.int(), self.int()
        values = (f"{name} * {a}", f"{name} + {b} / 2", f"{name}.flip([0])", f"torch.relu({name})")
        sides = [f"{name} = {value}" for value in values]
        few = f"n < {self.random.randint(1, 6)}"
        conditions = (f"{a} > {b}", f"{a} % 2 == 0", f"{a} == {b}", few, f"{a} > 2 and m != {b}")
        if self.random.randrange(3):
            orelse = [Stmt(self.pick(sides))] if self.random.randrange(2) else None
            made = Stmt(f"if {self.pick(conditions)}:", [Stmt(self.pick(sides))], orelse)
        else:
            made = Stmt(f"for i in range({a}):", [Stmt(f"{name} = {name} * 0.5 + i")])
        for env in self.envs:
            try:
                exec("if True:\n" + "\n".join(lines([made])), env)
            except Exception:  # whatever PyTorch refuses
                return None
        return made

    def statements(self):
        what = self.random.randrange(8)
        made = None
        if what == 0:
            made = self.number()
        elif what == 1:
            made = self.write()
        elif what == 2 and self.script:
            made = self.control()
        else:
            for _ in range(20):
                made = self.tensor()
                if made:
                    break
        return made if isinstance(made, list) else [made] if made else []


def copied(env):
    return {name: value.clone() if isinstance(value, torch.Tensor) else value for name, value in env.items()}


def inputs(n, m):
    x = ((torch.arange(float(n * m)) * 7) % 11 - 4).reshape(n, m) / 2
    return x, (torch.arange(float(n)) * 5) % 7 - 3


def is_empty(values):
    return any(value.numel() == 0 for value in values if isinstance(value, torch.Tensor))


# ONNX Runtime refuses these of tensors without elements, of which PyTorch gives others without elements. A convolution
# of no channels to two has none in PyTorch. A mean over an axis without elements is NaN, and ONNX Runtime's pools give 0.
# PyTorch looks at no index of a result without elements.
NOT_OF_NOTHING = ("einsum", "layer_norm", ") % ", "conv1d", "conv_transpose1d", "adaptive_avg_pool1d", "[:, torch.arange(")
# The sign of a zero is not compared behind these. A zero of a sum has the sign that its order gives it, and PyTorch
# begins with 0.0. Any of several zeros may be the largest one. ONNX Runtime's Where, which is `tril` before opset 14,
# gives 0.0 for -0.0 (findings/onnxruntime_where_loses_a_sign.sh), and its optimizations replace x + 0.0 by x.
WITHOUT_SIGN = ("einsum", " @ ", "mean(", "sum(", "cumsum(", "linear", "layer_norm", "topk(", "amax(", "tril(",
                "triu(", "* 0.5 + i")


def make(random):
    script = random.randrange(2) == 0
    maker = Maker(random, script)
    body = [Stmt("n = x.size(0)"), Stmt("m = x.size(1)")]
    for _ in range(random.randint(3, 8)):
        body += maker.statements()
    names = [name for name in maker.tensors() if name not in ("x", "y")]
    body.append(Stmt(f"return ({', '.join(names)},)" if names else "return (x + 1,)"))
    runs = [inputs(*sizes) for sizes in (*USUAL, *OTHERS)]
    doors = ("script",) if script else ("script", "trace", "static", "pt2")
    free = ({0: "n", 1: "m"}, {0: "n"})
    program = Program("sizes", ("x: Tensor", "y: Tensor"), body, INPUTS, runs, doors[0], free, doors)
    source = program.source()
    program = dataclasses.replace(program, signs=not any(word in source for word in WITHOUT_SIGN))
    if any(word in source for word in NOT_OF_NOTHING):
        runs = [args for args in runs if not meets(source, args, is_empty)]
    return program.with_runs(runs)
