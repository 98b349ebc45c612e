#!/usr/bin/env -S python3 -B
"""weights_test.py EXPORTER FOLDER: weights that are stored as integers, beside numpy and PyTorch, in ONNX Runtime."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import ml_dtypes
import numpy as np
import onnx
import onnx.utils
import onnxruntime
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

onnxruntime.set_default_logger_severity(3)
EXPORTER = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2])
OUT = pathlib.Path(os.environ["TEST_TMPDIR"])

# How far outputs may be from PyTorch's, relative to the largest: 8 bits are 1/254 of a channel's range, 4 bits 1/14 of a
# group's, and layers add up.
BOUNDS = {"int8": 0.03, "int4": 0.5, "mxfp4": 0.6, "nvfp4": 0.5}
MODELS = {"resnet": ".pt2", "bert": ".pt2", "lstm": ".pt2", "loops": ".pt", "matrices": ".pt2"}
INPUTS = {"loops": ["--input", "x=f32[n,40]", "--input", "steps=i64[]"]}


def run_exporter(*words):
    return subprocess.run([EXPORTER, *words], check=False, stderr=subprocess.PIPE, text=True)


def exported(name, *options, opset=21):
    out = OUT / f"{name}.onnx"
    suffix = ".pt" if name.endswith("traced") else MODELS.get(name, ".pt2")
    source = FOLDER / (name + suffix)
    done = run_exporter("export", source, "-o", out, "--opset", str(opset), *INPUTS.get(name, []), *options)
    assert done.returncode == 0, done.stderr
    return out, done.stderr


def run(path, name):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(path)
    saved = np.load(FOLDER / f"{name}.npz")
    feeds = {port.name: saved[f"in{i}"] for i, port in enumerate(session.get_inputs())}
    expected = [saved[key] for key in saved.files if key.startswith("out")]
    return session.run(None, feeds), expected


def tensors(path):
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}


def dequantize_nodes(path):
    return [node for node in onnx.load(path).graph.node if node.op_type == "DequantizeLinear"]


def attribute(node, name):
    return next((entry.i for entry in node.attribute if entry.name == name), None)


def scale_of(extent, steps):
    """As the exporter states it, in float32."""
    scale = np.maximum(extent / np.float32(steps), np.float32(2.0**-126))
    return np.where(extent == 0, np.float32(1), scale).astype(np.float32)


def by_channel(weight, axis):
    others = tuple(i for i in range(weight.ndim) if i != axis)
    scale = scale_of(np.abs(weight).max(axis=others), 127)
    shape = [-1 if i == axis else 1 for i in range(weight.ndim)]
    return np.rint(weight / scale.reshape(shape)).astype(np.int8), scale, None


def by_group(weight, axis, group, bits, asymmetric):
    integers, scales, zeros = [], [], []
    steps = 2**bits - 1 if asymmetric else 2 ** (bits - 1) - 1
    for begin in range(0, weight.shape[axis], group):
        part = np.take(weight, range(begin, min(begin + group, weight.shape[axis])), axis)
        least, largest = (np.minimum(part.min(axis, keepdims=True), np.float32(0)),
                          np.maximum(part.max(axis, keepdims=True), np.float32(0)))  # fmt: skip
        if asymmetric:
            scale = scale_of(largest - least, steps)
            zero = np.clip(np.rint(-least / scale), 0, steps)
            integers.append(np.clip(np.rint(part / scale) + zero, 0, steps))
            zeros.append(zero)
        else:
            scale = scale_of(np.maximum(largest, -least), steps)
            integers.append(np.clip(np.rint(part / scale), -steps, steps))
        scales.append(scale)
    join = lambda parts: np.concatenate(parts, axis)
    return join(integers), join(scales), join(zeros) if asymmetric else None


def groups_of(weight, axis, group):
    for begin in range(0, weight.shape[axis], group):
        yield np.take(weight, range(begin, min(begin + group, weight.shape[axis])), axis)


def to_float4(numbers):
    return np.clip(numbers, -6, 6).astype(ml_dtypes.float4_e2m1fn)


def as_mxfp4(weight, axis):
    """The OCP's format MX with elements of E2M1: each scale is 2 to the power of floor(log2(max |w|)) - 2."""
    elements, scales = [], []
    for part in groups_of(weight, axis, 32):
        largest = np.abs(part).max(axis, keepdims=True)
        exponent = np.frexp(largest)[1] - 1 - 2
        scale = np.where(largest == 0, np.float32(1), np.ldexp(np.float32(1), np.maximum(exponent, -126)))
        scale = scale.astype(np.float32)
        scales.append(scale.astype(ml_dtypes.float8_e8m0fnu))
        np.testing.assert_array_equal(scales[-1].astype(np.float32), scale)
        elements.append(to_float4(part / scale))
    return np.concatenate(elements, axis), np.concatenate(scales, axis)


