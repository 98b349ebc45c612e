#!/usr/bin/env -S python3 -B
"""No link in the repository's Markdown is dead: files are there, and headings that links name."""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, ROOT)
from docs import markdown  # noqa: E402


def dead(path, text):
    """Messages about dead links in the file `path` with that text."""
    for link in markdown.links(text):
        place, hash_, anchor = link.partition("#")
        if "://" in link:
            continue
        target = os.path.normpath(os.path.join(ROOT, os.path.dirname(path), place)) if place else None
        if target and not os.path.exists(target):
            yield f"{path}: {link}: there is no such file"
        elif hash_ and (target is None or target.endswith(".md")):
            if anchor not in markdown.anchors(markdown.read(target) if target else text):
                yield f"{path}: {link}: there is no such heading"
        elif hash_:
            yield f"{path}: {link}: only a page has headings"


class Links(unittest.TestCase):
    def test_none_is_dead(self):
        files = markdown.pages(ROOT)
        self.assertGreater(len(files), 25)
        found = [wrong for path in files for wrong in dead(path, markdown.read(os.path.join(ROOT, path)))]
        self.assertEqual(found, [])

    def test_dead_ones_are_seen(self):
        text = "# Head `it`, now\n[a](no.md) [b](c.md#no-such) [c](#head-it-now) [d](#no) `[e](f)`\n```\n[g](h)\n# no\n```\n"
        text += "[i](https://x.y/z) [j](c.md#options) [k](../LICENSE#no)\n"
        wrong = [one.split(": ")[1] for one in dead("docs/x.md", text)]
        self.assertEqual(wrong, ["no.md", "c.md#no-such", "#no", "../LICENSE#no"])

    def test_headings_are_named_as_on_github(self):
        text = "# A\n## `x` (y), *z*\n## A\n## [text](link) & more\n"
        self.assertEqual(markdown.anchors(text), {"a", "x-y-z", "a-1", "text--more"})


if __name__ == "__main__":
    unittest.main()
