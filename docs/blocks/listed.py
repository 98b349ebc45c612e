"""not_run.txt: what of the pages' code no test runs, and why."""

import collections
import os
import re

from docs import markdown

Listed = collections.namedtuple("Listed", "page text reason")


def read(path):
    """The list: lines `reason: ...`, each followed by lines `PAGE: CODE`, where CODE is a command, or a block's first line."""
    found, reason = [], None
    for line in markdown.read(path).splitlines():
        if line.startswith("reason: "):
            reason = line.removeprefix("reason: ")
        elif line and not line.startswith("#"):
            page, _, text = line.partition(": ")
            found.append(Listed(page, text, reason))
    return found


def commands(block):
    """The commands of a block of bash, each with the lines that go on after a backslash; comments are none."""
    found, pending = [], ""
    for line in block.text.splitlines():
        pending += line
        if line.endswith("\\"):
            pending += "\n"
        elif pending.strip() and not pending.lstrip().startswith("#"):
            found.append(pending)
            pending = ""
        else:
            pending = ""
    return found


def pieces(block):
    """The parts of the block that can be listed: each command, or the first line for all of it."""
    if block.language == "bash":
        return [" ".join(re.sub(r"\s#.*", "", command.replace("\\\n", " ")).split()) for command in commands(block)]
    return [block.text.strip().splitlines()[0].strip()]


def is_of_bazel(command):
    """Returns whether Bazel does the command. Its labels are looked up instead (labels_test.sh)."""
    return any(os.path.basename(word) in ("bazelw", "bazel") for word in command.split())
