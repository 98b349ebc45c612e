#!/usr/bin/env -S python3 -B
"""Tests `exporter inspect` on ONNX files. The text has the types of all values. The page is well-formed, loads nothing
and holds what it should, whatever names the file has."""

import collections
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import onnx
from onnx import TensorProto, helper

FOLDER = pathlib.Path(tempfile.mkdtemp())


def exporter(*words):
    return subprocess.run([os.environ["EXPORTER"], *map(str, words)], capture_output=True, text=True)


def tables(page):
    """The rows of all tables under each heading."""
    found = collections.defaultdict(list)
    heading = None
    for element in ElementTree.fromstring(page).iter():
        if element.tag == "h2":
            heading = element.text
        if element.tag == "table":
            rows = [["".join(cell.itertext()) for cell in row] for row in element.iter("tr")]
            found[heading] += rows
    return found


def page_of(model):
    page = FOLDER / "page.html"
    done = exporter("inspect", model, "--html", page)
    assert done.returncode == 0, done.stderr
    return page.read_text(encoding="utf-8")


class Inspect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mnist = FOLDER / "mnist.onnx"
        assert exporter("export", os.environ["MNIST"], "-o", cls.mnist).returncode == 0

    def test_the_text_has_the_type_of_every_value(self):
        text = exporter("inspect", self.mnist).stdout
        nodes = [line for line in text.splitlines() if re.search(r" = \w+ ?[<(]", line) and "<float" not in line]
        self.assertEqual(len(nodes), 10, text)
        for line in nodes:
            self.assertRegex(line, r"  # float32\[s77,[0-9,]+\]$")

    def test_the_text_has_what_nested_graphs_and_functions_have(self):
        body = helper.make_graph(
            [helper.make_node("Neg", ["x"], ["n"])], "body", [], [helper.make_tensor_value_info("n", 1, None)]
        )
        same = helper.make_graph(
            [helper.make_node("Abs", ["x"], ["m"])], "same", [], [helper.make_tensor_value_info("m", 1, None)]
        )
        twice = helper.make_function(
            "own", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 18)]
        )
        nodes = [
            helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=same),
            helper.make_node("Twice", ["y"], ["z"], domain="own"),
        ]
        graph = helper.make_graph(
            nodes,
            "main",
            [helper.make_tensor_value_info("c", TensorProto.BOOL, []), helper.make_tensor_value_info("x", 1, ["n", 3])],
            [helper.make_tensor_value_info("z", 1, ["n", 3])],
        )
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]
        path = FOLDER / "nested.onnx"
        onnx.save(helper.make_model(graph, functions=[twice], opset_imports=opsets, ir_version=8), path)
        text = exporter("inspect", path).stdout
        for part in ("Neg", "Abs", "Twice (a) => (b)", "# float32[n,3]"):
            self.assertIn(part, text)
        self.assertIn(["own.Twice", "1", ""], tables(page_of(path))["Operators"])
        self.assertIn(["Neg", "1", ""], tables(page_of(path))["Operators"])

    def test_the_page_shows_the_model(self):
        found = tables(page_of(self.mnist))
        self.assertIn(["opset", "18"], found["Model"])
        self.assertIn(["nodes", "10"], found["Model"])
        self.assertIn(["x", "float32[s77,1,28,28]"], found["Inputs"])
        self.assertIn(["output", "float32[s77,10]"], found["Outputs"])
        self.assertIn(["s77", "x axis 0, output axis 0"], found["Free axes"])
        self.assertEqual(found["Operators"][1], ["Relu", "3", ""])
        self.assertIn(["Conv", "2", ""], found["Operators"])
        self.assertEqual(found["Weights"][1], ["fc1.weight", "float32[16,2304]", "144.0 KiB", ""])
        nodes = [row for row in found["Nodes"] if row[0] != "gives"]
        self.assertEqual(len(nodes), 10)
        self.assertIn(["output", "float32[s77,10]", "LogSoftmax"], [row[:3] for row in nodes])

    def test_the_page_groups_nodes_by_modules(self):
        names = ["/encoder/0/Add", "/encoder/1/Add", "Neg"]
        values = ["x", "a", "b", "y"]
        kinds = [("Add", 2), ("Add", 2), ("Neg", 1)]
        nodes = [
            helper.make_node(kind, [values[i], "w"][:count], [values[i + 1]], name=names[i])
            for i, (kind, count) in enumerate(kinds)
        ]
        ports = [helper.make_tensor_value_info(name, 1, [2]) for name in "xy"]
        weight = helper.make_tensor("w", 1, [2], [1, 2])
        path = FOLDER / "modules.onnx"
        onnx.save(helper.make_model(helper.make_graph(nodes, "g", ports[:1], ports[1:], [weight]), ir_version=8), path)
        groups = list(ElementTree.fromstring(page_of(path)).iter("details"))
        told = ["".join(group.find("summary").itertext()) for group in groups]
        weights = ", 8 bytes of weights"
        self.assertEqual(told, ["encoder 2 nodes" + weights, "0 1 node" + weights, "1 1 node"])
        self.assertEqual([group.get("open") for group in groups], ["open", None, None])
        rows = [[cell.text for cell in row] for row in groups[1].iter("tr")]
        self.assertEqual(rows[1][:3], ["a", "float32[2]", "Add"])

    def test_the_page_loads_nothing(self):
        page = page_of(self.mnist)
        for word in ("http:", "https:", "<script", "<link", "<img", "src=", "href=", "url(", "@import"):
            self.assertNotIn(word, page)

    def test_names_are_text(self):
        name = 'x"><script>alert(1)</script>&\x1b[31m\x00'
        graph = helper.make_graph(
            [helper.make_node("Relu", [name], ["y"])],
            "g",
            [helper.make_tensor_value_info(name, 1, ["<b>", 2])],
            [helper.make_tensor_value_info("y", 1, None)],
        )
        path = FOLDER / "names.onnx"
        onnx.save(helper.make_model(graph, ir_version=8), path)
        page = page_of(path)
        self.assertNotIn("<script", page)
        self.assertNotIn("\x1b", page)
        self.assertIn([name.replace("\x1b", "\\x1b").replace("\x00", "\\x00"), "float32[<b>,2]"], tables(page)["Inputs"])

    def test_what_is_refused(self):
        done = exporter("inspect", os.environ["MNIST"], "--html", FOLDER / "no.html")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("export it first", done.stderr)
        self.assertFalse((FOLDER / "no.html").exists())
        self.assertEqual(exporter("inspect", self.mnist, "--html", "/nowhere/page.html").returncode, 4)


if __name__ == "__main__":
    unittest.main()
