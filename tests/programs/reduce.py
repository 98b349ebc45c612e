"""Makes a failing program small: drops results and statements, and replaces an `if` or a loop by what is in it, as long
as it fails.
"""

import re
import time

import tree


def fewer_results(stmt):
    """`return (a, b.float(), c,)` with one less; none of other forms."""
    names = re.fullmatch(r"return \(((?:[\w.()]+, )+[\w.()]+),\)", stmt.text)
    names = names.group(1).split(", ") if names else []
    for i in range(len(names)):
        yield tree.Stmt(f"return ({', '.join(names[:i] + names[i + 1:])},)")


def edits(block):
    """Every block that is one step smaller."""
    for i, stmt in enumerate(block):
        before, after = block[:i], block[i + 1 :]
        for smaller in fewer_results(stmt):
            yield [*before, smaller, *after]
        if not stmt.text.startswith("return") or after:
            yield [*before, *after]
        for part in (stmt.body, stmt.orelse):
            if part:
                yield [*before, *part, *after]
        if stmt.orelse:
            yield [*before, tree.Stmt(stmt.text, stmt.body), *after]
        for smaller in edits(stmt.body or []):
            yield [*before, tree.Stmt(stmt.text, smaller, stmt.orelse), *after]
        for smaller in edits(stmt.orelse or []):
            yield [*before, tree.Stmt(stmt.text, stmt.body, smaller), *after]


def reduce(program, fails, most=150, seconds=120):
    """`fails` tells whether a program still shows the fault; it is asked at most `most` times, and for so long."""
    end = time.monotonic() + seconds
    for run in program.runs if len(program.runs) > 1 else []:
        alone = program.with_runs([run])
        if fails(alone):
            program = alone
            break
    asked = 0
    smaller = True
    while smaller:
        smaller = False
        for body in edits(program.body):
            asked += 1
            if asked > most or time.monotonic() > end:
                return program
            candidate = program.with_body(tree.copy(body))
            if fails(candidate):
                program = candidate
                smaller = True
                break
    return program
