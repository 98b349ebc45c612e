"""Finds the prose of a source file: comments, docstrings, and the paragraphs of a Markdown page.

A text is a list of (line number, words of that line). Comments on consecutive lines are one text.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

_PYTHON = {".py", ".bzl", ".bazel"}
_C_LIKE = {".cc", ".h", ".c", ".tpl", ".js", ".mjs", ".ts"}
_HASH = {".sh", ".yaml", ".yml", ".awk", ".cmake", ".bazelrc"}
_HASH_NAMES = {"Dockerfile", "CMakeLists.txt", "bazelrc", ".bazelrc"}

# A string, a raw string or a comment of C++ or JavaScript. The one that starts first wins.
_C_TOKEN = re.compile(
    r"""R"(?P<raw>[^\s()\\]{0,16})\(.*?\)(?P=raw)"
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | `(?:[^`\\]|\\.)*`
      | //(?P<line>[^\n]*) | /\*(?P<block>.*?)\*/""",
    re.VERBOSE | re.DOTALL,
)

# A quoted string, or a comment: `#` at the start or behind a space.
_HASH_TOKEN = re.compile(r"""'[^'\n]*' | "(?:[^"\\\n]|\\.)*" | (?:^|(?<=\s))\#(?P<line>[^\n]*)""",
                         re.VERBOSE | re.MULTILINE)

_LIST_ITEM = re.compile(r"\s*([-*•]|\d+[.)])\s+")
_EXAMPLE = re.compile(r"\s{5}|\s*\S.*[^.\s] {2,}\S")
_NO_PROSE = re.compile(r"#+ |\s*<")
_FENCE = re.compile(r"\s*(```|~~~)")


def may_hold_prose(path):
    """Returns whether texts_of reads a file like this one."""
    return _reader(path, "#!sh") is not None


def texts_of(path, source):
    """The texts of a file; none if it is of no kind that holds prose."""
    reader = _reader(path, source)
    return reader(source) if reader else []


def _reader(path, source):
    path = Path(path)
    if path.suffix == ".md":
        return _markdown
    if path.suffix in _C_LIKE:
        return lambda source: _paragraphs(_c_like(source))
    script = re.match(r"#!.*\b(bash|sh|python)", source) if not path.suffix else None
    if path.suffix in _PYTHON or path.name == "WORKSPACE" or (script and script[1] == "python"):
        return lambda source: _paragraphs(_python(source))
    if path.suffix in _HASH or path.name in _HASH_NAMES or script:
        return lambda source: _paragraphs(_hash(source))
    return None


def _paragraphs(comments):
    """Splits comments at empty lines and at list items, and leaves out examples: what is indented, or has columns."""
    for lines in comments:
        text = []
        for number, line in lines:
            example = _EXAMPLE.match(line) or (number == 1 and line.startswith("!"))
            if text and (example or not line.strip() or _LIST_ITEM.match(line)):
                yield text
                text = []
            if line.strip() and not example:
                text.append((number, _without_marker(line)))
        if text:
            yield text


def _without_marker(line):
    marker = _LIST_ITEM.match(line)
    return line[marker.end():] if marker else line


def _joined(comments):
    """Joins comments (line, column, text, whether code precedes it) that stand on consecutive lines of one column."""
    joined, after = [], None
    for line, column, text, behind_code in comments:
        if joined and after == (line, column) and not behind_code:
            joined[-1].append((line, text))
        else:
            joined.append([(line, text)])
        after = (line + 1, column)
    return joined


def _tokens(pattern, source):
    """The (line, column, text, whether code precedes it) of every comment that `pattern` finds."""
    line, position = 1, 0
    for match in pattern.finditer(source):
        line += source.count("\n", position, match.start())
        position = match.start()
        start = source.rfind("\n", 0, position) + 1
        column = position - start
        behind_code = bool(source[start:position].strip())
        groups = match.groupdict()
        if groups.get("line") is not None:
            yield line, column, groups["line"], behind_code
        elif groups.get("block") is not None:
            for index, text in enumerate(groups["block"].split("\n")):
                yield line + index, column, re.sub(r"^\s*\*", "", text), behind_code and index == 0


def _c_like(source):
    return _joined(_tokens(_C_TOKEN, source))


def _hash(source):
    """Leaves out `#> 1.0`, which a script prints (findings/), and `#: aten::relu(...)`, a schema (spec/)."""
    return _joined(comment for comment in _tokens(_HASH_TOKEN, source) if not comment[2].startswith((">", ":")))


def _python(source):
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            comments.append((line, column, token.string[1:], bool(token.line[:column].strip())))
    return _joined(comments) + list(_docstrings(source))


def _docstrings(source):
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, documented) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            lines = first.value.value.split("\n")
            margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
            lines[1:] = [line[margin:] for line in lines[1:]]
            yield [(first.lineno + index, line) for index, line in enumerate(lines)]


def _markdown(source):
    """Paragraphs, list items and the cells of tables; neither code, nor headings, nor the first row of a table."""
    if "Do not edit" in source[:1000]:
        return
    text, fenced, in_table = [], False, False
    for number, line in enumerate([*source.split("\n"), ""], start=1):
        fence = _FENCE.match(line)
        is_row = line.lstrip().startswith("|") and not fenced
        is_prose = line.strip() and not (fence or fenced or is_row or _NO_PROSE.match(line))
        if text and (not is_prose or _LIST_ITEM.match(line)):
            yield text
            text = []
        if is_prose:
            text.append((number, _without_marker(line)))
        if is_row and in_table:
            yield from ([(number, cell)] for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        fenced ^= bool(fence)
        in_table = is_row
