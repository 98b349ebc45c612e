"""cond, while_loop, scan, map, associative_scan and vmap, nested in each other, with captured tensors, carried tuples,
views and writes inside; static, and with a free first axis.
"""

import torch

from tree import Program, Stmt

DEPTH = 3
# A matrix [n, 3], a row [3], a column [n], a number and an integer.
FORMS = {
    "M": ("{M} + {M}", "{M} * {V}", "torch.tanh({M})", "{M} * {S}", "torch.where({M} > 0, {M}, {V})", "{M}.flip(0)",
          "{M} - {I}", "{C}.unsqueeze(1) + {V}", "{M}[:, [2, 0, 1]]", "torch.softmax({M}, 1)",
          "{M}.t().contiguous().t()", "{M}.cumsum(0)", "{M}.roll(1, 1)", "torch.relu({M})",
          "torch.cat([{M}[1:], {M}[:1]])"),
    "V": ("{M}.sum(0)", "{M}[0]", "{V} * 2", "{M}.mean(0)", "{V}.flip(0)", "{M}.amax(0)", "{M}[-1]", "{V} - {S}",
          "torch.tanh({V})", "{V} + {V}", "{V}.roll(1)", "torch.cat([{V}[1:], {V}[:1]])"),
    "C": ("{M}.sum(1)", "{M}[:, 1]", "{C} * 2", "{C}.cumsum(0)", "{M} @ {V}", "{M}.amin(1)", "{C} + {S}",
          "{C}.flip(0)"),
    "S": ("{M}.sum()", "{V}[1]", "{C}.amax()", "{S} * 0.5", "{V}.dot({V})", "torch.tanh({S})", "{S} + {I}",
          "{S} - {S}"),
    "I": ("{I} + 1", "({M} > 0).sum()", "{V}.argmax()", "({I} * 2) % 5", "torch.clamp({I}, max=3)"),
}  # fmt: skip
STACKED = {"V": "M", "S": "C"}


