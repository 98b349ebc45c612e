"""Reads Markdown for the pages' tests and the site: blocks of code, links, headings."""

import collections
import os
import re
import subprocess

# Where it stands, its language, its lines with their ends, and the line of text in front of it.
Block = collections.namedtuple("Block", "path line language text before")

_FENCE = re.compile(r"(\s*)(```+)\s*(\S*)")
_INLINE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_LINK = re.compile(r"(?<=\]\()[^()\s]+(?=\))")
_HEADING = re.compile(r"#+ +(.*)")


def read(path):
    """The text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def pages(root):
    """The paths of all pages in a working tree, also of new ones that are not committed yet."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True)
    return sorted({path for path in done.stdout.split() if os.path.exists(os.path.join(root, path))})


def split(text, path=""):
    """The text in pieces, in order: prose as text, and blocks of code."""
    prose, block = [], None
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        fence = _FENCE.match(line)
        if block is None and fence:
            yield "".join(prose)
            said = [one.strip() for one in prose if one.strip()]
            block, indent, end = [], fence[1], fence[2]
            head = Block(path, number, fence[3], "", said[-1] if said else "")
            prose = []
        elif block is None:
            prose.append(line)
        elif fence and fence[2] == end and not fence[3]:
            yield head._replace(text="".join(block))
            block = None
        else:
            block.append(line.removeprefix(indent))
    if block is not None:
        raise ValueError(f"{path}:{head.line}: the block does not end")
    yield "".join(prose)


def blocks(text, path=""):
    """The blocks of code."""
    return [piece for piece in split(text, path) if isinstance(piece, Block)]


def map_links(prose, function):
    """The prose with function(link) for each link that is not in code."""
    codes = []

    def hide(match):
        codes.append(match[0])
        return f"\0{len(codes) - 1}\0"

    linked = _LINK.sub(lambda match: function(match[0]), _INLINE.sub(hide, prose))
    return re.sub("\0(\\d+)\0", lambda match: codes[int(match[1])], linked)


def links(text):
    """Where links lead."""
    found = []
    for piece in split(text):
        if isinstance(piece, str):
            map_links(piece, lambda link: found.append(link) or link)
    return found


def anchors(text):
    """The names of headings, as GitHub makes them."""
    found = collections.Counter()
    made = set()
    for piece in split(text):
        for line in piece.splitlines() if isinstance(piece, str) else []:
            heading = _HEADING.fullmatch(line)
            if heading:
                words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
                slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
                made.add(f"{slug}-{found[slug]}" if found[slug] else slug)
                found[slug] += 1
    return made
