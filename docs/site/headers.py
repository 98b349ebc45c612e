"""A public header as a page: its declarations, each with its comment as text.

Headers are formatted by clang-format, so a declaration ends where its last bracket closes. A comment of whole lines in
front of one is its text; comments within it stay in the code. Left out is what callers do not use: bodies of functions,
private members, names of the namespaces below onnxport.
"""

import re

_COMMENT = re.compile(r"(//|/\*| \*)")
_KIND = r"(?:class|struct|union|enum(?: class)?)"
_TYPE = re.compile(rf"(?:typedef )?{_KIND}\s+(?:\[\[\w+\]\]\s+)?(\w+)|using\s+(\w+)\s*=|enum {{ (\w+)")
_FUNCTION = re.compile(r"(\w+)\s*[(=;{[]")
_SKIPPED = re.compile(r'(#|namespace |}  // namespace|}? ?/\* extern|extern "C"|using enum|class \w+;)')


def _bare(line):
    """Without texts and comments, whose brackets do not count."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
    return re.sub(r"//.*|/\*.*?\*/|/\*.*|^\s*\* .*", "", line)


def _depth(line):
    bare = _bare(line)
    return sum(bare.count(c) for c in "{([") - sum(bare.count(c) for c in "})]")


def _public(text):
    """Lines that are not within a namespace below onnxport."""
    internal = False
    for line in text.splitlines():
        internal = internal or line.startswith("namespace onnxport::")
        if not internal:
            yield line
        internal = internal and not line.startswith("}  // namespace onnxport::")


def items(text):
    """Pairs of comment and code, each a list of lines; code is empty for a comment that stands alone."""
    comment, code, depth, in_comment = [], [], 0, False
    for line in _public(text):
        if not code and (in_comment or _COMMENT.match(line)):
            comment.append(line)
            in_comment = ("/*" in line or in_comment) and "*/" not in line
        elif not code and (not line.strip() or _SKIPPED.match(line)):
            if comment:
                yield comment, []
            comment = []
        else:
            code.append(line)
            depth += _depth(line)
            if depth == 0 and _bare(line).rstrip().endswith((";", "}")):
                yield comment, code
                comment, code = [], []


def _escaped(line):
    """Characters that mean something in Markdown, where they are not code."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else re.sub(r"([<>*_\[\]\\])", r"\\\1", part) for part in parts)


def prose(comment):
    """The comment as Markdown. Lines that are further in are code."""
    lines = [re.sub(r"^(// ?|/\* ?| \*/?(?: |$))", "", line).removesuffix("*/").rstrip() for line in comment]
    made, code = [], []
    for line in [*lines, "end"]:
        if line.startswith("  ") or (code and not line):
            code.append(line[2:])
            continue
        if code:
            made += ["```cpp", *"\n".join(code).rstrip().splitlines(), "```", ""]
            code = []
        made.append(_escaped(line))
    return "\n".join(made[:-1]).strip()


def name(code):
    """The name that the code declares."""
    text = re.sub(r"^template <.*?> ", "", " ".join(_bare(line).strip() for line in code))
    found = _TYPE.match(text)
    if found:
        return next(filter(None, found.groups()))
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return _FUNCTION.search(text)[1]


def declaration(code):
    """Without the body of a function, and without private members."""
    made = []
    private = False
    for line in code:
        if line.strip() in ("private:", "public:"):
            private = line.strip() == "private:"
        if private and not line.startswith("}"):
            continue
        is_type = any(re.match(_KIND, one) for one in [*made, line])
        if not is_type and line.endswith(" {"):
            return [*made, line.removesuffix(" {") + ";"]
        made.append(line)
    return [line for i, line in enumerate(made) if line or made[i + 1] != "};"]


def page(path, text):
    """The Markdown of the header `path` with that text."""
    made = [f"# `{path}`"]
    last = None
    for place, (comment, code) in enumerate(items(text)):
        if code and name(code) != last:  # not for each overload
            last = name(code)
            made.append(f"## {last}")
        if comment:
            made.append(prose(comment))
        if code:
            made.append("\n".join(["```cpp", *declaration(code), "```"]))
        if place == 0 and f'#include "{path}"' not in made[-1]:
            made.append(f'```cpp\n#include "{path}"\n```')
    return "\n\n".join(made) + "\n"
