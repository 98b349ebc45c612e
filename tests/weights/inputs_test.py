#!/usr/bin/env -S python3 -B
"""inputs_test.py EXPORTER FOLDER VERIFY: whatever a command is told to write, the files that it reads stay as they are."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EXPORTER = pathlib.Path(sys.argv[1]).absolute()
FOLDER = pathlib.Path(sys.argv[2])

AXIS = ["--input", "x=f32[batch,4]"]
OUTSIDE = ["--external-data", "safetensors"]
RAW = ["--external-data", "always"]
INSIDE = ["--external-data", "never"]
KEPT = ["export", "first.pt2", "-o", "m.onnx", *AXIS, "--no-fold", *OUTSIDE]

# The commands before, the command itself, what it may write, whether it succeeds. DATA: the data file of m.onnx.
CASES = [
    ([], ["export", "first.pt2", "-o", "first.pt2"], [], False),
    ([], ["export", "first.pt", *AXIS, "-o", "first.pt"], [], False),
    ([], ["export", "first.pt2", "--weights", "second_state.pt", "-o", "second_state.pt"], [], False),
    ([], ["export", "first.pt2", "--weights", "link", "-o", "second_state.pt"], [], False),
    ([KEPT], ["export", "first.pt2", "--weights", "DATA", "-o", "m.onnx", *RAW], ["m.onnx"], True),
    ([KEPT], ["export", "first.pt2", "--weights", "DATA", "-o", "m.onnx", *INSIDE], ["m.onnx"], True),
    ([KEPT], ["export", "first.pt2", "--weights", "DATA", "-o", "m.onnx", "--no-fold", *OUTSIDE], [], False),
    ([KEPT], ["apply-weights", "m.onnx", "--weights", "DATA", *INSIDE], ["m.onnx"], True),
    ([KEPT], ["apply-weights", "m.onnx", "--weights", "DATA", "-o", "DATA"], [], False),
    ([KEPT], ["apply-weights", "m.onnx", "--weights", "second.safetensors", "-o", "DATA"], [], False),
    ([KEPT], ["apply-weights", "m.onnx", "--weights", "second.safetensors", "-o", "second.safetensors"], [], False),
    ([KEPT], ["apply-weights", "m.onnx", "--weights", "second.safetensors"], ["m.onnx", "DATA"], True),
    ([KEPT], ["inspect", "m.onnx", "--html", "m.onnx"], [], False),
    ([KEPT], ["inspect", "m.onnx"], [], True),
    ([], ["inspect", "first.pt2", "--weights", "second_state.pt", "--html", "second_state.pt"], [], False),
    ([], ["inspect", "first.pt2", "--weights", "second_state.pt"], [], True),
    ([], ["export", "model.json", "-o", "m.onnx", "--report", "model.json"], [], False),
    ([], ["export", "first.pt2", "-o", "m.onnx", "--weights", "w.json", "--report", "w.json"], [], False),
    ([], ["export", "first.pt2", "-o", "m.json", "--report", "m.json"], [], False),
    ([], ["export", "first.pt", "--and", "model.json", "--report", "model.json"], [], False),
    ([], ["export", "first.pt2", *AXIS, "--check-axes", "--report", "model.json", "-o", "first.pt2"], [], True),
    ([], ["ops", "relu"], [], True),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt2"], [], True),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt", "--inputs", "run.npz"], [], True),
    ([KEPT], ["verify", "m.onnx", "--against", "second.pt2", "--bisect"], [], False),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt2", "--save-tests", "."], [], True),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt2", "--save-tests", "first.pt2"], [], False),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt2", "--save-tests", "links"], [], False),
    ([KEPT], ["verify", "m.onnx", "--against", "first.pt2", "--inputs", "run.npz", "--save-tests", "."], [], True),
]


# Places of a command line that a file stands in, and files of which most do not belong there.
PLACES = [
    ["export", "FILE", "-o", "out.onnx"],
    ["export", "first.pt2", "-o", "out.onnx", "--weights", "FILE"],
    ["export", "first.pt", *AXIS, "-o", "out.onnx", "--weights", "FILE"],
    ["export", "first.pt", *AXIS, "-o", "out.onnx", "--and", "FILE", "--sizes", "batch=1", "--sizes", "batch=2"],
    ["apply-weights", "FILE", "--weights", "second_state.pt", "-o", "out.onnx"],
    ["apply-weights", "m.onnx", "--weights", "FILE", "-o", "out.onnx"],
    ["inspect", "FILE"],
    ["inspect", "FILE", "--html", "out.html"],
    ["inspect", "first.pt2", "--weights", "FILE"],
    ["verify", "FILE", "--against", "first.pt2"],
    ["verify", "m.onnx", "--against", "FILE"],
    ["verify", "m.onnx", "--against", "first.pt2", "--inputs", "FILE"],
]
FILES = [
    "first.pt2",
    "second.pt",
    "second_state.pt",
    "second.safetensors",
    "m.onnx",
    "DATA",
    "run.npz",
    "no_weights.txt",
    "nothing",
    "folder",
    "folder/nowhere",
    "link_to_nowhere",
]


def data_of(folder):
    return next((path.name for path in folder.glob("m.*.safetensors")), "DATA")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


class Inputs(unittest.TestCase):
    def run_in(self, folder, words):
        words = [word.replace("DATA", data_of(folder)) for word in words]
        return subprocess.run([EXPORTER, *words], cwd=folder, capture_output=True, text=True, check=False)

    def test_stay(self):
        for before, words, written, succeeds in CASES:
            with self.subTest(words=words), tempfile.TemporaryDirectory(dir=os.environ["TEST_TMPDIR"]) as name:
                folder = pathlib.Path(name)
                for path in FOLDER.iterdir():
                    shutil.copy(path, folder)
                shutil.copy(folder / "first.pt2", folder / "model.json")
                shutil.copy(folder / "second_state.pt", folder / "w.json")
                (folder / "link").symlink_to("second_state.pt")
                (folder / "links" / "test_data_set_0").mkdir(parents=True)
                (folder / "links" / "test_data_set_0" / "output_0.pb").symlink_to("../../first.pt2")
                for command in before:
                    self.assertEqual(self.run_in(folder, command).returncode, 0)
                may_change = {file.replace("DATA", data_of(folder)) for file in written}
                old = contents(folder)
                done = self.run_in(folder, words)
                self.assertEqual(done.returncode == 0, succeeds, done.stderr)
                new = contents(folder)
                for file, held in old.items():
                    if file not in may_change:
                        self.assertTrue(new.get(file) == held, f"{file} is written to, or removed: {done.stderr}")

    def test_of_another_kind_are_refused(self):
        with tempfile.TemporaryDirectory(dir=os.environ["TEST_TMPDIR"]) as name:
            folder = pathlib.Path(name)
            for path in FOLDER.iterdir():
                shutil.copy(path, folder)
            (folder / "folder").mkdir()
            (folder / "nothing").touch()
            (folder / "link_to_nowhere").symlink_to("nowhere")
            self.assertEqual(self.run_in(folder, KEPT).returncode, 0)
            for words in PLACES:
                for file in FILES:
                    with self.subTest(words=words, file=file):
                        done = self.run_in(folder, [word.replace("FILE", file) for word in words])
                        self.assertIn(done.returncode, [0, 1, 2, 3, 4, 5], done.stderr)
                        self.assertNotIn("internal error", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
