#!/usr/bin/env -S python3 -B
"""com_microsoft_test.py EXPORTER MODELS SPEC: the schemas of SPEC are those that ONNX Runtime registers, and models with
operators of the domain compute what PyTorch does."""

import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np
import onnx
import onnxruntime
import onnxruntime.capi.onnxruntime_pybind11_state as registry

EXPORTER, MODELS, SPEC = sys.argv[1:]
MODELS = pathlib.Path(MODELS)
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])

WORDS = {"float": "float32", "double": "float64"}
COUNTS = {"": "Single", "?": "Optional", "+": "Variadic"}


def dtype(text):
    word = re.fullmatch(r"tensor\((.*)\)", text).group(1)
    return WORDS.get(word, word)


def declared():
    """Operator -> section -> the texts of its lines by name, of a file as `codegen -- --format` writes it."""
    schemas = {}
    for line in pathlib.Path(SPEC).read_text(encoding="utf-8").splitlines():
        if line.startswith("- schema: "):
            operator = schemas.setdefault(line.split(".")[-1], {})
        elif match := re.fullmatch(r"  (\w+):", line):
            section = operator.setdefault(match[1], {})
        elif match := re.fullmatch(r"    (\w+): (.*)", line):
            section[match[1]] = match[2]
        elif line.startswith("  types: "):
            operator["types"] = dict(re.findall(r"(\w+): (\[.*?\])", line))
    return schemas


def exported(name, *words):
    out = OUT / "model.onnx"
    done = subprocess.run(
        [EXPORTER, "export", MODELS / name, "-o", out, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return onnx.load(out)


def outputs(model, x):
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {model.graph.input[0].name: x})


class ComMicrosoft(unittest.TestCase):
    def test_the_schemas_are_those_of_onnx_runtime(self):
        registered = {s.name: s for s in registry.get_all_operator_schema() if s.domain == "com.microsoft"}
        schemas = declared()
        self.assertGreater(len(schemas), 30)
        for name, schema in schemas.items():
            with self.subTest(name):
                self.check(schema, registered[name])

    def check(self, schema, other):
        types = {c.type_param_str: {dtype(text) for text in c.allowed_type_strs} for c in other.type_constraints}
        inputs = [re.fullmatch(r"(\w+)(\[.*\])?([?+]?)", text).groups() for text in schema["inputs"].values()]
        self.assertEqual(list(schema["inputs"]), [port.name for port in other.inputs])
        for (kind, _, count), port in zip(inputs, other.inputs):
            self.assertEqual(COUNTS[count], str(port.option).split(".")[-1])
            self.check_type(schema, kind, types.get(port.typeStr) or {dtype(port.typeStr)})
        given = list(schema["outputs"])
        self.assertEqual(given, [port.name for port in other.outputs][: len(given)])
        self.assertGreaterEqual(len(given), other.min_output)
        for text, port in zip(schema["outputs"].values(), other.outputs):
            self.check_type(schema, text.split("[")[0], types.get(port.typeStr) or {dtype(port.typeStr)})
        attributes = {name: text for name, text in schema.get("attributes", {}).items()}
        self.assertEqual(sorted(attributes), sorted(other.attributes))
        for name, text in attributes.items():
            attribute = other.attributes[name]
            self.assertEqual(re.match(r"\w+", text)[0], str(attribute.type).split(".")[-1].lower())
            self.assertEqual("=" not in text and not text.endswith("?"), attribute.required)
            if "=" in text:
                default = onnx.AttributeProto.FromString(attribute._default_value)
                self.assertEqual(int(text.split("=")[1]), default.i)

    def check_type(self, schema, kind, allowed):
        known = schema.get("types", {}).get(kind)
        dtypes = set(re.findall(r"\w+", known)) if known else {kind}
        self.assertLessEqual(dtypes, allowed)

    def test_a_form_of_the_domain_is_used_when_it_is_asked_for(self):
        x = np.linspace(-8, 8, 12, dtype=np.float32).reshape(3, 4)
        tanh = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
        exact = 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
        for name, node, expected in [("Gelu", "Gelu", exact), ("GeluTanh", "FastGelu", tanh)]:
            for ending in ["pt2", "pt"]:
                words = ["--input", "x=f32[batch,4]"] if ending == "pt" else []
                with self.subTest(f"{name}.{ending}"):
                    model = exported(f"{name}.{ending}", "--domain", "com.microsoft", *words)
                    self.assertEqual([(n.domain, n.op_type) for n in model.graph.node], [("com.microsoft", node)])
                    self.assertIn(("com.microsoft", 1), [(o.domain, o.version) for o in model.opset_import])
                    np.testing.assert_allclose(outputs(model, x)[0], expected, rtol=1e-5, atol=1e-6)
                    plain = exported(f"{name}.{ending}", *words)
                    self.assertEqual({n.domain for n in plain.graph.node}, {""})

    def test_onnx_has_the_first_word(self):
        model = exported("Gelu.pt2", "--domain", "com.microsoft", "--opset", "20")
        self.assertEqual([(n.domain, n.op_type) for n in model.graph.node], [("", "Gelu")])

    def test_a_mapping_is_checked_and_typed(self):
        x = np.linspace(-8, 8, 8, dtype=np.float32).reshape(2, 4)
        model = exported("QuickGelu.pt", "--map", "acme_ops::quick_gelu=com.microsoft.QuickGelu", "--input", "x=f32[batch,4]")
        self.assertEqual([d.dim_param or d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim], ["batch", 4])
        np.testing.assert_allclose(outputs(model, x)[0], x / (1 + np.exp(-1.702 * x)), rtol=1e-5, atol=1e-6)

    def test_a_domain_that_nobody_knows_is_refused(self):
        done = subprocess.run(
            [EXPORTER, "export", MODELS / "Gelu.pt2", "-o", OUT / "no.onnx", "--domain", "com.example"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("com.microsoft", done.stderr)
        self.assertIn("com.example=1", done.stderr)
        self.assertFalse((OUT / "no.onnx").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
