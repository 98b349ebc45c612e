#!/usr/bin/env -S python3 -B
"""functions_test.py EXPORTER FOLDER MODELS...: models with modules as functions, as ONNX's checker and ONNX Runtime see
them. All archives of each of MODELS, folders of tests/models, give the same numbers with functions and without."""

import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime

EXPORTER, FOLDER, *MODELS = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])
X = np.load(FOLDER / "x.npy")
INPUT = ["--input", "x=f32[batch,length,4]"]
LINEAR = "torch.nn.modules.linear.Linear"


def exporter(*words):
    return subprocess.run([EXPORTER, *map(str, words)], capture_output=True, text=True)


def exported(archive, name, *words):
    out = OUT / f"{name}.onnx"
    done = exporter("export", archive, "-o", out, *words)
    assert done.returncode == 0, done.stderr
    return out


def run(path, inputs):
    """Without the rewriting of ONNX Runtime, which rounds otherwise where it finds other patterns."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options)
    return session.run(None, dict(zip([port.name for port in session.get_inputs()], inputs)))


def calls(nodes):
    """How often which operators of other domains are called, in graphs of nodes, too."""
    found = {}
    for node in nodes:
        if node.domain:
            name = f"{node.domain}.{node.op_type}"
            found[name] = found.get(name, 0) + 1
        for attribute in node.attribute:
            for name, count in calls(attribute.g.node).items():
                found[name] = found.get(name, 0) + count
    return found


class Functions(unittest.TestCase):
    def same(self, archive, inputs, *words):
        """The model with functions, which gives exactly what it gives without."""
        flat = exported(archive, "flat", *words)
        path = exported(archive, "functions", *words, "--functions")
        onnx.checker.check_model(path, full_check=True)
        for one, other in zip(run(flat, inputs), run(path, inputs), strict=True):
            np.testing.assert_array_equal(one, other)
        return onnx.load(path)

    def test_the_same_numbers(self):
        archives = sorted(path for path in FOLDER.iterdir() if path.suffix in (".pt", ".pt2"))
        self.assertEqual(len(archives), 8)
        for archive in archives:
            for opset in (15, 18, 21):
                with self.subTest(archive=archive.name, opset=opset):
                    model = self.same(archive, [X], *INPUT, "--opset", opset)
                    self.assertGreater(len(model.functions), 0)

    def test_the_same_numbers_of_larger_models(self):
        functions = 0
        for folder in map(pathlib.Path, MODELS):
            for archive in sorted(folder.glob("*.pt*")):
                if archive.suffix not in (".pt", ".pt2") or pathlib.Path(f"{archive}.why").exists():
                    continue
                kind = archive.name.removeprefix(folder.name).split(".")[1]
                words = []
                if kind == "torchscript":
                    described = (folder / f"{folder.name}.torchscript.inputs").read_text()
                    words = [word for line in described.splitlines() for word in ("--input", line)]
                suffix = {"dynamic": ".dynamic", "torchscript": ".torchscript.named"}.get(kind, "")
                data = folder / f"{folder.name}{suffix}.data"
                inputs = []
                while (file := data / f"input_{len(inputs)}.pb").exists():
                    inputs.append(onnx.numpy_helper.to_array(onnx.load_tensor(file)))
                with self.subTest(archive=archive.name):
                    functions += len(self.same(archive, inputs, *words, "--opset", 18).functions)
        self.assertGreater(functions, 20 if MODELS else -1)

    def test_modules_that_are_the_same_share_a_function(self):
        model = onnx.load(exported(FOLDER / "nested.pt2", "shared", "--opset", 21, "--functions"))
        self.assertEqual(
            calls(model.graph.node),
            {"__main__.Block": 5, "__main__.Block_2": 1, LINEAR: 1},
        )
        functions = {f"{f.domain}.{f.name}": f for f in model.functions}
        self.assertEqual(calls(functions["__main__.Block"].node), {LINEAR: 2})
        self.assertEqual(
            list(functions["__main__.Block"].input),
            ["input", "norm.weight", "norm.bias", "up.weight.T", "up.bias", "down.weight.T", "down.bias"],
        )
        weights = {tensor.name for tensor in model.graph.initializer}
        self.assertLess({"first.norm.weight", "wide.down.bias"}, weights)
        names = [node.name for node in model.graph.node if node.op_type == "Block"]
        self.assertEqual(names, ["/first", "/first_1", "/second", "/first_2", "/wide"])

    def test_layers_are_the_same_although_the_first_one_has_what_all_share(self):
        for archive in FOLDER.glob("decoder*"):
            model = onnx.load(exported(archive, "decoder", *INPUT, "--opset", 21, "--functions"))
            names = [f.name for f in model.functions]
            self.assertEqual(sorted(names), ["Attention", "Block", "Linear", "Sequential"], archive)
            self.assertEqual(calls(model.graph.node), {"torch.nn.modules.container.Sequential": 3})

    def test_modules_in_subgraphs(self):
        model = onnx.load(exported(FOLDER / "control_scripted.pt", "control", *INPUT, "--functions"))
        kinds = {node.op_type: calls([node]) for node in model.graph.node}
        self.assertEqual(sum(kinds["If"].values()), 2)
        self.assertEqual(sum(kinds["Loop"].values()), 1)

    def test_named_classes(self):
        for name in ("Block", "__main__.Block"):
            model = onnx.load(exported(FOLDER / "nested.pt2", "named", f"--functions={name}"))
            self.assertEqual([f.name for f in model.functions], ["Block", "Block_2"])
        model = onnx.load(exported(FOLDER / "nested.pt2", "named", f"--functions=LayerNorm,{LINEAR}"))
        self.assertEqual([f.name for f in model.functions], ["LayerNorm", "Linear"])
        self.assertEqual(sum(calls(model.graph.node).values()), 6 + 13)

    def test_what_is_said_of_origin(self):
        model = onnx.load(exported(FOLDER / "nested.pt2", "origin", "--opset", 21, "--functions"))
        props = {p.key: p.value for p in model.graph.node[0].metadata_props}
        self.assertEqual(props["namespace"], ": __main__.Nested/first: __main__.Block")
        self.assertEqual(props["pkg.torch.onnx.class_hierarchy"], "['__main__.Nested', '__main__.Block']")
        self.assertEqual(props["pkg.torch.onnx.name_scopes"], "['', 'first']")
        block = next(f for f in model.functions if f.name == "Block")
        self.assertEqual(
            block.doc_string,
            "__main__.Block of first, second, wide; the calls that its nodes name are those of first",
        )
        props = {p.key: p.value for p in block.node[0].metadata_props}
        norm = "torch.nn.modules.normalization.LayerNorm"
        self.assertEqual(props["namespace"], f": __main__.Block/norm: {norm}/layer_norm: aten.layer_norm.default")
        self.assertEqual(props["pkg.torch.onnx.name_scopes"], "['', 'norm', 'layer_norm']")
        # Blocks of two sizes: what both have.
        types = {v.name: [d.dim_param or d.dim_value for d in v.type.tensor_type.shape.dim] for v in block.value_info}
        self.assertEqual(types["output"][2], 0)
        self.assertEqual(types["output"][:2], types["input"][:2])
        self.assertNotIn(0, types["output"][:2])
        bare = onnx.load(exported(FOLDER / "nested.pt2", "bare", "--opset", 21, "--functions", "--no-metadata"))
        self.assertFalse(any(f.doc_string or any(n.metadata_props for n in f.node) for f in bare.functions))

    def test_below_opset_21_there_is_no_room_for_types(self):
        model = onnx.load(exported(FOLDER / "nested.pt2", "old", "--opset", 20, "--functions"))
        self.assertFalse(any(f.value_info or any(n.metadata_props for n in f.node) for f in model.functions))
        self.assertEqual(model.graph.node[0].doc_string, "first: __main__.Block")

    def test_weights_stay_where_they_are(self):
        path = exported(FOLDER / "nested.pt2", "inputs", "--functions", "--no-weights")
        model = onnx.load(path)
        onnx.checker.check_model(path, full_check=True)
        block = next(f for f in model.functions if f.name == "Block")
        self.assertEqual(block.input[0], "input")
        self.assertIn("up.bias", block.input)
        path = exported(FOLDER / "nested.pt2", "outside", "--functions", "--external-data", "always")
        np.testing.assert_array_equal(
            run(path, [X])[0], run(exported(FOLDER / "nested.pt2", "inside"), [X])[0]
        )

    def test_the_same_bytes(self):
        for archive in ("nested.pt2", "control_scripted.pt"):
            files = [exported(FOLDER / archive, name, *INPUT, "--functions").read_bytes() for name in ("a", "b")]
            self.assertEqual(files[0], files[1])

    def test_inspect(self):
        path = exported(FOLDER / "nested.pt2", "shown", "--opset", 21, "--functions")
        text = exporter("inspect", path).stdout
        self.assertIn("__main__.Block (x, ", text)
        self.assertIn("Block (input, ", text)
        self.assertRegex(text, r"up/Add_output_0\" = .*  # float32\[s77,s27,\?\]")
        page = OUT / "page.html"
        self.assertEqual(exporter("inspect", path, "--html", page).returncode, 0)
        html = page.read_text()
        self.assertIn("<td>__main__.Block</td><td>5</td>", html)
        self.assertIn("<h2>Nodes of __main__.Block</h2>", html)

    def test_report(self):
        report = OUT / "report.md"
        exported(FOLDER / "nested.pt2", "reported", "--functions", "--report", report)
        self.assertIn("| \\_\\_main\\_\\_.Block\\_2 | 1 |", report.read_text())

    def test_what_is_refused(self):
        done = exporter("export", FOLDER / "nested.pt2", "-o", OUT / "no.onnx", "--functions", "--opset", 14)
        self.assertEqual(done.returncode, 2)
        self.assertIn("take opset 15 or later", done.stderr)
        done = exporter("export", FOLDER / "nested.pt2", "-o", OUT / "no.onnx", "--functions=Block,Blok")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no module of the model is of class `Blok`; there are __main__.Block, ", done.stderr)
        self.assertFalse((OUT / "no.onnx").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
