#!/usr/bin/env -S python3 -B
"""Gives hostile characters to each text of each kind of file, one after another, and looks at all output of the
command. It must not steer a terminal, have a line that the file wrote, or show text in another order than it has."""

import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zipfile

import onnx
from onnx import helper

EXPORTER = pathlib.Path(os.environ["EXPORTER"]).absolute()
MODELS = pathlib.Path(os.environ["MODELS"]).resolve()
AXIS = ["--input", "x=f32[batch,4]"]

# A line end before a line of its own, ESC, BEL, DEL, C1, line and paragraph separators, marks of the direction.
BAD = "\nFORGED \x1b[2J\x07\x7f\x9b\u2028\u2029\u202e\u2066\u200f."
# Includes bytes that are not UTF-8.
BAD_BYTES = BAD.encode() + b"\xff\x9b"
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|^FORGED", re.MULTILINE
)


def texts_of(value):
    """All keys and texts of a JSON document."""
    if isinstance(value, str):
        yield value
    if isinstance(value, list):
        for element in value:
            yield from texts_of(element)
    if isinstance(value, dict):
        for key, element in value.items():
            yield key
            yield from texts_of(element)


def renamed(value, old, new):
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [renamed(element, old, new) for element in value]
    if isinstance(value, dict):
        return {renamed(key, old, new): renamed(element, old, new) for key, element in value.items()}
    return value


def records_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_archive(path, records):
    with zipfile.ZipFile(path, "w") as archive:
        for name, held in records.items():
            archive.writestr(zipfile.ZipInfo(name), held)


def with_longer_text(pickle, text, end):
    """The pickle with `end` behind that text, wherever it stands; the pickle itself if it does not."""
    unicode = b"X" + struct.pack("<I", len(text)) + text
    longer = text + end
    return pickle.replace(unicode, b"X" + struct.pack("<I", len(longer)) + longer)


