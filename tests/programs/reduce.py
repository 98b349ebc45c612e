"""Makes a failing program small: drops statements, and replaces an `if` or a loop by what is in it, as long as it fails."""

import tree


def edits(block):
    """Every block that is one step smaller."""
    for i, stmt in enumerate(block):
        before, after = block[:i], block[i + 1 :]
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


def reduce(program, fails, most=150):
    """`fails` tells whether a program still shows the fault; it is asked at most `most` times."""
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
            if asked > most:
                return program
            candidate = program.with_body(tree.copy(body))
            if fails(candidate):
                program = candidate
                smaller = True
                break
    return program
