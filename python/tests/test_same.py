"""A module in memory gives the model that its saved file gives."""

import ctypes
import os
import tempfile
import unittest
import zipfile

import nets
import onnx
import torch

import onnxport
from onnxport import _library, _program


def without_source(path: str) -> bytes:
    """The file, but for the hash of the archive that it was made of: weights in memory have none."""
    model = onnx.load(path)
    kept = [entry for entry in model.metadata_props if entry.key != "onnxport.source"]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    return model.SerializeToString(deterministic=True)


class SameTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def test_as_the_file(self) -> None:
        for name, (module, args) in nets.cases().items():
            with self.subTest(name):
                program = torch.export.export(module, args)
                torch.export.save(program, self.path("saved.pt2"))
                saved = onnxport.export(self.path("saved.pt2"), f=self.path("saved.onnx"))
                made = onnxport.export(program, f=self.path("program.onnx"))
                onnxport.export(module, args, self.path("module.onnx"), metadata=False)
                onnxport.export(self.path("saved.pt2"), f=self.path("bare.onnx"), metadata=False)
                self.assertEqual(without_source(self.path("program.onnx")), without_source(self.path("saved.onnx")))
                with open(self.path("module.onnx"), "rb") as module_file, open(self.path("bare.onnx"), "rb") as bare:
                    self.assertEqual(module_file.read(), bare.read())
                self.assertEqual(made.remarks, saved.remarks)
                for difference in made.verify():
                    self.assertTrue(difference.ok, difference)

    def test_writes_what_torch_writes(self) -> None:
        from torch._export.serde.serialize import serialize

        self.assertIsNot(_program._without_check(serialize), serialize)
        parts = {"serialize_state_dict": False, "serialize_constants": False, "serialize_example_inputs": False}
        for name, (module, args) in nets.cases().items():
            with self.subTest(name):
                program = torch.export.export(module, args)
                self.assertEqual(_program._graph(program), serialize(program, **parts).exported_program)

    def test_torch_reads_the_archive(self) -> None:
        for name, (module, args) in nets.cases().items():
            with self.subTest(name):
                path = self.path(f"{name}.pt2")
                with open(path, "wb") as file:
                    for part in _program.pieces_of(torch.export.export(module, args)).parts:
                        file.write(ctypes.string_at(part.address, part.size) if part.size else b"")
                reader = torch._C.PyTorchFileReader(path)  # type: ignore[attr-defined]
                with zipfile.ZipFile(path) as archive:
                    for entry in archive.namelist():
                        self.assertEqual(reader.get_record_size(entry.removeprefix("model/")),
                                         archive.getinfo(entry).file_size)  # fmt: skip

    def test_a_graph_that_its_caller_has_changed(self) -> None:
        """New nodes do not say what they give, without which PyTorch writes no program."""
        x = torch.rand(2, 3) - 0.5
        program = torch.export.export(torch.nn.Linear(3, 4), (x,), dynamic_shapes=({0: torch.export.Dim("n")},))
        output = program.graph.output_node()
        with program.graph.inserting_before(output):
            positive = program.graph.call_function(torch.ops.aten.relu.default, (output.args[0][0],))
        output.args = ((positive,),)
        program.graph_signature.output_specs[0].arg.name = positive.name
        wanted = torch.nn.functional.linear(x[:1], *program.state_dict.values()).relu().detach()
        torch.testing.assert_close(onnxport.export(program)(x[:1])[0], wanted)

    def test_values_that_are_not_computed_yet(self) -> None:
        for difference in onnxport.export(nets.Lazy(), (torch.rand(3, 4, 2),)).verify():
            self.assertTrue(difference.ok, difference)

    def test_storages_are_there_once(self) -> None:
        module, args = nets.cases()["views"]
        pieces = _program.pieces_of(torch.export.export(module, args))
        storages = {tensor.untyped_storage().data_ptr() for tensor in module.state_dict().values()}
        weights = [part.address for part in pieces.parts if part.address in storages]
        self.assertEqual(sorted(weights), sorted(storages))

    def test_weights_are_read_when_they_are_written(self) -> None:
        module = torch.nn.Linear(2, 2, bias=False)
        model = onnxport.export(module, (torch.rand(1, 2),))
        with torch.no_grad():
            module.weight.fill_(5)
        weight = onnx.numpy_helper.to_array(model.model_proto.graph.initializer[0])
        self.assertTrue((weight == 5).all())

    def test_fake_weights_are_for_models_without(self) -> None:
        with torch.device("meta"):
            module = torch.nn.Linear(2, 3)
        args = (torch.rand(1, 2, device="meta"),)
        with self.assertRaisesRegex(onnxport.ExportError, "weight"):
            onnxport.export(module, args, self.path("no.onnx"))
        made = onnxport.export(module, args, self.path("inputs.onnx"), export_params=False)
        self.assertEqual([port.name for port in made.inputs], ["input", "weight", "bias"])

    def test_tensors_elsewhere_are_loaded_one_at_a_time(self) -> None:
        """As those of a GPU, of which there is none here."""
        module, args = nets.cases()["convolutions"]
        program = torch.export.export(module, args)
        pieces = _program.pieces_of(program)
        loads: list[int] = []
        storages = {tensor.untyped_storage().data_ptr() for tensor in program.state_dict.values()}
        for i, part in enumerate(pieces.parts):
            if part.address in storages:
                part.load = lambda address=part.address, i=i: (loads.append(i), (address, None))[1]
                part.address = None
        _, there = _library.export(pieces, {}, to_bytes=True)
        _, here = _library.export(_program.pieces_of(program), {}, to_bytes=True)
        self.assertEqual(there, here)
        self.assertGreater(len(set(loads)), 3)
        self.assertIsNone(pieces._loaded)

        def fail() -> None:
            raise MemoryError("no memory for it")

        next(part for part in pieces.parts if part.load).load = fail
        with self.assertRaisesRegex(MemoryError, "no memory for it"):
            _library.export(pieces, {}, to_bytes=True)


if __name__ == "__main__":
    unittest.main()
