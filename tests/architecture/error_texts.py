"""error_texts.py PAGE SOURCE...: every message that the page quotes is in a source file, but for names and numbers in it.

A quotation counts as a message when it has four words and is no command or path. The sources say it in pieces, with holes between
them: so what lies between the names and numbers is looked for, if need be in two parts.
"""

import re
import sys

# Messages of the shell, the system and ONNX Runtime.
OF_OTHERS = [
    "cannot execute: required file not found",
    "No such file or directory",
    "NOT_IMPLEMENTED : Could not find an implementation for",
    "Unsupported model IR version",
    "max supported IR version",
    "is not a registered function/op",
    "External data path does not exist",
    "Got invalid dimensions for input",
]

COMMAND = re.compile(r"[\w./]+$|exporter |\./bazelw |sudo |torch\.|model\.|--|def |\w+ ?= ?|[{$]")

# `x`, 'x', [n, 3], (1), anything with a number in it, N, a function, and what the page leaves out.
VALUE = re.compile(r"""`[^`]*`|'[^']*'|\[[^\]]*\]|\S*\d\S*|\bN\b|torch\.mul|\.\.\.""")


def quotations(page):
    """The texts in backquotes, without what stands between lines of ```."""
    text = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL).replace("\n", " ")
    return [two or one for two, one in re.findall(r"`` ?(.+?) ?``|`([^`]+)`", text)]


def is_message(quotation):
    """Returns whether the quotation is one that a program prints."""
    return len(re.findall(r"[A-Za-z]{2,}", quotation)) >= 4 and not COMMAND.match(quotation)


def fragments(message):
    """Returns the parts that do not depend on the model: more than two letters each."""
    pieces = [piece for text in VALUE.split(message) for piece in re.split(r"[:;] ", text)]
    return [piece for piece in (piece.strip(" ,;:()") for piece in pieces) if len(piece) > 2]


def source_text(source):
    """With its string literals in one line each."""
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*"', "", source))


def contains(texts, words, before=("",), after=("",)):
    """Returns whether one of the texts has the words, between these."""
    return any(left + words + right in text for text in texts for left in before for right in after)


def is_said(fragment, texts):
    """Returns whether a source has the fragment in one literal, or split between the end of one and the beginning of
    another."""
    words = fragment.split()
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(2, len(words) - 1)]
    return contains(texts, fragment) or any(
        contains(texts, first, after=('"', ' "', " {")) and contains(texts, last, before=('"', '" ', "} "))
        for first, last in cuts)


def unsaid(page, sources):
    """(message, fragment) of what no source has, and the number of messages."""
    texts = [source_text(source) for source in sources] + OF_OTHERS
    messages = [quotation for quotation in quotations(page) if is_message(quotation)]
    return [(message, part) for message in messages for part in fragments(message) if not is_said(part, texts)], len(messages)


def read(path):
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    found, count = unsaid(read(sys.argv[1]), [read(path) for path in sys.argv[2:]])
    for message, part in found:
        print(f"no source says `{part}`: {message}")
    print(f"{count} messages")
    sys.exit(1 if found or count < 40 else 0)
