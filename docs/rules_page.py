"""rules_page.py OUT EXTRACTED.textproto...: docs/rules_reference.md, from what Bazel's starlark_doc_extract has read."""

import re
import sys

_TOKEN = re.compile(r'\s*(?:(\w+)(?::|\s*(?={))|("(?:[^"\\]|\\.)*")|([{}])|([^\s{}"]+))')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def _text(quoted):
    """A string of a textproto, whose bytes above 127 are octal."""

    def one(match):
        code = match[1]
        return chr(int(code, 8)) if code[0].isdigit() else _ESCAPES.get(code, code)

    return re.sub(r"\\([0-7]{1,3}|.)", one, quoted[1:-1]).encode("latin-1").decode()


def parse(text):
    """Message -> {field: [values]}; a value is a message, or text."""
    root = {}
    stack = [root]
    field = None
    for match in _TOKEN.finditer(text):
        name, string, brace, word = match.groups()
        if name:
            field = name
        elif brace == "{":
            stack.append({})
            stack[-2].setdefault(field, []).append(stack[-1])
        elif brace == "}":
            stack.pop()
        elif string and isinstance((stack[-1].get(field) or [None])[-1], str) and text[: match.start()].rstrip().endswith('"'):
            stack[-1][field][-1] += _text(string)  # one text in several pieces
        else:
            stack[-1].setdefault(field, []).append(_text(string) if string else word)
    return root


def _one(message, field, default=""):
    return message.get(field, [default])[0]


def _cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def _table(rows):
    lines = ["| argument | default | meaning |", "| --- | --- | --- |"]
    for name, default, mandatory, text in rows:
        lines.append(f"| `{name}` | {'needed' if mandatory else f'`{default}`'} | {_cell(text)} |")
    return "\n".join(lines)


def _arguments(rule, attributes, name, default, text, *, without=("name", "kwargs")):
    # A target's name needs no text.
    rows = [
        (_one(one, name), _one(one, default), _one(one, "mandatory") == "true", _one(one, text))
        for one in rule.get(attributes, [])
        if _one(one, name) not in without
    ]
    return _table(rows) if rows else ""


def entries(module):
    """Name to its section."""
    for rule in module.get("rule_info", []) + module.get("repository_rule_info", []):
        yield _one(rule, "rule_name"), [
            _one(rule, "doc_string"),
            _arguments(rule, "attribute", "name", "default_value", "doc_string"),
        ]
    for function in module.get("func_info", []):
        parts = [_one(function, "doc_string"), _arguments(function, "parameter", "name", "default_value", "doc_string")]
        yield _one(function, "function_name"), parts
    for extension in module.get("module_extension_info", []):
        for tag in extension.get("tag_class", []):
            name = f"{_one(extension, 'extension_name')}.{_one(tag, 'tag_name')}"
            arguments = _arguments(tag, "attribute", "name", "default_value", "doc_string", without=())
            yield name, [_one(tag, "doc_string"), arguments]


def main():
    """See the file's comment."""
    out, *sources = sys.argv[1:]
    page = [
        "<!-- Generated from rules/ and third_party/. Do not edit: `./bazelw run //docs:update` writes it. -->",
        "# Bazel rules: reference",
        "[rules.md](rules.md) says how they are used.",
    ]
    for source in sources:
        with open(source, encoding="utf-8") as file:
            module = parse(file.read())
        page.append(f"## `@onnxport{re.sub('^@+[a-z]*', '', _one(module, 'file'))}`")
        for name, parts in sorted(entries(module)):
            page += [f"### {name}"] + [part.strip() for part in parts if part]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n\n".join(page) + "\n")


if __name__ == "__main__":
    main()
