"""options.py markdown|typescript|python: documents made of the table of options, `exporter options --json` on stdin."""

import json
import sys
import textwrap

# The type of a value in each language.
_FORMS = {
    "flag": ("true or false", "boolean", "bool"),
    "number": ("number", "number", "float"),
    "text": ("text", "string", "str"),
    "texts": ("list of texts", "string[]", "Sequence[str]"),
    "path": ("path", "ModelFile", "str | os.PathLike[str]"),
    "numbers": ("object of numbers", "Record<string, number>", "Mapping[str, int]"),
    "objects": ("list of objects", None, "Sequence[Mapping[str, Any]]"),
}
# Python takes more than JSON has.
_IN_PYTHON = {
    "disabled_passes": 'Sequence[str] | Literal["all"]',
    "functions": "bool | Sequence[str]",
    "map": "Mapping[str, str] | Sequence[str]",
    "max_seconds": "float",
}
# Parameters of torch.onnx.export, which has names of its own for them.
_OF_TORCH = {"external_data", "input_names", "keep_initializers_as_inputs", "output_names", "training"}


def sentence(option):
    """The help of the option, as a sentence about the value that is not the default."""
    before = "`false`: " if option.get("default") else ""
    return before + option["help"]


def markdown(options):
    """docs/options.md"""
    yield "# Options\n"
    yield "The options of an export, by their names in JSON (C, Rust, R ...), Python, JavaScript and C++: members of"
    yield "`ExportOptions` and `SaveOptions`. The command has a flag for most. The page is made of `onnxport/options.h`.\n"
    yield "| name | value | flag of the command | meaning | since |\n| --- | --- | --- | --- | --- |"
    for option in options:
        value = " or ".join(f"`{word}`" for word in option.get("words", [])) or _FORMS[option["form"]][0]
        if option["name"] == "disabled_passes":
            value += ', or `"all"`'
        flag = " ".join(part for part in (option.get("flag"), option.get("takes")) if part)
        meaning = sentence(option).replace("|", "\\|").replace("*", "\\*")
        yield f"| `{option['name']}` | {value} | {f'`{flag}`' if flag else ''} | {meaning} | {option['since']} |"


def typescript(options):
    """web/options.d.ts"""
    yield "// The options of an export. Made of onnxport/options.h: `./bazelw run //docs:update`."
    yield 'import type {ModelFile} from "./exporter.js";\n'
    yield "export interface ExportOptions {"
    for option in options:
        name, form = option["name"], option["form"]
        if "." in name:
            continue
        yield from comment(sentence(option), "  ")
        kind = " | ".join(f'"{word}"' for word in option.get("words", [])) or _FORMS[form][1]
        if name == "disabled_passes":
            kind += ' | "all"'
        if form == "objects":
            inner = [other for other in options if other["name"].startswith(name + ".")]
            fields = (f"{other['name'].removeprefix(name + '.')}: {_FORMS[other['form']][1]}" for other in inner)
            kind = "{" + "; ".join(field.replace("sizes:", "sizes?:") for field in fields) + "}[]"
        yield f"  {name}?: {kind} | null;"
    yield "}"


def comment(text, indent):
    """A comment of TypeScript."""
    lines = textwrap.wrap(text + ".", 110)
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"


def python(options):
    """python/onnxport/_keywords.py"""
    yield '"""The options of `export` that torch.onnx.export does not have. Made of onnxport/options.h."""\n'
    yield "from __future__ import annotations\n"
    yield "import os\nfrom collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, TypedDict\n\n"
    yield "class Options(TypedDict, total=False):"
    yield '    """None, or nothing, is the default."""\n'
    for option in options:
        name = option["name"]
        if "." in name or name in _OF_TORCH:
            continue
        words = ", ".join(f'"{word}"' for word in option.get("words", []))
        kind = _IN_PYTHON.get(name) or (f"Literal[{words}]" if words else _FORMS[option["form"]][2])
        if option["form"] == "number" and name != "max_seconds":
            kind = "int"
        yield from (f"    # {line}" for line in textwrap.wrap(sentence(option) + ".", 110))
        yield f"    {name}: {kind} | None"


if __name__ == "__main__":
    print("\n".join({"markdown": markdown, "typescript": typescript, "python": python}[sys.argv[1]](json.load(sys.stdin))))
