"""TorchScript control flow over numbers, lists, dicts, tuples and Optional, with early returns, nested to depth 4."""

import torch

from kinds.watch import meets
from tree import Program, Stmt

DEPTH = 4
KEYS = ("'a'", "'b'")


class Maker:
    """Makes statements whose variables have one type each, as TorchScript wants it."""

    def __init__(self, random):
        self.random = random
        self.count = 0

    def pick(self, options):
        return self.random.choice(options)

    def chance(self, one_of):
        return self.random.randrange(one_of) == 0

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def key(self):
        """Mostly one that all dicts have: what differs in its keys is refused."""
        return "'c'" if self.chance(20) else self.pick(KEYS)

    def variable(self, env, kind):
        names = [name for name, of in env.items() if of == kind]
        return self.pick(names) if names else None

    # ---- expressions

    def int(self, env, depth=2):
        number = str(self.random.randint(-3, 9))
        if depth == 0 or self.chance(4):
            return self.variable(env, "int") or number
        of_list = self.variable(env, "List[int]")
        of_tensors = self.variable(env, "List[Tensor]")
        options = [
            lambda: number,
            lambda: f"({self.int(env, depth - 1)} + {self.int(env, depth - 1)})",
            lambda: f"({self.int(env, depth - 1)} - {self.int(env, depth - 1)})",
            lambda: f"({self.int(env, depth - 1)} * {self.random.randint(-2, 3)})",
            lambda: f"({self.int(env, depth - 1)} // {self.pick([2, 3, -2, 5])})",
            lambda: f"({self.int(env, depth - 1)} % {self.pick([2, 3, 7])})",
            lambda: f"min({self.int(env, depth - 1)}, {self.int(env, depth - 1)})",
            lambda: f"max({self.int(env, depth - 1)}, {self.int(env, depth - 1)})",
            lambda: f"int({self.bool(env, depth - 1)})",
            lambda: "x.size(0)",
        ]
        if of_list:
            options += [lambda: f"len({of_list})"] * 2 + [lambda: f"{of_list}[{self.pick([0, -1])}]"]
        if of_tensors:
            options += [lambda: f"len({of_tensors})"]
        if self.variable(env, "Dict[str, int]"):
            d = self.variable(env, "Dict[str, int]")
            options += [lambda: f"len({d})", lambda: f"{d}[{self.key()}]"]
        if self.variable(env, "Tuple[int, int]"):
            options += [lambda: f"{self.variable(env, 'Tuple[int, int]')}[{self.pick([0, 1])}]"]
        return self.pick(options)()

    def bool(self, env, depth=2):
        options = [
            lambda: self.pick(["flag", "not flag"]),
            lambda: f"bool(x.sum() > {self.random.randint(-2, 2)})",
            lambda: f"{self.int(env, 1)} {self.pick(['<', '>', '==', '!=', '<=', '>='])} {self.int(env, 1)}",
        ]
        if depth > 0:
            options += [lambda: f"({self.bool(env, depth - 1)} {self.pick(['and', 'or'])} {self.bool(env, depth - 1)})"]
        if self.variable(env, "Dict[str, int]"):
            options += [lambda: f"{self.key()} in {self.variable(env, 'Dict[str, int]')}"]
        if self.variable(env, "Optional[int]"):
            options += [lambda: f"{self.variable(env, 'Optional[int]')} is None"]
        return self.pick(options)()

    def ints(self, env):
        elements = ", ".join(self.int(env, 1) for _ in range(self.random.randint(1, 3)))
        old = self.variable(env, "List[int]")
        options = [lambda: f"[{elements}]"]
        if old:
            options += [lambda: old]  # a second name
            cut = self.pick(["1:", ":2", ":-1", "::2", "-2:"])
            options += [lambda: f"{old}[{cut}]", lambda: f"{old} + [{elements}]", lambda: f"[v + 1 for v in {old}]"]
        return self.pick(options)()

    def tensor(self, env):
        old = self.variable(env, "Tensor")
        return self.pick([f"{old} + {self.random.randint(1, 3)}", f"{old} * 2", f"torch.relu({old})", f"{old} - x"])

    def tensors(self, env):
        old = self.variable(env, "List[Tensor]")
        options = [f"[{self.tensor(env)}]", f"[{self.tensor(env)}, {self.tensor(env)}]"]
        return self.pick(options + ([f"{old}[1:]", f"{old} + [{self.tensor(env)}]", old] if old else []))

    def value(self, env, kind):
        makers = {"int": self.int, "List[int]": self.ints, "Tensor": self.tensor, "List[Tensor]": self.tensors}
        if kind in makers:
            return makers[kind](env)
        if kind == "Tuple[int, int]":
            return f"({self.int(env)}, {self.int(env)})"
        if kind == "Optional[int]":
            return self.pick(["None", self.int(env)])
        old = self.variable(env, kind)
        if old and self.chance(3):
            return old
        keys = [*KEYS, "'c'"] if self.chance(20) else KEYS
        return "{" + ", ".join(f"{key}: {self.int(env, 1)}" for key in keys) + "}"

    # ---- statements

    def change(self, env):
        """One line that changes a variable."""
        name, kind = self.pick([item for item in env.items() if item[0] not in ("x", "k", "flag")])
        if kind == "List[int]" and self.chance(2):
            line = self.pick([f"{name}.append({self.int(env)})", f"{name}.extend({self.ints(env)})"])
            return Stmt(line)
        if kind == "List[Tensor]" and self.chance(2):
            return Stmt(f"{name}.append({self.tensor(env)})")
        if kind == "Dict[str, int]" and self.chance(2):
            return Stmt(f"{name}[{self.key()}] = {self.int(env)}")
        return Stmt(f"{name} = {self.value(env, kind)}")

    def loop(self, env, depth):
        inner = dict(env)
        counter = self.name()
        inner[counter] = "int"
        head = self.pick([f"range({self.random.randint(1, 3)})", "range(x.size(0))", "range(k)"])
        of_list = self.variable(env, "List[int]")
        if of_list and self.chance(4):
            head = of_list + "[:]"
        return Stmt(f"for {counter} in {head}:", self.block(inner, depth - 1))

    def statement(self, env, depth):
        kind = self.random.randrange(8)
        if depth > 0 and kind < 3:
            orelse = self.block(dict(env), depth - 1) if self.chance(2) else None
            return Stmt(f"if {self.bool(env)}:", self.block(dict(env), depth - 1), orelse)
        if depth > 0 and kind == 3:
            return self.loop(env, depth)
        if kind == 4:
            made = self.pick(["int", "List[int]", "Dict[str, int]", "Tuple[int, int]", "List[Tensor]", "Optional[int]"])
            name = self.name()
            line = Stmt(f"{name}: {made} = {self.value(env, made)}")
            env[name] = made
            return line
        return self.change(env)

    def block(self, env, depth):
        made = [self.statement(env, depth) for _ in range(self.random.randint(1, 3))]
        if depth < DEPTH and self.chance(12):
            made.append(self.result())
        return made

    def powers(self, env):
        """A power of ints, which is a float, in one of three programs."""
        if self.random.randrange(3):
            return []
        base = self.pick(["2", "k", "n", "(k - 2)", "-3", "10"])
        return [Stmt(f"y = y + {base} ** {self.pick(['k', '(k - 1)', '(1 - k)', 'len(a)', '(k * 10)', '(-k)'])}")]

    def result(self):
        return Stmt("return (n, len(a), sum(a), len(d), 'a' in d, torch.cat(ts).sum(), y)")


