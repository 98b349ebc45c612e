#!/usr/bin/env -S python3 -B
"""examples_test.py EXPORTER MODELS: the commands among the examples of `exporter explain` end with the code that they are of."""

import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import unittest

EXPORTER, MODELS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
# Behind the command, an example may say of which files: ", where the axis has 10".
COMMAND = re.compile(r"exporter (.*?)(?:, (?:where|with|without) .*)?")
NOT_RUN = {
    "E0001": "needs exporter-verify, which is compiled with LibTorch",
    "E0402": "takes as long as the machine lets it",
    "E0404": "needs a model of 2 GiB",
    "E0406": "needs exporter-verify, which is compiled with LibTorch",
}


def command_of(example):
    found = COMMAND.fullmatch(example)
    return found and found.group(1)


def explained():
    return json.loads(subprocess.run([EXPORTER, "explain", "--json"], capture_output=True, check=True).stdout)


def files_for(code, folder):
    """Those of `make.py`, and some that are no models."""
    shutil.copytree(MODELS, folder)
    own = folder / f"{code}.pt2"
    if own.exists():
        own.replace(folder / "model.pt2")
    (folder / "notes.txt").write_text("no model\n")
    (folder / "cut.onnx").write_bytes(b"\x08\x0a\x3a\x7f")
    header = b'{"other": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'
    (folder / "other.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(4))


class Examples(unittest.TestCase):
    def test_commands_end_with_their_codes(self):
        commands = {row["code"]: command_of(row["example"]) for row in explained() if command_of(row["example"])}
        self.assertGreater(len(commands), 20)
        self.assertEqual(NOT_RUN.keys() - commands.keys(), set(), "these are no commands")
        for code, command in commands.items():
            if code in NOT_RUN:
                continue
            with self.subTest(code=code, command=command):
                folder = OUT / code
                files_for(code, folder)
                done = subprocess.run([EXPORTER, *shlex.split(command)], capture_output=True, text=True, check=False, cwd=folder)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"[{code}]", done.stderr)

    def test_commands_are_told_apart(self):
        self.assertEqual(command_of("exporter export model.pt2 --output 'y=[n,11]', where the axis has 10"),
                         "export model.pt2 --output 'y=[n,11]'")
        self.assertEqual(command_of("exporter export missing.pt2"), "export missing.pt2")
        self.assertIsNone(command_of("--map my::op=acme.Op, where my::op takes a list"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
