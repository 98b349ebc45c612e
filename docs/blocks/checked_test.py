#!/usr/bin/env -S python3 -B
"""checked_test.py EXTRACTED.textproto... PAGE...: blocks of Starlark and JSON.

Starlark is parsed, as Python, whose grammar has it; calls of rules and functions that users load have no argument that there
is not. (Files of whole workspaces are built by //tests/architecture:example_workspaces.) JSON is read; the options on the
page about C have keys that the page's table has, which //runtime/api/options:options_test holds against the library.
"""

import ast
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.getcwd())
from docs import markdown, rules_page  # noqa: E402

FILES = [os.path.normpath(path) for path in sys.argv[1:]]
del sys.argv[1:]
BLOCKS = [one for path in FILES if path.endswith(".md") for one in markdown.blocks(markdown.read(path), path)]


def known():
    """Name of each rule and function for users to the names of its arguments."""
    found = {}
    for path in FILES:
        module = rules_page.parse(markdown.read(path)) if path.endswith(".textproto") else {}
        for rule in module.get("rule_info", []) + module.get("repository_rule_info", []):
            found[rule["rule_name"][0]] = {one["name"][0] for one in rule.get("attribute", [])} | {"name", "tags", "visibility"}
        for function in module.get("func_info", []):
            found[function["function_name"][0]] = {one["name"][0] for one in function.get("parameter", [])}
        for extension in module.get("module_extension_info", []):
            for tag in extension.get("tag_class", []):
                name = f"{extension['extension_name'][0]}.{tag['tag_name'][0]}"
                found[name] = {one["name"][0] for one in tag.get("attribute", [])}
    return found


def wrong(block, functions):
    """Arguments of calls that there are not."""
    for call in ast.walk(ast.parse(block.text)):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in functions:
            arguments = functions[ast.unparse(call.func)]
            for keyword in call.keywords:
                if keyword.arg not in arguments and "kwargs" not in arguments:
                    yield f"{block.path}:{block.line + call.lineno}: {ast.unparse(call.func)} has no argument {keyword.arg}"


class Blocks(unittest.TestCase):
    def test_starlark(self):
        functions = known()
        self.assertLessEqual({"onnx_model", "onnx_models", "onnx_exporter", "onnx_verify_test", "onnxport.release"}, set(functions))
        starlark = [block for block in BLOCKS if block.language == "starlark"]
        self.assertGreater(len(starlark), 15)
        self.assertEqual([one for block in starlark for one in wrong(block, functions)], [])

    def test_other_arguments_are_seen(self):
        block = markdown.Block("p.md", 3, "starlark", 'onnx_model(\n    name = "a",\n    modle = "b",\n)\n', "")
        self.assertEqual(list(wrong(block, {"onnx_model": {"name", "model"}})), ["p.md:4: onnx_model has no argument modle"])

    def test_json(self):
        found = [block for block in BLOCKS if block.language == "json"]
        self.assertGreater(len(found), 1)
        table = set(re.findall(r"^\| `([\w.]+)` \|", markdown.read("docs/options.md"), re.M))
        for block in found:
            read = json.loads(block.text)
            if block.path == "docs/c.md":
                self.assertLessEqual(set(read), table)


if __name__ == "__main__":
    unittest.main()