def as_nvfp4(weight, axis):
    tensor_scale = np.float32(np.maximum(scale_of(np.abs(weight).max(), 6 * 448), np.float32(2.0**-117)))
    elements, scales = [], []
    for part in groups_of(weight, axis, 16):
        largest = np.abs(part).max(axis, keepdims=True)
        scale = (largest / np.float32(6) / tensor_scale).astype(ml_dtypes.float8_e4m3fn)
        scale = np.maximum(scale.astype(np.float32), np.float32(2.0**-9))
        scales.append(scale.astype(ml_dtypes.float8_e4m3fn))
        elements.append(to_float4(part / (scale * tensor_scale)))
    return np.concatenate(elements, axis), np.concatenate(scales, axis), tensor_scale


class Numbers(unittest.TestCase):
    """Integers, scales and zero points, bit for bit, of the weights as they are in the model without the option."""

    def check(self, name, *options, opset=21):
        plain = tensors(exported(name, opset=opset)[0])
        path, said = exported(name, *options, opset=opset)
        quantized = tensors(path)
        nodes = dequantize_nodes(path)
        self.assertGreater(len(nodes), 0)
        self.assertIn(f"{len(nodes)} weights are stored as integers", said)
        for node in nodes:
            stem, kind = re.fullmatch(r"(.*)\.(u?int[842])", node.input[0]).groups()
            weight = plain.pop(stem).astype(np.float32)
            axis, group = attribute(node, "axis"), attribute(node, "block_size")
            if group is None:
                integers, scale, zero = by_channel(weight, axis)
            else:
                integers, scale, zero = by_group(weight, axis, group, int(kind[-1]), kind.startswith("u"))
            np.testing.assert_array_equal(quantized[node.input[0]].astype(np.int8), integers, stem)
            self.assertEqual(quantized[node.input[1]].tobytes(), scale.tobytes(), stem)
            if zero is not None:
                np.testing.assert_array_equal(quantized[node.input[2]].astype(np.int8), zero, stem)
        return path, plain

    def test_int8(self):
        for name in MODELS:
            for opset in (13, 21):
                with self.subTest(name=name, opset=opset):
                    self.check(name, "--weights-as=int8", opset=opset)

    def test_int4(self):
        for name in MODELS:
            for options in (["--weights-as=int4"], ["--weights-as=int4:20"], ["--weights-as=int4:7,asymmetric"]):
                with self.subTest(name=name, options=options):
                    self.check(name, *options)

    def test_int2(self):
        said = exported("matrices", "--weights-as=int2", opset=25)[1]
        self.assertIn("first.T (of rows that are no multiple of 4)", said)
        for name in sorted(MODELS.keys() - {"matrices"}):
            for options in (["--weights-as=int2"], ["--weights-as=int2:7"], ["--weights-as=int2:20,asymmetric"]):
                with self.subTest(name=name, options=options):
                    self.check(name, *options, opset=25)

    def test_mxfp4(self):
        for name in MODELS:
            for opset in (24, 27):
                with self.subTest(name=name, opset=opset):
                    plain = tensors(exported(name, opset=opset)[0])
                    path, said = exported(name, "--weights-as=mxfp4", opset=opset)
                    stored, nodes = tensors(path), dequantize_nodes(path)
                    self.assertIn(f"{len(nodes)} weights are stored as floats of 4 bits (MXFP4)", said)
                    self.assertGreater(len(nodes), 0)
                    for node in nodes:
                        weight = plain[node.input[0].removesuffix(".float4e2m1")].astype(np.float32)
                        elements, scales = as_mxfp4(weight, attribute(node, "axis"))
                        self.assertEqual(attribute(node, "block_size"), 32)
                        self.same(stored[node.input[0]], elements, node.input[0])
                        self.same(stored[node.input[1]], scales, node.input[1])

    def test_nvfp4(self):
        for name in MODELS:
            for opset in (23, 27):
                with self.subTest(name=name, opset=opset):
                    plain = tensors(exported(name, opset=opset)[0])
                    path, _ = exported(name, "--weights-as=nvfp4", opset=opset)
                    stored, nodes = tensors(path), dequantize_nodes(path)
                    self.assertGreater(len(nodes), 0)
                    of_scales = {node.output[0]: node for node in nodes}
                    for node in nodes:
                        if attribute(node, "block_size") is None:
                            continue  # of scales
                        weight = plain[node.input[0].removesuffix(".float4e2m1")].astype(np.float32)
                        elements, scales, tensor_scale = as_nvfp4(weight, attribute(node, "axis"))
                        scale, of_scale = of_scales[node.input[1]].input
                        self.assertEqual(attribute(node, "block_size"), 16)
                        self.same(stored[node.input[0]], elements, node.input[0])
                        self.same(stored[scale], scales, scale)
                        self.same(stored[of_scale], np.asarray(tensor_scale), of_scale)

    def same(self, found, expected, name):
        self.assertEqual(found.dtype, expected.dtype, name)
        self.assertEqual(found.shape, expected.shape, name)
        self.assertEqual(found.tobytes(), expected.tobytes(), name)

    def test_groups_of_one(self):
        # An element and a scale for each are not smaller, but two elements and a scale are.
        with self.assertRaises(AssertionError):
            self.check("bert", "--weights-as=int4:1")
        self.check("bert", "--weights-as=int4:2")

    def test_tied_weights_stay_tied(self):
        path, _ = self.check("bert", "--weights-as=int8")
        names = [node.input[0] for node in dequantize_nodes(path)]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len([name for name in tensors(path) if "tokens" in name or "head.weight" in name]), 2)

    def test_external_data(self):
        for options in (["--weights-as=int8"], ["--weights-as=int4"]):
            for where in ("always", "safetensors"):
                with self.subTest(options=options, where=where):
                    self.check("bert", *options, "--external-data", where)


