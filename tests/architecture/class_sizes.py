"""class_sizes.py EXCEPTIONS HEADER...: complains of classes with more than 25 public functions.

Each declaration counts, also of an overload. Constructors, destructors, friends, and what is deleted or defaulted do not. A line of
EXCEPTIONS is the name of a class with those that it lies in, and the reason why it may have more.
"""

import re
import sys

MOST = 25

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|^[ \t]*#(?:\\\n|[^\n])*', re.MULTILINE | re.DOTALL)
ACCESS = re.compile(r"\s*(public|protected|private)\s*:(?!:)")
# `class Name`, with what it is derived from.
CLASS = re.compile(r"(?:template )?(class|struct|union) (\w+(?:::\w+)*)(?: final)?(?: ?:[^()=]*)?$")
NAMESPACE = re.compile(r"(inline )?namespace\b|extern ?$")
# A comma at the beginning continues the initializers of a constructor.
NO_FUNCTION = re.compile(r"(,|(using|friend|typedef|static_assert|enum)\b)|.*= ?(delete|default)$")
FUNCTION = re.compile(r"[^=(]*?(operator ?(?:\(\)|[^\s(]+)|~?\w+) ?\(")


def plain(text):
    """The text of a header without what its comments, literals, parentheses and template arguments hold."""
    text = NO_CODE.sub(" ", text).replace("->", " ")
    while (shorter := re.sub(r"\([^()]+\)", "()", text)) != text:
        text = shorter
    while (shorter := re.sub(r"(?<!operator)<[^<>;{}]*>", " ", text)) != text:
        text = shorter
    text = re.sub(r"\[\[[^\]]*\]\]|\brequires \w*(::\w+)* ?(\(\))?|\balignas\(\)", " ", text)
    return re.sub(r"\s+", " ", text)


def is_counted(declaration, owner):
    """Returns whether a declaration in a class of that name is one of a function that counts."""
    declaration = re.sub(r"^template ", "", declaration)
    function = FUNCTION.match(declaration)
    return bool(function) and not NO_FUNCTION.match(declaration) and function[1].lstrip("~") != owner


def sizes(text):
    """{a class, with those that it lies in: the number of its public functions} of a header."""
    found = {}
    scopes = []  # (name, or None where it is no class; whether functions are public now)
    head = ""
    for piece in re.findall(r"[{};]|[^{};]+", plain(text)):
        if piece not in "{};":
            head = piece
            while scopes and scopes[-1][0] and (access := ACCESS.match(head)):
                scopes[-1] = (scopes[-1][0], access[1] == "public")
                head = head[access.end():]
            head = head.strip()
            continue
        name, public = scopes[-1] if scopes else (None, False)
        begun = CLASS.match(head) if piece == "{" else None
        if name and public and piece != "}" and not begun and is_counted(head, name.split("::")[-1]):
            found[name] += 1
        if begun:
            inside = f"{name}::{begun[2]}" if name else begun[2]
            found.setdefault(inside, 0)
            scopes.append((inside, begun[1] != "class"))
        elif piece == "{":
            scopes.append((None, False))
        elif piece == "}":
            scopes.pop()
        head = ""
    return found


def exceptions(path):
    """{class: reason} of the file."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return {name: reason.strip() for name, _, reason in (line.partition(" ") for line in lines)}


def complaints(allowed, headers):
    """The mistakes, a line each. `allowed`: {class: reason}; `headers`: {path: text}."""
    found = []
    large = set()
    for path, text in headers.items():
        for name, size in sizes(text).items():
            if size <= MOST:
                continue
            large.add(name)
            if name not in allowed:
                found.append(f"{path}: {name} has {size} public functions; {MOST} is the most")
    for name, reason in allowed.items():
        if name not in large:
            found.append(f"no class {name} has more than {MOST} public functions: it needs no exception")
        if not reason:
            found.append(f"no reason is given for {name}")
    return found


def read(path):
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    said = complaints(exceptions(sys.argv[1]), {path: read(path) for path in sys.argv[2:]})
    for line in said:
        print(line)
    sys.exit(1 if said else 0)
