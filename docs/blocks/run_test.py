#!/usr/bin/env -S python3 -B
"""run_test.py LIST BIN PAGE...: runs the commands and the Python of each page, in its order, in a folder of its own.

The folder has the models that the page names (given.py), and programs are those of BIN. No command of another program
is ever run, because pages also say how to install and remove things. It must be in LIST, or be Bazel's. A block of
`console` must print what it shows, where `...` stands for anything.
"""

import os
import re
import shlex
import subprocess
import sys
import unittest

sys.path[:0] = [os.getcwd(), os.path.abspath("python")]
from docs import markdown  # noqa: E402
from docs.blocks import given, listed  # noqa: E402

LIST, BIN, *FILES = (os.path.normpath(path) for path in sys.argv[1:])
PAGES = [path for path in FILES if path.endswith(".md")]
del sys.argv[1:]
ROOT = os.getcwd()
LISTED = {(one.page, one.text) for one in listed.read(LIST)}


def run(command):
    """Its output and messages, and its exit status. Anything but the exporter is refused, whatever else stands around it."""
    words = shlex.split(command, comments=True)
    if words[0] != "exporter" or set(words) & {"&&", "||", ";", "|", "&"} or re.search(r"[`]|\$\(", command):
        raise AssertionError(f"{command}\nis not run here: {LIST} must say why")
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout, done.returncode


def shows(expected, got):
    """Returns whether the text matches what a page shows; line breaks do not matter."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in expected.split("...")]
    return re.fullmatch(r"\s*" + r"\s*.*\s*".join(parts) + r"\s*", got, re.S) is not None


class Page:
    """A page while it is run."""

    def __init__(self, path):
        self.path = path
        self.names = None

    def bash(self, block):
        for command, piece in zip(listed.commands(block), listed.pieces(block)):
            if (self.path, piece) in LISTED or listed.is_of_bazel(command):
                continue
            said, status = run(command)
            if status != 0:
                raise AssertionError(f"{command}\nends with {status}:\n{said}")

    def console(self, block):
        for text in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, expected = text.partition("\n")
            said, status = run(command)
            if status != 0 and "error:" not in expected:
                raise AssertionError(f"{command}\nends with {status}:\n{said}")
            if not shows(expected, said):
                raise AssertionError(f"{command}\nprints\n{said}\nand not\n{expected}")

    def python(self, block):
        if self.names is None:
            self.names = given.names(self.path)
        source = "\n" * block.line + block.text
        exec(compile(source, os.path.join(ROOT, self.path), "exec"), self.names)


class Blocks(unittest.TestCase):
    def run_page(self, path):
        blocks = markdown.blocks(markdown.read(path), path)
        folder = os.path.join(os.environ["TEST_TMPDIR"], path.replace("/", "_"))
        os.makedirs(folder)
        os.chdir(folder)
        self.addCleanup(os.chdir, ROOT)
        used = set(re.findall(r"[\w.]+\.(?:pt2?|safetensors)\b", "".join(b.text for b in blocks if b.language in ("bash", "console"))))
        saved = set(re.findall(r'save\(.*"([\w.]+)"\)', "".join(b.text for b in blocks if b.language == "python")))
        for name in sorted(used & given.FILES - saved):
            given.make(path, name, name)
        page = Page(path)
        for block in blocks:
            run_it = {"bash": page.bash, "console": page.console, "python": page.python}.get(block.language)
            if run_it is None or any((path, piece) in LISTED for piece in listed.pieces(block)) and block.language != "bash":
                continue
            with self.subTest(block=f"{path}:{block.line}"):
                run_it(block)

    def test_shown_output(self):
        self.assertTrue(shows("a\n...\nc\n", "a\nb\nb\nc\n"))
        self.assertTrue(shows("...\nc ...\n", "a\nc d\n"))
        self.assertTrue(shows("a\n  b c\n", "a b\n  c\n"))
        self.assertFalse(shows("a\n...\nd\n", "a\nb\nc\n"))
        self.assertFalse(shows("", "a\n"))


def _test_of(path):
    return lambda self: self.run_page(path)


for one in PAGES:
    setattr(Blocks, "test_" + re.sub(r"\W", "_", one), _test_of(one))

if __name__ == "__main__":
    os.environ["HOME"] = os.environ["TEST_TMPDIR"]
    os.environ["PATH"] = os.path.abspath(BIN) + ":" + os.environ["PATH"]
    unittest.main()
