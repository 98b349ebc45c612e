#!/usr/bin/env -S python3 -B
"""watch_command_test.py CODEGEN SPEC.yaml...: what --watch says of specs that are saved, in a copy of the specs."""

import os
import pathlib
import shutil
import subprocess
import sys

# The file that is saved, its mistake, and the message about it. Only the families that import a library can show that a
# definition of it is wrong.
CASES = [
    ("spec/aten/numeric/divisors.yaml", "Equal(a, 0)", "Equl(a, 0)", "ONNX has no operator `Equl`; did you mean `Equal`?"),
    ("spec/lib/series.yaml", "fold:", "fald:", "a definition has no key `fald`; did you mean `fold`?"),
    ("spec/lib/series.yaml", "y * x + k", "Relu(y, x) + k", "Relu takes at most 1 inputs, here are 2"),
]


def said(watch):
    """All up to the verdict about a file, as text."""
    lines = []
    for line in watch.stdout:
        lines.append(line)
        if line.endswith(" mistakes\n"):
            return "".join(lines)
    raise SystemExit("the command has ended: " + "".join(lines))


def save(watch, path, text):
    path.write_text(text, encoding="utf-8")
    return said(watch)


def check(watch, workspace, case):
    name, was, becomes, message = case
    path = workspace / name
    text = path.read_text(encoding="utf-8")
    assert was in text, f"{name} has no `{was}` any more: choose another place"
    shown = save(watch, path, text.replace(was, becomes, 1))
    assert message in shown and shown.endswith(f"{name}: has mistakes\n"), shown
    shown = save(watch, path, text)
    assert shown == f"{name}: no mistakes\n", shown


def main(codegen, specs):
    workspace = pathlib.Path(os.environ["TEST_TMPDIR"]) / "workspace"
    for spec in specs:
        (workspace / spec).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(spec, workspace / spec)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BUILD_")}
    command = [os.path.abspath(codegen), "--workspace", ".", "--watch", "spec"]
    with subprocess.Popen(command, cwd=workspace, env=environment, stdout=subprocess.PIPE, text=True) as watch:
        try:
            print(watch.stdout.readline(), end="")  # from here on it sees what is saved
            for case in CASES:
                check(watch, workspace, case)
        finally:
            watch.kill()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
