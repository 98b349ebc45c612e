"""`exporter verify` in Python: models and programs that are files."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

import numpy
import torch
from torch import nn
from torch.export import Dim

import onnxport
from onnxport._verify_command import main


class Join(nn.Module):
    def __init__(self, bias: float = 1.0) -> None:
        super().__init__()
        self.bias = bias

    def forward(self, x, y, flag: bool = True):
        return {"sum": x + self.bias, "joined": torch.cat([x, y])} if flag else {"sum": x}


class Times(nn.Module):
    def forward(self, x, n: int, flag: bool = True):
        return x * n if flag else x


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.fft.fft(x)


class Counts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total += x
        return self.total * 2


class VerifyCommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.x = torch.rand(2, 3)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def program(self, module: nn.Module, args: tuple, name: str = "m.pt2", **options: object) -> str:
        torch.export.save(torch.export.export(module.eval(), args, **options), self.path(name))
        return self.path(name)

    def joined(self, name: str = "m.pt2", bias: float = 1.0) -> str:
        return self.program(Join(bias), (self.x, torch.rand(3, 3), True), name,
                            dynamic_shapes=({0: Dim("b")}, {0: Dim("c")}, None))  # fmt: skip

    def verify(self, *words: str) -> tuple[int, str, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                status = main(words)
            except SystemExit as ended:
                status = int(ended.code or 0)
        return status, out.getvalue(), err.getvalue()

    def test_they_agree(self) -> None:
        program = self.joined()
        onnxport.export(program, f=self.path("m.onnx"), inputs=["x=f32[b,3]", "y=f32[c,3]"])
        status, out, err = self.verify(self.path("m.onnx"), "--against", program)
        self.assertEqual([status, err], [0, ""])
        self.assertIn("b=2, c=3\n  sum float32[2,3]: agrees, max abs error 0", out)
        self.assertIn("b=5, c=6\n", out)
        self.assertIn("  joined float32[11,3]: agrees", out)
        out = self.verify(self.path("m.onnx"), "--against", program, "--sizes", "b=7,8,9")[1]
        self.assertEqual([line for line in out.splitlines() if line.startswith("b=")], ["b=7, c=3", "b=8, c=6", "b=9, c=9"])

    def test_they_differ(self) -> None:
        onnxport.export(self.joined(), f=self.path("m.onnx"))
        other = self.joined("other.pt2", bias=1.01)
        status, out, _ = self.verify(self.path("m.onnx"), "--against", other)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"sum float32\[[23],3\] differs: max abs error 0.01")
        self.assertIn("joined float32[5,3]: agrees", out)
        self.assertEqual(self.verify(self.path("m.onnx"), "--against", other, "--atol", "0.1")[0], 0)

    def test_values(self) -> None:
        program = self.joined()
        onnxport.export(program, f=self.path("m.onnx"))
        numpy.savez(self.path("v.npz"), x=numpy.ones((4, 3), "f"), y=numpy.ones((1, 3), "f"))
        status, out, _ = self.verify(self.path("m.onnx"), "--against", program, "--inputs", self.path("v.npz"))
        self.assertEqual(status, 0)
        self.assertIn("joined float32[5,3]", out)
        numpy.savez(self.path("v.npz"), x=numpy.ones((4, 3)))
        status, _, err = self.verify(self.path("m.onnx"), "--against", program, "--inputs", self.path("v.npz"))
        self.assertEqual(status, 2)
        self.assertIn("has no y", err)

    def test_a_script(self) -> None:
        torch.jit.save(torch.jit.script(Times()), self.path("s.pt"))
        onnxport.export(self.path("s.pt"), f=self.path("s.onnx"), inputs=["x=f32[b,3]", "n=3"])
        words = (self.path("s.onnx"), "--against", self.path("s.pt"))
        self.assertEqual(self.verify(*words, "--input", "n=3")[0], 0)
        self.assertEqual(self.verify(*words, "--input", "n=4")[0], 1)
        status, _, err = self.verify(*words)
        self.assertEqual(status, 5)
        self.assertIn("`forward` takes Tensor, int: give what is no input with --input", err)
        onnxport.export(self.path("s.pt"), f=self.path("n.onnx"), inputs=["x=f32[b,3]", "n=i64[]", "flag=false"])
        words = (self.path("n.onnx"), "--against", self.path("s.pt"), "--range", "n=2,9")
        self.assertEqual([self.verify(*words, "--input", f"flag={flag}")[0] for flag in ("false", "true")], [0, 1])

    def test_complex(self) -> None:
        program = self.program(Spectrum(), (torch.rand(4, dtype=torch.complex64),))
        onnxport.export(program, f=self.path("m.onnx"))
        status, out, err = self.verify(self.path("m.onnx"), "--against", program)
        self.assertEqual([status, err], [0, ""])
        self.assertIn("float32[4,2]: agrees", out)

    def test_what_is_not_compared(self) -> None:
        program = self.program(Counts(), (torch.rand(3),))
        onnxport.export(program, f=self.path("m.onnx"), state_as_io=True)
        status, _, err = self.verify(self.path("m.onnx"), "--against", program)
        self.assertEqual(status, 5)
        self.assertIn("a model with state", err)
        for words, code, said in [
            ((self.path("none.onnx"), "--against", program), 5, "cannot compare: NoSuchFile"),
            ((self.path("m.onnx"), "--against", program, "--bisect"), 2, "--bisect needs the program exporter-verify"),
            ((self.path("m.onnx"),), 2, "--against"),
        ]:
            status, _, err = self.verify(*words)
            self.assertEqual(status, code)
            self.assertIn(said, err)

    def test_usage(self) -> None:
        program = self.joined()
        onnxport.export(program, f=self.path("m.onnx"))
        for word, said in [
            ("--sizes=z=3", "the free axes are "),
            ("--range=x=1", "write NAME=LOW,HIGH"),
            ("--range=z=1,2", "has no such input"),
        ]:
            status, _, err = self.verify(self.path("m.onnx"), "--against", program, word)
            self.assertEqual(status, 2)
            self.assertIn(said, err)

    def test_as_a_module(self) -> None:
        """`python -m onnxport verify`, and the command where it is not installed."""
        program = self.path("s.pt")
        torch.jit.save(torch.jit.trace(nn.Linear(3, 4).eval(), self.x), program)
        onnxport.export(program, f=self.path("m.onnx"))
        python = [sys.executable, "-B", "-m", "onnxport"]
        environment = {**os.environ, "PATH": self.folder}
        ran = subprocess.run([*python, "verify", self.path("m.onnx"), "--against", program], capture_output=True, text=True,
                             cwd=self.folder, env=environment)  # fmt: skip
        self.assertEqual([ran.returncode, ran.stderr], [0, ""])
        with open(self.path("exporter"), "w", encoding="utf-8") as script:
            script.write('#!/bin/sh\necho "command: $*"\n')
        os.chmod(self.path("exporter"), 0o755)
        ran = subprocess.run([*python, "ops", "softmax"], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("softmax", ran.stdout)  # of the wheel's command where the wheel is installed


if __name__ == "__main__":
    unittest.main()
