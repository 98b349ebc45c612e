"""Tests the documents' claims about PyTorch: docs/python.md, torch-onnx.md, smaller.md and troubleshooting.md."""

import os
import tempfile
import unittest
import warnings
from typing import Any

import onnx
import torch
from torch import nn


class OneInput(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, unused: torch.Tensor) -> torch.Tensor:
        return self.linear(x).reshape(2, 4)


class Theirs(unittest.TestCase):
    def setUp(self) -> None:
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def theirs(self, **parameters: Any) -> onnx.ModelProto:
        path = os.path.join(self.folder, "a.onnx")
        args = (torch.randn(2, 4), torch.randn(3))
        torch.onnx.export(OneInput(), args, path, input_names=["x", "unused"], verbose=False, **parameters)
        return onnx.load(path, load_external_data=False)

    def test_torch_onnx_by_torch_export(self) -> None:
        model = self.theirs(dynamo=True)
        self.assertEqual(model.opset_import[0].version, 20)
        self.assertEqual([port.name for port in model.graph.input], ["x", "unused"])
        self.assertIn("a.onnx.data", os.listdir(self.folder))

    def test_torch_onnx_by_a_trace(self) -> None:
        model = self.theirs(dynamo=False, dynamic_axes={"x": {0: "batch"}})
        self.assertEqual([port.name for port in model.graph.input], ["x"])
        self.assertEqual(model.graph.input[0].type.tensor_type.shape.dim[0].dim_param, "batch")

    def test_the_time_of_an_lstm_is_a_number(self) -> None:
        shapes = ({1: torch.export.Dim("time")},)
        with self.assertRaisesRegex(Exception, r"Constraints violated \(time\)!"):
            torch.export.export(nn.LSTM(4, 4, batch_first=True), (torch.randn(2, 5, 4),), dynamic_shapes=shapes)

    def test_what_is_not_saved(self) -> None:
        from torch.nn.attention.flex_attention import flex_attention

        class Flexible(nn.Module):
            def forward(self, q: torch.Tensor) -> Any:
                return flex_attention(q, q, q)

        class Packed(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.register_buffer("packed", torch.zeros(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2))

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x + self.packed.view(torch.uint8)

        for module, x, name in [
            (Flexible(), torch.randn(1, 2, 16, 8), "flex_attention"),
            (Packed(), torch.zeros(2, dtype=torch.uint8), "float4_e2m1fn_x2"),
        ]:
            program = torch.export.export(module, (x,))
            with self.assertRaisesRegex(Exception, name):
                torch.export.save(program, os.path.join(self.folder, "a.pt2"))


if __name__ == "__main__":
    unittest.main()
