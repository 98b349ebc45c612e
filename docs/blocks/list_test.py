#!/usr/bin/env -S python3 -B
"""Every block of code of every page is run or checked by a test, or not_run.txt says why not; and that list is up to date."""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT)
from docs import markdown  # noqa: E402
from docs.blocks import listed  # noqa: E402

# Language to the test that takes its blocks.
TAKEN = {
    "bash": "run_test.py",
    "console": "run_test.py",
    "python": "run_test.py",
    "c": "snippets.py",
    "cpp": "snippets.py",
    "starlark": "checked_test.py",
    "js": "//web:blocks_test, //web/browser:blocks_test",
    "json": "checked_test.py",
    "r": "languages",
    "rust": "languages",
    "yaml": "yaml_test.cc",
    "text": None,  # what programs print, and pictures
}
_COMMAND = re.compile(r"(\$ |exporter (?!.*: )|\./bazelw|pip |python3 |cmake |docker |tar )")


def wrong(blocks, known):
    """Blocks that are neither run nor listed, and entries of the list without a block."""
    there = {(block.path, piece) for block in blocks for piece in listed.pieces(block)}
    for one in known:
        if (one.page, one.text) not in there:
            yield f"not_run.txt: {one.page}: {one.text}: is not there any more"
        if not one.reason:
            yield f"not_run.txt: {one.page}: {one.text}: no reason is given"
    skipped = {(one.page, one.text) for one in known}
    for block in blocks:
        place = f"{block.path}:{block.line}"
        if block.language not in TAKEN and not all((block.path, piece) in skipped for piece in listed.pieces(block)):
            yield f"{place}: no test knows `{block.language}`: one of {', '.join(TAKEN)}"
        if block.language == "text" and _COMMAND.match(block.text):
            yield f"{place}: a command is `bash`, or `console` with what it prints"
        for command, piece in zip(listed.commands(block), listed.pieces(block)) if block.language == "bash" else []:
            runs = command.startswith("exporter ") or listed.is_of_bazel(command)
            if not runs and (block.path, piece) not in skipped:
                yield f"{place}: {piece}: is not run; not_run.txt must say why"


class Blocks(unittest.TestCase):
    def test_all_are_run_or_listed(self):
        blocks = [block for path in markdown.pages(ROOT) for block in markdown.blocks(markdown.read(os.path.join(ROOT, path)), path)]
        self.assertGreater(len(blocks), 120)
        self.assertEqual(list(wrong(blocks, listed.read(os.path.join(HERE, "not_run.txt")))), [])

    def test_others_are_seen(self):
        text = "```\nx\n```\n```text\nexporter check m\n```\n```bash\nexporter ops\nrm x  # y\n./bazelw test \\\n  //...\n```\n```haskell\nuse a;\n```\n"
        known = [listed.Listed("p.md", "use a;", "why"), listed.Listed("p.md", "gone", "why")]
        found = list(wrong(markdown.blocks(text, "p.md"), known))
        self.assertEqual([one.split(": ")[0] for one in found], ["not_run.txt", "p.md:1", "p.md:4", "p.md:7"])
        self.assertIn("rm x: is not run", found[-1])


if __name__ == "__main__":
    unittest.main()
