"""Views of tensors and writes to them, in straight code and inside of branches and loops, by all three doors."""

import torch

from tree import Program, Stmt

# A view of a [3, 4] or [4, 3] matrix, and of a vector, that is a matrix or a vector again.
OF_MATRIX = ("{}.t()", "{}.transpose(0, 1)", "{}[1:]", "{}[:, 1:3]", "{}[0]", "{}[:, 1]", "{}.diagonal()",
             "{}.select(1, 2)", "{}.narrow(0, 0, 2)", "{}.permute(1, 0)", "{}.detach()", "{}[::2]",
             "{}.as_strided([2, 3], [4, 1])", "{}.as_strided([2, 2], [1, 1])", "{}.unfold(0, 2, 1)[0]")  # fmt: skip
OF_VECTOR = ("{}[1:]", "{}[:2]", "{}.unsqueeze(0)", "{}.unsqueeze(1)", "{}.detach()", "{}.view_as({})",
             "{}.expand(3, -1)", "{}.expand(2, -1)[0]", "{}.unfold(0, 2, 1)", "{}.as_strided([2], [2])",
             "{}.as_strided([2, 2], [1, 1])")
SOMETIMES = ("{}.reshape(-1)", "{}.contiguous()", "{}.ravel()", "{}.flatten()", "{}.to(torch.float32)")
COPIES = ("{}.clone()", "{} + 1", "torch.relu({})", "{} * 2")
WRITES = ("{0}.add_({1})", "{0}.mul_({1})", "{0}.fill_({1})", "{0}.zero_()", "{0}.clamp_(-1, 1)", "{0}.neg_()",
          "{0} += {1}", "{0}.masked_fill_({0} > {1}, 0.25)", "{0}.index_fill_(0, torch.tensor([0, 1]), {1})",
          "{0}[{0} < {1}] = 1.5", "{0}.index_add_(0, torch.tensor([1, 1]), {0}[:2].clone())",
          "{0}[torch.tensor([1, 0])] = {0}[:2] * {1}", "{0}.relu_()",
          "{0}[0], {0}[1] = {0}[1] + 1, {0}[0] * {1}")  # fmt: skip
# The tensor that is read shares no memory with the one that is written; otherwise PyTorch's result depends on the order
# of a kernel.
OF_ANOTHER = ("{0}.copy_({1})", "{0}.add_({1})", "{0}[:] = {1}", "{0} += {1}", "{0}.mul_({1})", "{0}[1:] = {1}[1:]",
              "{0}[:1] -= {1}[1:2]", "{0}.add_({1}, alpha=2)")  # fmt: skip
PLACES = {"matrix": ("[0]", "[:, 1]", "[1, 2]", "[1:]", "[:, ::2]"), "vector": ("[0]", "[-1]", "[1:]", "[::2]")}


class Maker:
    def __init__(self, random, control):
        self.random = random
        self.control = control  # whether there are branches and loops
        self.count = 0

    def pick(self, options):
        return self.random.choice(options)

    def view(self, env):
        """A new tensor that may share memory with an older one. Its rank is asked of PyTorch, which is what runs it."""
        old, value = self.pick(list(env.items()))
        forms = OF_MATRIX if value.dim() == 2 else OF_VECTOR
        form = self.pick(forms + 3 * SOMETIMES + COPIES)
        text = form.format(old, old)
        made = eval(text, {"torch": torch}, {old: value.clone() if form in COPIES else value})
        if made.dim() not in (1, 2) or made.numel() == 0 or min(made.shape) < 1:
            return None
        self.count += 1
        name = f"v{self.count}"
        return name, text, made

    def number(self):
        return self.pick(["0.5", "-1.0", "2.0", "float(k)", "x.sum()"])

    def write(self, env):
        name, value = self.pick(list(env.items()))
        kind = "matrix" if value.dim() == 2 else "vector"
        if self.random.randrange(2):
            place = self.pick(PLACES[kind])
            return Stmt(f"{name}{place} = {self.number()}" if self.random.randrange(2) else f"{name}{place} += 1.0")
        others = [other for other, of in env.items() if of.shape == value.shape]
        if self.random.randrange(3) == 0:
            return Stmt(self.pick(OF_ANOTHER).format(name, self.pick(others) + ".clone()"))
        return Stmt(self.pick(WRITES).format(name, self.pick(["0.5", "2.0", "-1.5"])))

    def rebound(self, env):
        """An older name becomes a view of the shape that it had: inside of a branch or loop, it is one or the other."""
        for _ in range(8):
            try:
                made = self.view(env)
            except Exception:  # a view that PyTorch refuses
                continue
            names = [name for name, value in env.items() if made and value.shape == made[2].shape]
            if names:
                return Stmt(f"{self.pick(names)} = {made[1]}")
        return self.write(env)

    def statement(self, env, depth):
        what = self.random.randrange(6)
        if self.control and depth > 0 and what == 0:
            orelse = self.block(dict(env), depth - 1) if self.random.randrange(2) else None
            test = self.pick(["flag", "not flag", "bool(x.sum() > 0)", "k > 1"])
            return Stmt(f"if {test}:", self.block(dict(env), depth - 1), orelse)
        if self.control and depth > 0 and what == 1:
            self.count += 1
            head = self.pick(["range(2)", "range(k)"])
            return Stmt(f"for i{self.count} in {head}:", self.block(dict(env), depth - 1))
        if what in (2, 3):
            try:
                made = self.view(env)
            except Exception:  # a view that PyTorch refuses
                made = None
            if made:
                name, text, value = made
                env[name] = value
                return Stmt(f"{name} = {text}")
        if self.control and what == 4:
            if self.random.randrange(2):
                return self.rebound(env)
            name = self.pick(list(env))
            return Stmt(f"{name} = {name} * 2 + {self.random.randint(1, 2)}")
        return self.write(env)

    def block(self, env, depth):
        return [self.statement(env, depth) for _ in range(self.random.randint(1, 3))]


def make(random):
    control = random.randrange(5) < 3
    maker = Maker(random, control)
    base = torch.arange(12.0).reshape(3, 4)
    env = {"a": base.clone(), "b": base[0].clone()}
    body = [Stmt("a = x * 2"), Stmt("b = x[0] + 1")]
    body += [maker.statement(env, 3) for _ in range(random.randint(3, 7))]
    body.append(Stmt(f"return ({', '.join(env)},)"))
    up = torch.tensor([[1.0, -2.0, 3.0, 0.5], [0.0, 1.5, -1.0, 2.0], [4.0, -3.0, 1.0, 2.5]])
    if control:
        runs = [(x, flag, k) for x in (up, -up) for flag, k in ((True, 2), (False, 0), (True, 1))]
        return Program("writes", ("x: Tensor", "flag: bool", "k: int"), body,
                       ("x=f32[3,4]", "flag=bool[]", "k=i64[]"), runs)  # fmt: skip
    text = [Stmt(stmt.text.replace("float(k)", "1.25")) for stmt in body]
    more = torch.cat([up, 2 - up])
    runs = [(up,), (-up,), (more,), (more[1:],)]
    doors = ("script", "trace", "static", "pt2")
    return Program("writes", ("x: Tensor",), text, ("x=f32[n,4]",), runs, "script", {0: "n"}, doors)
