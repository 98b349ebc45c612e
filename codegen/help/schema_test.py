#!/usr/bin/env -S python3 -B
"""schema_test.py CODEGEN SPEC.yaml...: all specs fit the JSON schema that CODEGEN --schema prints, and what is wrong does not.

The validator here has what that schema uses of draft 7, and refuses a schema with anything else in it.
"""

import json
import re
import subprocess
import sys

import yaml

_TYPES = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
_NOTES = {"$schema", "title", "description", "definitions"}


class Validator:
    """Validates values against one schema."""

    def __init__(self, schema):
        self.root = schema

    def mistakes(self, value, schema, place="file"):
        """All that does not fit, in words."""
        if "$ref" in schema:
            return self.mistakes(value, self.root["definitions"][schema["$ref"].removeprefix("#/definitions/")], place)
        found = []
        for word, wanted in schema.items():
            if word in _NOTES or word in ("then", "else", "properties"):
                continue
            check = getattr(self, "_" + word, None)
            if check is None:
                raise SystemExit(f"the schema has `{word}`, which this validator has not")
            found += [f"{place}: {mistake}" if ": " not in mistake else mistake for mistake in check(value, wanted, schema, place)]
        for key, below in schema.get("properties", {}).items():
            if isinstance(value, dict) and key in value:
                found += self.mistakes(value[key], below, f"{place}/{key}")
        return found

    def _type(self, value, wanted, *_):
        wanted = wanted if isinstance(wanted, list) else [wanted]
        return [] if any(_TYPES[one](value) for one in wanted) else [f"{value!r} is no {' or '.join(wanted)}"]

    def _const(self, value, wanted, *_):
        return [] if value == wanted and isinstance(value, type(wanted)) else [f"{value!r} is not {wanted!r}"]

    def _enum(self, value, wanted, *_):
        return [] if value in wanted else [f"{value!r} is none of {wanted}"]

    def _pattern(self, value, wanted, *_):
        return [] if not isinstance(value, str) or re.search(wanted, value) else [f"{value!r} is no {wanted}"]

    def _minimum(self, value, wanted, *_):
        return [] if not _TYPES["number"](value) or value >= wanted else [f"{value} is below {wanted}"]

    def _minItems(self, value, wanted, *_):
        return [] if not isinstance(value, list) or len(value) >= wanted else ["an empty list"]

    def _minProperties(self, value, wanted, *_):
        return [] if not isinstance(value, dict) or len(value) >= wanted else ["an empty map"]

    def _required(self, value, wanted, *_):
        return [f"no `{key}`" for key in wanted if isinstance(value, dict) and key not in value]

    def _items(self, value, wanted, _, place):
        items = value if isinstance(value, list) else []
        return [mistake for i, item in enumerate(items) for mistake in self.mistakes(item, wanted, f"{place}/{i}")]

    def _additionalProperties(self, value, wanted, schema, place):
        others = [key for key in value if key not in schema.get("properties", {})] if isinstance(value, dict) else []
        if wanted is False:
            return [f"no key `{key}`" for key in others]
        return [mistake for key in others for mistake in self.mistakes(value[key], wanted, f"{place}/{key}")]

    def _anyOf(self, value, wanted, _, place):
        each = [self.mistakes(value, one, place) for one in wanted]
        return [] if not all(each) else min(each, key=len)

    def _allOf(self, value, wanted, _, place):
        return [mistake for one in wanted for mistake in self.mistakes(value, one, place)]

    def _if(self, value, wanted, schema, place):
        branch = "else" if self.mistakes(value, wanted, place) else "then"
        return self.mistakes(value, schema.get(branch, {}), place)


_HEADER = "spec: 1\nfamily: x\nops:\n"
_WRONG = [
    "spec: 1\nfamily: x\n",
    "spec: 2\nfamily: x\nops: [{op: a, emit: self}]\n",
    _HEADER + "- {op: 'aten::relu', emti: self}\n",
    _HEADER + "- {emit: self}\n",
    _HEADER + "- {}\n",
    _HEADER + "- {op: 'aten::relu', since: soon, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', override: false, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', cases: [{wehn: 1, emit: self}]}\n",
    _HEADER + "- {op: 'aten::relu', cases: {emit: self}}\n",
    _HEADER + "- {op: 'aten::relu', let: {y: {cases: [{when: a}]}}, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', let: [y], emit: self}\n",
    _HEADER + "- {op: 'aten::relu', promote: {of: [self], kind: double}, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', compute_in: {half: f32}, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', fold: {init: {x: 1}}, emit: self}\n",
    _HEADER + "- {op: 'aten::relu', def: {'f(x)': {lets: {y: x}, emit: y}}, emit: 'f(self)'}\n",
    _HEADER + "- {def: 'f(x)', emit: {y: [x]}}\n",
    _HEADER + "- {def: 'f(x)', tests: ['f(1)'], emit: x}\n",
    _HEADER + "- {schema: acme.Foo, types: {T: [f32]}}\n",
]


def main():
    """See the file's comment."""
    codegen, *specs = sys.argv[1:]
    validator = Validator(json.loads(subprocess.run([codegen, "--schema"], check=True, capture_output=True).stdout))
    failures = []
    for path in specs:
        with open(path, encoding="utf-8") as file:
            failures += [f"{path}: {mistake}" for mistake in validator.mistakes(yaml.safe_load(file), validator.root)]
    if len(specs) < 40:
        failures.append(f"only {len(specs)} specs")
    failures += [f"must not fit:\n{text}" for text in _WRONG if not validator.mistakes(yaml.safe_load(text), validator.root)]
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