def pickled_texts(pickle):
    found = set()
    for match in re.finditer(rb"X(....)", pickle, re.DOTALL):
        size = struct.unpack("<I", match.group(1))[0]
        text = pickle[match.end() : match.end() + size]
        if 0 < size < 100 and text.isascii():
            found.add(text)
    return sorted(found)


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(dir=os.environ["TEST_TMPDIR"])))
        self.shown = 0

    def run_and_look(self, what, *words):
        """Runs the command; looks at what it says, and at what it writes that is text."""
        done = subprocess.run([EXPORTER, *map(str, words)], cwd=self.folder, capture_output=True, check=False)
        self.assertIn(done.returncode, [0, 1, 2, 3, 4], done.stderr)
        written = {"stdout": done.stdout, "stderr": done.stderr}
        for path in self.folder.glob("out*"):
            written[path.name] = path.read_bytes()
            path.unlink()
        for name, held in written.items():
            text = held.decode()  # which is UTF-8
            bad = FORBIDDEN.search(text)
            if bad is not None:
                self.fail(f"{what!r}, {words}, {name}: {text[max(0, bad.start() - 200) : bad.end() + 50]!r}")
            self.shown += "FORGED" in text
            if name.endswith((".json", ".sarif")):
                json.loads(text)
        self.assertNotIn(b"internal error", done.stderr)
        return done

    def look_at_model(self, what):
        """The names in the model that was written."""
        path = self.folder / "m.onnx"
        if not path.exists():
            return
        model = onnx.load(path, load_external_data=False)
        path.unlink()
        graph = model.graph
        named = [*graph.input, *graph.output, *graph.value_info, *graph.initializer, *graph.node]
        names = [one.name for one in named] + [name for node in graph.node for name in [*node.input, *node.output]]
        self.assertEqual([name for name in names if FORBIDDEN.search(name) or "\n" in name], [], what)

    def look_at_program(self, what, file, *options):
        self.run_and_look(what, "export", file, *options, "-o", "m.onnx", "--report", "out.json", "-v")
        self.run_and_look(what, "export", file, *options, "-o", "m.onnx", "--report", "out.md")
        self.look_at_model(what)
        self.run_and_look(what, "inspect", file, *options)

    def test_of_a_pt2(self):
        records = records_of(MODELS / "first.pt2")
        documents = {name: json.loads(held) for name, held in records.items() if name.endswith(".json")}
        for text in sorted(set(texts_of(list(documents.values())))):
            for new in [text + BAD] if "File " not in text else [text.replace('make.py"', 'make' + BAD[1:] + '"')]:
                changed = {name: json.dumps(renamed(held, text, new)).encode() for name, held in documents.items()}
                write_archive(self.folder / "bad.pt2", records | changed)
                self.look_at_program(text, "bad.pt2")
        self.assertGreater(self.shown, 100)

    def test_of_a_pt2_that_is_refused(self):
        records = records_of(MODELS / "first.pt2")
        documents = {name: json.loads(held) for name, held in records.items() if name.endswith(".json")}
        for text in ["x", "fc.weight", "p_fc_weight", "linear", "mul", "L__self__,,__main__.Net"]:
            changed = {name: json.dumps(renamed(held, text, text + BAD)).encode() for name, held in documents.items()}
            write_archive(self.folder / "bad.pt2", records | changed)
            for words in (
                ["--opset", "7", "--report", "out.sarif"],
                ["--weights", MODELS / "wrong.safetensors", "--report", "out.json"],
                ["--input", "nothing=f32[batch,4]", "--report", "out.md"],
                ["--check-axes"],
                ["--check-axes", "--json"],
                ["--functions", "--report", "out.md"],
                ["--weights-as=int8", "--report", "out.json"],
                ["--compute-as=float16", "--report", "out.sarif"],
                ["--state-as-io", "-v"],
                ["--no-weights", "-v"],
            ):
                self.run_and_look(text, "export", "bad.pt2", "-o", "m.onnx", *words)

    def test_of_a_pt(self):
        records = records_of(MODELS / "first.pt")
        for name, held in records.items():
            if name.endswith("pkl"):
                for text in pickled_texts(held):
                    changed = with_longer_text(held, text, BAD.encode())
                    write_archive(self.folder / "bad.pt", records | {name: changed})
                    self.look_at_program(text, "bad.pt", *AXIS)
            if name.endswith(".py"):
                for old, new in [
                    (b"shift", b"shi\x1bft"),
                    (b"torch.add", b"torch.a\xe2\x80\xaedd"),
                    (b"1.,", b'"' + BAD_BYTES + b'",'),
                ]:
                    write_archive(self.folder / "bad.pt", records | {name: held.replace(old, new)})
                    self.look_at_program(old, "bad.pt", *AXIS)
        raised = b'    ops.prim.RaiseException("' + BAD.encode().replace(b"\n", b"\\n") + b'")\n    return _1'
        code = {name: held for name, held in records.items() if name.endswith(".py")}
        changed = {name: held.replace(b"    return _1", raised) for name, held in code.items()}
        write_archive(self.folder / "bad.pt", records | changed)
        self.look_at_program("raise", "bad.pt", *AXIS)

    def test_of_weights(self):
        records = records_of(MODELS / "second_state.pt")
        pickle = next(name for name in records if name.endswith("data.pkl"))
        export = ["export", MODELS / "first.pt2", "-o", "m.onnx"]
        for text in pickled_texts(records[pickle]):
            changed = with_longer_text(records[pickle], text, BAD.encode())
            write_archive(self.folder / "bad_state.pt", records | {pickle: changed})
            self.run_and_look(text, *export, "--weights", "bad_state.pt", "--report", "out.json")
        held = (MODELS / "second.safetensors").read_bytes()
        size = struct.unpack("<Q", held[:8])[0]
        head = json.loads(held[8 : 8 + size])
        for text in sorted(set(texts_of(head))):
            new = json.dumps(renamed(head, text, text + BAD)).encode()
            (self.folder / "bad.safetensors").write_bytes(struct.pack("<Q", len(new)) + new + held[8 + size :])
            self.run_and_look(text, *export, "--weights", "bad.safetensors", "-v")
            self.run_and_look(text, "export", MODELS / "first.pt2", "--no-fold", "-o", "plain.onnx")
            self.run_and_look(text, "apply-weights", "plain.onnx", "--weights", "bad.safetensors", "-o", "m.onnx")
        self.assertGreater(self.shown, 5)

    def onnx_models(self):
        """An ONNX model for each text that one has."""
        keys = "x y b w graph dim domain node doc property value Own attribute text data Relu".split()
        for key in keys:
            yield key, self.onnx_model(lambda name, key=key: name + BAD if name == key else name)

    def onnx_model(self, named):
        """With something of each kind that has a name."""
        dims, weight = [named("dim")], helper.make_tensor(named("w"), 1, [1], [1.0])
        far = onnx.TensorProto(name=named("b"), data_type=1, dims=[1], data_location=1)
        far.external_data.add(key="location", value=named("data"))
        negated = helper.make_node("Neg", [named("w")], ["n"], name=named("node"))
        side = helper.make_graph([negated], named("graph"), [], [helper.make_tensor_value_info("n", 1, dims)])
        own = {named("attribute"): named("text")}
        nodes = [
            helper.make_node(named("Relu"), [named("x")], ["r"], name=named("node"), doc_string=named("doc")),
            helper.make_node(named("Own"), ["r", named("w")], ["o"], domain=named("domain"), **own),
            helper.make_node("If", ["c"], [named("y")], then_branch=side, else_branch=side),
        ]
        inputs = [helper.make_tensor_value_info(named("x"), 1, dims), helper.make_tensor_value_info("c", 9, [])]
        outputs = [helper.make_tensor_value_info(named("y"), 1, dims)]
        graph = helper.make_graph(nodes, named("graph"), inputs, outputs, [weight, far])
        opset = helper.make_opsetid("", 18)
        added = helper.make_node("Add", ["a", named("b")], ["z"])
        function = helper.make_function(named("domain"), named("Own"), ["a", named("b")], ["z"], [added], [opset])
        model = helper.make_model(
            graph,
            ir_version=8,
            functions=[function],
            producer_name=named("node"),
            opset_imports=[opset, helper.make_opsetid(named("domain"), 1)],
        )
        model.metadata_props.add(key=named("property"), value=named("value"))
        return model

    def test_of_an_onnx_file(self):
        for key, model in self.onnx_models():
            (self.folder / "bad.onnx").write_bytes(model.SerializeToString())
            self.assertEqual(self.run_and_look(key, "inspect", "bad.onnx").returncode, 0)
            self.assertEqual(self.run_and_look(key, "inspect", "bad.onnx", "--html", "out.html").returncode, 0)
            self.run_and_look(key, "check", "bad.onnx")
            weights = MODELS / "second.safetensors"
            self.run_and_look(key, "apply-weights", "bad.onnx", "--weights", weights, "-o", "m.onnx")
        self.assertGreater(self.shown, 20)

    def test_of_reports(self):
        for file in ["first.pt2", "no_weights.txt"]:
            self.run_and_look(file, "export", MODELS / file, "-o", "m.onnx", "--report", "good.json")
            report = json.loads((self.folder / "good.json").read_text())
            for text in sorted(set(texts_of(report))):
                (self.folder / "bad.json").write_text(json.dumps(renamed(report, text, text + BAD)))
                made = ["--json", "out.json", "--html", "out.html"]
                self.run_and_look(text, "index", "bad.json", *made, "--all-exported")
        self.assertGreater(self.shown, 5)

    def test_of_files(self):
        for end in [".pt2", ".pt", ".onnx", ".json"]:
            name = "bad" + BAD.replace("\x00", "") + end
            (self.folder / name).write_bytes((MODELS / "first.pt2").read_bytes() if end == ".pt2" else b"nothing")
            for words in (
                ["export", name, "-o", "m.onnx", "--report", "out.json"],
                ["export", name, "-o", "m.onnx", "--report", "out.md", "-v"],
                ["export", MODELS / "first.pt2", "-o", name + "/x"],
                ["export", MODELS / "first.pt2", "-o", name + ".onnx", "-v"],
                ["export", MODELS / "first.pt2", "-o", name],
                ["inspect", name],
                ["check", name],
                ["apply-weights", name, "--weights", MODELS / "second.safetensors"],
                ["index", name],
                ["ops", name],
                ["export", MODELS / "first.pt2", "--input", name],
                ["export", MODELS / "first.pt2", "--target", name],
                ["export", MODELS / "first.pt2", "--nothing" + BAD],
            ):
                self.run_and_look(name, *words)


if __name__ == "__main__":
    unittest.main()