START = ["n = k", "a = [k, 1, 2]", "d = {'a': 1, 'b': k}", "ts = [x, x + 1]", "y = x * 2"]
KINDS = {"n": "int", "a": "List[int]", "d": "Dict[str, int]", "ts": "List[Tensor]", "y": "Tensor"}


def is_long(values):
    """A list that a loop doubles has more elements than memory soon."""
    return any(len(value) > 500 for value in values if isinstance(value, list))


def make(random):
    maker = Maker(random)
    env = {"x": "Tensor", "k": "int", **KINDS}
    body = [Stmt(text) for text in START]
    body += [maker.statement(env, DEPTH) for _ in range(random.randint(2, 6))]
    body += maker.powers(env) + [maker.result()]
    inputs = (torch.tensor([1.0, -0.5, 2.0]), torch.tensor([-1.0, 0.25]), torch.tensor([0.5]))  # no free axis is empty
    runs = [(x, flag, k) for x in inputs for flag, k in ((True, 2), (False, 0), (True, 1))]
    params = ("x: Tensor", "flag: bool", "k: int")
    program = Program("control", params, body, ("x=f32[n]", "flag=bool[]", "k=i64[]"), runs)
    runs = [args for args in runs if not meets(program.source(), args, is_long)]
    return program.with_runs(runs) if runs else make(random)
