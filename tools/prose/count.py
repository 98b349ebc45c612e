#!/usr/bin/env python3
"""Counts sentences that are hard to read in comments, docstrings and Markdown pages.

Two numbers for each top folder:
  object first   Sentences that begin with "Of", "What" or "Whether", unless they are questions.
  long           Comments that go on for more than 30 words without a full stop.

  tools/prose/count.py [--root FOLDER] [--list] [PREFIX...]   print them; with --list the places, too
  tools/prose/count.py --at-most FILE                         fail if a folder has more than FILE says
  tools/prose/count.py --lower FILE                           write lower numbers to FILE
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from texts import may_hold_prose, texts_of  # noqa: E402 (the folder of this file, from wherever it is started)

MOST_WORDS = 30
OBJECT_FIRST = "object first"
LONG = "long"

_NOT_OURS = re.compile(r"(^|/)(testdata|golden)/")
_STOP = re.compile(r"""(?<!\.\.)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?]["')\]*_]*(?=\s|$)""")
_CODE = re.compile(r"`[^`]+`|\]\([^)]*\)")
_OBJECT_FIRST = re.compile(r"""["'(\[*_]*(Of|What|Whether)\b""")


def sentences(text):
    """The (line, sentence) of a text, which is a list of (line, words)."""
    starts, joined = [], ""
    for line, words in text:
        starts.append((len(joined), line))
        joined += words.strip() + " "
    # A dot in backquoted code or in the address of a link stops no sentence.
    plain = _CODE.sub(lambda code: "x" * len(code[0]), joined)
    begin = 0
    for end in [*(match.end() for match in _STOP.finditer(plain)), len(joined)]:
        sentence = joined[begin:end]
        place = begin + len(sentence) - len(sentence.lstrip())
        begin = end
        if sentence.strip():
            yield max(line for start, line in starts if start <= place), sentence.strip()


def words_in(sentence):
    """The number of its words; backquoted code is one."""
    return sum(bool(re.search(r"\w", word)) for word in _CODE.sub("x", sentence).split())


def findings(path, source):
    """The (kind, line, sentence) of a file that count."""
    for text in texts_of(path, source) or ():
        for line, sentence in sentences(text):
            if _OBJECT_FIRST.match(sentence) and not sentence.endswith("?"):
                yield OBJECT_FIRST, line, sentence
            if words_in(sentence) > MOST_WORDS:
                yield LONG, line, sentence


def sources(root):
    """The (name, content) of files under version control, and of new ones that git does not ignore."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run([*command, "--deduplicate"], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    for name in sorted(filter(None, listed.decode().split("\0"))):
        path = Path(root, name)
        if path.is_file() and not path.is_symlink() and may_hold_prose(path) and not _NOT_OURS.search(name):
            yield name, path.read_text()


def folder_of(name):
    return name.split("/")[0] if "/" in name else "."


def count(root, prefixes):
    """The number of findings by (folder, kind), and the findings as (path, kind, line, sentence)."""
    numbers, found = defaultdict(int), []
    for name, source in sources(root):
        numbers[folder_of(name), OBJECT_FIRST] += 0
        if not name.startswith(tuple(prefixes)):
            continue
        for kind, line, sentence in findings(name, source):
            numbers[folder_of(name), kind] += 1
            found.append((name, kind, line, sentence))
    return numbers, found


def table(numbers):
    """A line for each folder that has some: the folder, and its two numbers."""
    rows = [(folder, numbers.get((folder, OBJECT_FIRST), 0), numbers.get((folder, LONG), 0))
            for folder in sorted({folder for folder, _ in numbers})]
    return [row for row in rows if row[1] or row[2]]


def read_table(path):
    numbers = {}
    for line in Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            folder, object_first, long = line.split()
            numbers[folder, OBJECT_FIRST], numbers[folder, LONG] = int(object_first), int(long)
    return numbers


def more_than(numbers, most):
    """A message for each number that exceeds the one in `most`."""
    return [f"{folder}: {number} sentences are counted as '{kind}', {most.get((folder, kind), 0)} may be"
            for (folder, kind), number in sorted(numbers.items()) if number > most.get((folder, kind), 0)]


def write_lower(path, numbers):
    """Writes the smaller one of each number and that of the file. The comment at its top stays."""
    most = read_table(path)
    lower = {key: min(number, most.get(key, 0)) for key, number in numbers.items()}
    comment = [line for line in Path(path).read_text().splitlines() if line.startswith("#")]
    rows = [f"{folder} {object_first} {long}" for folder, object_first, long in table(lower)]
    Path(path).write_text("\n".join([*comment, *rows]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefixes", metavar="PREFIX", nargs="*", default=[""], help="only files whose path begins so")
    parser.add_argument("--root", default=".", help="a folder under version control; default: the current one")
    parser.add_argument("--list", action="store_true", help="print each place and its sentence")
    parser.add_argument("--at-most", metavar="FILE", help="fail if a folder has more than FILE says")
    parser.add_argument("--lower", metavar="FILE", help="write the numbers that have become lower to FILE")
    options = parser.parse_args()

    numbers, found = count(options.root, options.prefixes)
    if options.list:
        for name, kind, line, sentence in found:
            print(f"{name}:{line}: {kind}: {sentence}")
    if options.lower:
        write_lower(options.lower, numbers)
    if options.at_most:
        messages = more_than(numbers, read_table(options.at_most))
        print("\n".join(messages), end="\n" if messages else "")
        return 1 if messages else 0
    rows = table(numbers)
    print(f"{'folder':<14}{OBJECT_FIRST:>14}{LONG:>8}")
    for folder, object_first, long in [*rows, ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))]:
        print(f"{folder:<14}{object_first:>14}{long:>8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
