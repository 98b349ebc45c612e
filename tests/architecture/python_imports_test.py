#!/usr/bin/env -S python3 -B
"""No modules of the Python package import each other in a circle: not in functions and not for types either."""

import ast
import os
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PACKAGE = os.path.join(ROOT, "python", "onnxport")


def imports(path):
    """The modules of the package that a file names in an import."""
    with open(path, encoding="utf-8") as text:
        tree = ast.parse(text.read(), path)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from [node.module] if node.module else [alias.name for alias in node.names]


def circle(graph):
    """The modules of a circle, or nothing."""
    done = set()

    def walk(module, above):
        if module in above:
            return above[above.index(module) :]
        if module in done:
            return []
        found = next(filter(None, (walk(other, [*above, module]) for other in graph.get(module, ()))), [])
        done.add(module)
        return found

    return next(filter(None, (walk(module, []) for module in graph)), [])


class PythonImports(unittest.TestCase):
    def test_have_no_circle(self):
        files = [file for file in os.listdir(PACKAGE) if file.endswith(".py")]
        graph = {file[:-3]: sorted(set(imports(os.path.join(PACKAGE, file)))) for file in files}
        self.assertIn("_verify", graph["_model"])
        self.assertEqual(circle(graph), [])

    def test_a_circle_is_found(self):
        self.assertEqual(circle({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}), ["b", "d"])


if __name__ == "__main__":
    unittest.main()
