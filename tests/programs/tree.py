"""A program as a tree of statements, which prints as Python and which the reducer can cut."""

import dataclasses


@dataclasses.dataclass
class Stmt:
    """One line, and the blocks below it: `if c:` has a body, and may have an `else`."""

    text: str
    body: list = None
    orelse: list = None

    def copy(self):
        return Stmt(self.text, self.body and copy(self.body), self.orelse and copy(self.orelse))


def copy(block):
    return [stmt.copy() for stmt in block]


def lines(block, depth=1):
    indent = "    " * depth
    for stmt in block:
        yield indent + stmt.text
        if stmt.body is not None:
            yield from lines(stmt.body, depth + 1) if stmt.body else [indent + "    pass"]
        if stmt.orelse:
            yield indent + "else:"
            yield from lines(stmt.orelse, depth + 1)


@dataclasses.dataclass
class Program:
    """The contents of `forward`, and how it is called.

    kind    the generator that made it
    params  of `forward`, as TorchScript declares them: ("x: Tensor", "k: int")
    body    statements; the last one returns
    inputs  texts of --input
    runs    tuples of arguments: tensors, ints, bools
    door    "script", "trace", "pt2", or "static": a pt2 that has the sizes of the first run
    free    of a pt2: {axis of the first argument: name}, or one of these for each argument
    doors   all doors that take it, where it goes through more than one
    tolerance  relative and absolute; 0: each bit is compared
    signs   whether zeros have the sign that PyTorch gives them
    """

    kind: str
    params: tuple
    body: list
    inputs: tuple
    runs: list
    door: str = "script"
    free: dict = None
    doors: tuple = ()
    tolerance: float = 1e-4
    signs: bool = True

    def source(self):
        return "\n".join([f"def forward({', '.join(self.params)}):", *lines(self.body)]) + "\n"

    def through(self, door):
        return dataclasses.replace(self, door=door)

    def with_body(self, body):
        return dataclasses.replace(self, body=body)

    def with_runs(self, runs):
        return dataclasses.replace(self, runs=runs)
