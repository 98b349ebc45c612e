"""An export copies no weights: memory stays below 60 MB above the module's own."""

import os
import tempfile
import unittest

import torch
from peak import Peak

import onnxport


class MemoryTest(unittest.TestCase):
    def test_memory(self) -> None:
        module = torch.nn.Sequential(*(torch.nn.Linear(4096, 4096) for _ in range(16)))
        onnxport.export(torch.nn.Linear(2, 2), (torch.rand(1, 2),))  # loads what torch.export needs
        with tempfile.TemporaryDirectory() as folder:
            for external_data in ("never", "always"):
                with self.subTest(external_data), Peak() as peak:
                    path = os.path.join(folder, f"{external_data}.onnx")
                    onnxport.export(module, (torch.rand(1, 4096),), path, external_data=external_data)
                self.assertLess(peak.more, 60e6)
            self.assertGreater(os.path.getsize(os.path.join(folder, "never.onnx")), 1e9)


if __name__ == "__main__":
    unittest.main()