class Maker:
    def __init__(self, random, free):
        self.random = random
        self.free = free
        self.count = 0

    def pick(self, options):
        return self.random.choice(options)

    def name(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def variable(self, env, kind):
        return self.pick([name for name, of in env.items() if of == kind])

    def expression(self, env, kind):
        fits = [form for form in FORMS[kind] if all(f"{{{k}}}" not in form or k in env.values() for k in FORMS)]
        form = self.pick(fits) if fits else None
        if form is None:
            return self.variable(env, kind)
        for k in FORMS:
            while f"{{{k}}}" in form:
                form = form.replace(f"{{{k}}}", self.variable(env, k), 1)
        return form

    def predicate(self, env):
        number, integer, row = (self.variable(env, kind) for kind in "SIV")
        return self.pick([f"{number} > 0", f"{integer} > 1", f"{row}.sum() < 1"])

    # ---- functions

    def function(self, params, env, kinds, depth, first=()):
        """A `def` whose results have those kinds; None in `first` makes one of `env`."""
        name = self.name("f")
        inner = {**env, **params}
        body = self.block(inner, depth)
        results = list(first)
        for kind in kinds[len(results) :]:
            result = self.name()
            text = self.expression(inner, kind)
            body.append(Stmt(f"{result} = torch.tanh({text})" if kind in "MVCS" else f"{result} = {text}"))
            results.append(f"{result}.clone()")
        return Stmt(f"def {name}({', '.join(params)}):", body), name, results

    def returning(self, made, form):
        stmt, name, results = made
        stmt.body.append(Stmt(f"return {form.format(*results, all=', '.join(results))}"))
        return stmt, name

    def cond(self, env, depth):
        kinds = [self.pick("MVCSI") for _ in range(self.random.randint(1, 2))]
        operands = self.random.sample(sorted(env), min(len(env), self.random.randint(0, 2)))
        sides = []
        for _ in range(2):
            params = {self.name("p"): env[name] for name in operands}
            sides.append(self.returning(self.function(params, env, kinds, depth - 1), "({all},)"))
        names = [self.name() for _ in kinds]
        (then, f), (orelse, g) = sides
        given = "".join(name + ", " for name in operands)
        call = f"{', '.join(names)}, = cond({self.predicate(env)}, {f}, {g}, ({given}))"
        env.update(zip(names, kinds))
        return [then, orelse, Stmt(call)]

    def loop(self, env, depth):
        kinds = ["I", *(self.pick("MVCSI") for _ in range(self.random.randint(1, 2)))]
        carried = ["torch.zeros((), dtype=torch.int64)", *(f"{self.variable(env, kind)}.clone()" for kind in kinds[1:])]
        params = {self.name("p"): kind for kind in kinds}
        counter = next(iter(params))
        body, f = self.returning(self.function(params, env, kinds, depth - 1, [f"{counter} + 1"]), "({all},)")
        heads = {self.name("p"): kind for kind in kinds}
        first, condition = next(iter(heads)), f"{next(iter(heads))} < {self.random.randint(0, 3)}"
        if self.random.randrange(3) == 0:
            condition = f"torch.logical_and({first} < 4, {self.predicate(heads | {k: v for k, v in env.items()})})"
        g = self.name("f")
        head = Stmt(f"def {g}({', '.join(heads)}):", [Stmt(f"return {condition}")])
        names = [self.name() for _ in kinds]
        env.update(zip(names, kinds))
        return [body, head, Stmt(f"{', '.join(names)}, = while_loop({g}, {f}, ({', '.join(carried)},))")]

    def scan(self, env, depth):
        carry, made = self.pick("VSM"), self.pick("VS")
        params = {self.name("p"): carry, self.name("p"): "V"}
        step, f = self.returning(self.function(params, env, [carry, made], depth - 1), "{0}, {1}")
        last, rows = self.name(), self.name()
        init, xs = self.variable(env, carry), self.variable(env, "M")
        env[last], env[rows] = carry, STACKED[made]
        extra = self.pick(["", "", ", reverse=True"])
        return [step, Stmt(f"{last}, {rows} = scan({f}, {init}.clone(), {xs}, dim=0{extra})")]

    def map(self, env, depth):
        made = self.pick("VS")
        step, f = self.returning(self.function({self.name("p"): "V"}, env, [made], depth - 1), "{0}")
        name, xs = self.name(), self.variable(env, "M")
        env[name] = STACKED[made]
        return [step, Stmt(f"{name} = mapped({f}, {xs})")]

    def vmap(self, env, depth):
        made = self.pick("VS")
        step, f = self.returning(self.function({self.name("p"): "V"}, env, [made], 0), "{0}")
        name, xs = self.name(), self.variable(env, "M")
        env[name] = STACKED[made]
        return [step, Stmt(f"{name} = torch.vmap({f})({xs})")]

    def associative(self, env, depth):
        f, name = self.name("f"), self.name()
        text = self.pick(["a + b", "a * b", "torch.maximum(a, b)", "torch.minimum(a, b)"])
        step = Stmt(f"def {f}(a, b):", [Stmt(f"return {text}")])
        # Along a free axis, torch.export unrolls it for sizes near the example's, and we say so.
        kind, dim = self.pick([("M", 1 if self.free else 0), ("M", 1), ("V", 0)])
        xs = self.variable(env, kind)
        env[name] = kind
        return [step, Stmt(f"{name} = associative_scan({f}, {xs}, {dim})")]

    # ---- statements

    def write(self, env):
        """Writes to a copy, or to a view of one."""
        name, kind = self.name(), self.pick("MV")
        copy = Stmt(f"{name} = {self.variable(env, kind)}.clone()")
        places = {"M": ("{}[0]", "{}[:, 1]", "{}", "{}[1:]"), "V": ("{}[0]", "{}[1:]", "{}")}[kind]
        write = self.pick([".add_(1)", ".mul_(0.5)", ".fill_(0.25)", ".neg_()"])
        env[name] = kind
        return [copy, Stmt(self.pick(places).format(name) + write)]

    def statement(self, env, depth):
        what = self.random.randrange(12 if depth == DEPTH else 24)
        higher = (self.cond, self.cond, self.loop, self.loop, self.scan, self.map, self.vmap, self.associative)
        if depth > 0 and what < len(higher):
            return higher[what](env, depth)
        if what in (8, 23):
            return self.write(env)
        kind = self.pick("MVCSI")
        name, text = self.name(), self.expression(env, kind)
        env[name] = kind
        return [Stmt(f"{name} = {text}")]

    def block(self, env, depth):
        count = self.random.randint(0, 2) if depth < DEPTH else 2  # PyTorch takes a second for each function
        return [stmt for _ in range(count) for stmt in self.statement(env, depth)]


START = ["v = x.sum(0)", "c = x.sum(1)", "s = x[0, 0] * 1", "i = (x > 0).sum()"]
KINDS = {"x": "M", "v": "V", "c": "C", "s": "S", "i": "I"}


def make(random):
    free = {0: "n"} if random.randrange(2) else None
    maker = Maker(random, free)
    env = dict(KINDS)
    body = [Stmt(text) for text in START]
    body += maker.block(env, DEPTH)
    made = [name for name in env if name not in KINDS][-8:]
    body.append(Stmt(f"return ({', '.join(name + '.clone()' for name in made)},)" if made else "return (x * 2,)"))
    up = torch.tensor([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5], [-0.25, 1.0, 2.0], [0.1, -0.2, 0.3]])
    runs = [(up,), (-up,), (up * 0.1,)] + ([(up[:2].clone(),), (torch.cat([up, up * 0.5]),)] if free else [])
    inputs, door = (("x=f32[n,3]",), "pt2") if free else (("x=f32[4,3]",), "static")
    return Program("higher", ("x",), body, inputs, runs, door, free)