def run_reference(path, name):
    """Where ONNX Runtime has no kernel."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    saved = np.load(FOLDER / f"{name}.npz")
    feeds = {port.name: saved[f"in{i}"] for i, port in enumerate(model.graph.input)}
    return ReferenceEvaluator(model).run(None, feeds), [saved[key] for key in saved.files if key.startswith("out")]


class Outputs(unittest.TestCase):
    def test_they_are_near_those_of_floats(self):
        for name in MODELS:
            for kind, bound in BOUNDS.items():
                is_float = kind.endswith("fp4")
                if is_float and name == "loops":
                    continue  # the evaluator gives x back for this Loop, also of the model with floats
                for more in ([], ["--no-fold"], ["--functions"] if name != "loops" else []):
                    with self.subTest(name=name, kind=kind, more=more):
                        path = exported(name, f"--weights-as={kind}", *more, opset=24 if is_float else 21)[0]
                        outputs, expected = (run_reference if is_float else run)(path, name)
                        for output, wanted in zip(outputs, expected, strict=True):
                            self.assertEqual(output.shape, wanted.shape)
                            if wanted.size:
                                self.assertLess(np.abs(output - wanted).max(), bound * np.abs(wanted).max())

    def test_onnx_runtime_takes_int2(self):
        # Two bits of random weights are noise: what is compared is what ONNX's reference evaluator makes of the model.
        for name in ("resnet", "bert"):
            for more in ("", ",asymmetric"):
                with self.subTest(name=name, more=more):
                    path = exported(name, f"--weights-as=int2{more}", opset=25)[0]
                    for output, wanted in zip(run(path, name)[0], run_reference(path, name)[0], strict=True):
                        far = np.abs(output - wanted).max(initial=0)
                        # MatMulNBits may compute with 8 bits of what the weight is multiplied with.
                        self.assertLessEqual(far, 2e-2 * np.abs(wanted).max(initial=0))

    def test_onnx_runtime_has_no_kernels_for_float4(self):
        # As docs/smaller.md says; if this changes, change the page.
        for kind in ("mxfp4", "nvfp4"):
            with self.assertRaisesRegex(Exception, r"Could not find an implementation for DequantizeLinear"):
                onnxruntime.InferenceSession(exported("matrices", f"--weights-as={kind}", opset=24)[0])

    def test_the_model_is_smaller(self):
        size = exported("bert", "--no-metadata")[0].stat().st_size
        for kind, part in (("int8", 0.27), ("int4", 0.17), ("int2", 0.11), ("mxfp4", 0.14), ("nvfp4", 0.15)):
            path, said = exported("bert", f"--weights-as={kind}", "--no-metadata",
                                  opset=21 if kind in ("int8", "int4") else 25)
            after, before = map(int, re.search(r": (\d+) bytes in place of (\d+)", said).groups())
            self.assertLess(after, part * before)
            self.assertLess(path.stat().st_size, size - 0.95 * (before - after))


class Packed(unittest.TestCase):
    """Programs that take weights of few bits apart: the weights bit for bit, from the lowest opset on."""

    LOWEST = {"mxfp4": 26, "nvfp4": 19, "packedint4": 11, "packedint2": 11}

    def test_weights_are_those_of_pytorch(self):
        for name, lowest in self.LOWEST.items():
            for opset in sorted({lowest, 21, 23, 26, 27}):
                if opset < lowest:
                    continue
                with self.subTest(name=name, opset=opset):
                    (product, weight), (wanted, exact) = run(exported(name, opset=opset)[0], name)
                    np.testing.assert_array_equal(weight, exact)
                    np.testing.assert_allclose(product, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())

    def test_bytes_stay_as_they_are(self):
        for name, size in (("mxfp4", 72 * 32), ("nvfp4", 72 * 32), ("packedint4", 72 * 32), ("packedint2", 72 * 16)):
            weights = tensors(exported(name, opset=27)[0])
            self.assertIn(size, [weight.nbytes for weight in weights.values()])
        self.assertEqual(tensors(exported("mxfp4", opset=27)[0])["scale.uint8"].dtype, np.uint8)

    def test_lower_opsets_are_refused(self):
        for name, lowest in self.LOWEST.items():
            if lowest > 11:
                source = FOLDER / f"{name}.pt2"
                done = run_exporter("export", source, "-o", OUT / "no.onnx", "--opset", str(lowest - 1))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"opset {lowest}", done.stderr)


class KeptDequantizeLinear(unittest.TestCase):
    """The same programs with `--keep DequantizeLinear`."""

    def test_other_weights_are_refused(self):
        exported("gptq", "--no-fold", "--external-data", "safetensors")
        weights = next(OUT.glob("gptq.*.safetensors")).rename(OUT / "gptq_weights.safetensors")
        path, _ = exported("gptq", "--keep", "DequantizeLinear")
        done = run_exporter("apply-weights", path, "--weights", weights, "-o", OUT / "applied.onnx")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"'\S*uint4' was computed of '\S+' while the model was exported: .*--no-fold")

    # name: (opset, type, axis, block, zero points)
    FORMS = {
        "gptq": (21, "uint4", 0, 32, True),
        "gptqbyindex": (21, "uint4", 0, 32, True),
        "awq": (21, "uint4", 0, 32, True),
        "awqhalf": (21, "uint4", 0, 32, True),
        "packquantized": (21, "int4", 1, 32, False),
        "packquantizedzeros": (21, "uint4", 1, 32, True),
        "packquantizedtraced": (21, "int4", 1, 32, False),
        "packquantizedzerostraced": (21, "uint4", 1, 32, True),
        "packedint4": (21, "int4", 1, 32, False),
        "packedint2": (25, "uint2", 0, None, True),
    }

    def test_weights_are_those_of_pytorch(self):
        for name, (opset, dtype, axis, block, has_zeros) in self.FORMS.items():
            with self.subTest(name=name):
                path, said = exported(name, "--keep", "DequantizeLinear", opset=opset)
                self.assertNotIn("nothing became", said)
                (node,) = dequantize_nodes(path)
                self.assertEqual((attribute(node, "axis"), attribute(node, "block_size")), (axis, block))
                self.assertEqual(len(node.input), 3 if has_zeros else 2)
                stored = {tensor.name: tensor.data_type for tensor in onnx.load(path).graph.initializer}
                self.assertEqual(onnx.TensorProto.DataType.Name(stored[node.input[0]]), dtype.upper())
                (product, weight), (wanted, exact) = run(path, name)
                np.testing.assert_array_equal(weight.view(np.uint8), exact.view(np.uint8))
                bound = 2e-2 * np.abs(wanted.astype(np.float32)).max()
                np.testing.assert_allclose(product.astype(np.float32), wanted.astype(np.float32), atol=bound)
                self.assertLess(path.stat().st_size, exported(name, opset=opset)[0].stat().st_size)

    def test_what_does_not_fit_stays(self):
        for name, opset in (("gptqinorder", 21), ("gptq", 20), ("mxfp4", 26), ("nvfp4", 21)):
            with self.subTest(name=name):
                # The pass looks at tables and indices of a program, which is what the metadata says then.
                plain = exported(name, "--no-metadata", opset=opset)[0].read_bytes()
                path, said = exported(name, "--no-metadata", "--keep", "DequantizeLinear", opset=opset)
                self.assertIn("nothing became DequantizeLinear", said)
                self.assertEqual(path.read_bytes(), plain)

    def test_weights_that_are_inputs_are_refused(self):
        for option in ("--no-weights", "--keep-initializers-as-inputs"):
            words = ("export", FOLDER / "gptq.pt2", "-o", OUT / "no.onnx", "--opset", "21", option)
            done = run_exporter(*words, "--keep", "DequantizeLinear")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("or stored in fewer bits (--weights-as, or", done.stderr)

    def test_a_model_of_products_alone_has_four_bits_when_it_runs(self):
        """Compares the results of ONNX Runtime, since the weight is no output here."""
        for name in ("gptq", "awq", "packedlinear"):
            path, _ = exported(name, "--keep", "DequantizeLinear", opset=21)
            model = onnx.load(path)
            ends = [port.name for port in (*model.graph.input, model.graph.output[0])]
            model = onnx.utils.Extractor(model).extract_model(ends[:1], ends[1:])
            options = onnxruntime.SessionOptions()
            options.optimized_model_filepath = str(OUT / "optimized.onnx")
            onnxruntime.InferenceSession(model.SerializeToString(), options)
            self.assertEqual([node.op_type for node in onnx.load(OUT / "optimized.onnx").graph.node], ["MatMulNBits"])


class Lost(unittest.TestCase):
    """Numbers that become 0, as they are too small for their scale: counted here in what was written."""

    # The number of elements that share a scale, for a weight [40, 64] whose products sum over the last axis.
    SCALES = {"int8": 64, "int4": 32, "int4:16": 16, "mxfp4": 32, "nvfp4": 16}

    def lost(self, kind):
        """For each weight the scales whose numbers all but one became 0."""
        plain = tensors(exported("outliers", opset=24)[0])
        path, said = exported("outliers", f"--weights-as={kind}", opset=24)
        found = {}
        for name, elements in tensors(path).items():
            stem, _, kind_of = name.rpartition(".")
            if kind_of not in ("int8", "int4", "float4e2m1"):
                continue
            # A Gemm may have it turned.
            pair = [a.T if a.shape[0] == 64 else a for a in (plain[stem], elements.astype(np.float32))]
            before, after = ((a.reshape(-1, self.SCALES[kind]) != 0).sum(1) for a in pair)
            found[stem] = int(np.sum((after <= 1) & (before > 1)))
        return found, said

    def test_it_is_told_once_written(self):
        for kind in self.SCALES:
            with self.subTest(kind=kind):
                found, said = self.lost(kind)
                self.assertEqual(len(found), 3)
                for name, count in found.items():
                    scales = 40 * 64 // self.SCALES[kind]
                    told = f"{name} ({count} of {scales} scales)" if count else f"{name} ("
                    self.assertEqual(told in said, count > 0, said)
                lost = {name.partition(".")[0]: count for name, count in found.items() if count}
                self.assertEqual(lost, {"large": 2} | ({"tiny": 2} if kind == "nvfp4" else {}))

    def test_ways_out(self):
        for kind, way_out in (("int8", "--weights-as int4, which"), ("nvfp4", "--weights-as mxfp4, whose")):
            said = exported("outliers", f"--weights-as={kind}", opset=24)[1]
            self.assertRegex(said, f"leave the weight as it is .--weights-keep., or take {way_out}")
        said = exported("outliers", "--weights-as=int8", "--weights-keep", "large")[1]
        self.assertNotIn("became 0", said)
        self.assertNotIn("became 0", exported("bert", "--weights-as=int2", opset=25)[1])

    def test_a_report_has_it(self):
        report = OUT / "outliers.json"
        exported("outliers", "--weights-as=int8", "--report", report)
        self.assertIn("became 0", json.loads(report.read_text())["remarks"][-1])


class Refusals(unittest.TestCase):
    def refused(self, *words, status):
        done = run_exporter("export", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_opsets(self):
        source = FOLDER / "bert.pt2"
        said = self.refused(source, "-o", OUT / "no.onnx", "--weights-as=int8", "--opset", "12", status=2)
        self.assertIn("int8 needs opset 13", said)
        said = self.refused(source, "-o", OUT / "no.onnx", "--weights-as=int4", "--opset", "20", status=2)
        self.assertIn("int4 needs opset 21", said)
        for kind, opset in (("int2", 25), ("mxfp4", 24), ("nvfp4", 23)):
            said = self.refused(source, "-o", OUT / "no.onnx", f"--weights-as={kind}", "--opset", str(opset - 1), status=2)
            self.assertIn(f"--weights-as: {kind} needs opset {opset}, not {opset - 1}", said)

    def test_options_that_do_not_go_together(self):
        source = FOLDER / "bert.pt2"
        said = self.refused(source, "--weights-as=int8", "--no-weights", "-o", OUT / "no.onnx", status=2)
        self.assertIn("--no-weights", said)
        said = self.refused(source, "--weights-keep", "head", "-o", OUT / "no.onnx", status=2)
        self.assertIn("--weights-keep goes with", said)
        said = self.refused(source, "--weights-as=int8", "--weights-keep", "haed", "-o", OUT / "no.onnx", status=2)
        self.assertIn("no weight or module is called `haed`", said)
        self.refused(source, "--weights-as=int4:x", "-o", OUT / "no.onnx", status=2)
        self.refused(source, "--weights-as=int4", "--weights-as=nvfp4", "-o", OUT / "no.onnx", status=2)
        words = ["--weights-as=mxfp4,asymmetric", "--opset", "24"]
        said = self.refused(source, *words, "-o", OUT / "no.onnx", status=2)
        self.assertIn("only int4 and int2 are asymmetric", said)

    def test_numbers_that_are_none(self):
        for kind in ("int8", "int4", "int2", "mxfp4", "nvfp4"):
            out = OUT / f"far_{kind}.onnx"
            said = self.refused(FOLDER / "far.pt2", "-o", out, f"--weights-as={kind}", "--opset", "25", status=1)
            self.assertRegex(said, r"weight `bad.weight\S*` has a number that is NaN.*--weights-keep bad.weight")
            self.assertFalse(out.exists())
            path, said = exported("far", f"--weights-as={kind}", "--weights-keep", "bad", opset=25)
            self.assertRegex(said, r"stay floats: bad.weight\S* \(to be kept\)")
            self.assertEqual({node.input[0].partition(".")[0] for node in dequantize_nodes(path)}, {"good"})

    def test_other_weights(self):
        path, _ = exported("bert", "--weights-as=int8")
        data = exported("bert", "--no-fold", "--external-data", "safetensors")[0]
        weights = next(OUT.glob("bert.*.safetensors")).rename(OUT / "weights.safetensors")
        self.assertTrue(data.exists())
        path, _ = exported("bert", "--weights-as=int8")
        done = run_exporter("apply-weights", path, "--weights", weights, "-o", OUT / "applied.onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(onnx.load(OUT / "applied.onnx"), onnx.load(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
