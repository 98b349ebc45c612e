"""codes.py: docs/codes.md, made of the table of codes, `exporter explain --json` on stdin."""

import json
import sys

_THEMES = {
    "E00": "What was asked for",
    "E01": "The program",
    "E02": "Operators and calls",
    "E03": "Files that are read",
    "E04": "Limits, weights and what is written",
    "E05": "Mistakes of the exporter",
    "W06": "Warnings",
}


def escaped(text):
    """Markdown that shows the text."""
    return "".join("\\" + char if char in "\\*_<>[]|" else char for char in text)


def page(codes):
    yield "# Codes of messages\n"
    yield "Each error and warning has a code: `exporter: error[E0104]: ...`. A number keeps its meaning from release to release."
    yield "`exporter explain E0104` prints the same as this page, which is made of `onnxport/codes.cc`.\n"
    theme = ""
    for code in codes:
        if code["code"][:3] != theme:
            theme = code["code"][:3]
            yield f"## {_THEMES[theme]}\n"
        yield f"### {code['code']}: {escaped(code['title'])}\n"
        yield escaped(code["explanation"]) + "\n"
        yield f"Example: {escaped(code['example'])}\n"
        yield f"Way out: {escaped(code['way_out'])}\n"


if __name__ == "__main__":
    print("\n".join(page(json.load(sys.stdin))).rstrip())
