"""An export copies no weights: memory stays below 60 MB above the module's own."""

import os
import tempfile
import threading
import unittest

import torch

import onnxport


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The most memory that the process had while it ran."""

    def __enter__(self) -> "Peak":
        self.most = self.before = resident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._done.wait(0.005):
            self.most = max(self.most, resident())

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        print(f"{(self.most - self.before) / 1e6:.0f} MB more")


class MemoryTest(unittest.TestCase):
    def test_memory(self) -> None:
        module = torch.nn.Sequential(*(torch.nn.Linear(4096, 4096) for _ in range(16)))
        onnxport.export(torch.nn.Linear(2, 2), (torch.rand(1, 2),))  # loads what torch.export needs
        with tempfile.TemporaryDirectory() as folder:
            for external_data in ("never", "always"):
                with self.subTest(external_data), Peak() as peak:
                    path = os.path.join(folder, f"{external_data}.onnx")
                    onnxport.export(module, (torch.rand(1, 4096),), path, external_data=external_data)
                self.assertLess(peak.most - peak.before, 60e6)
            self.assertGreater(os.path.getsize(os.path.join(folder, "never.onnx")), 1e9)


if __name__ == "__main__":
    unittest.main()
