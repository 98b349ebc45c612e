#!/usr/bin/env -S python3 -B
"""Each code of onnxport/codes.txt is expected by a test, or codes_untested.txt says why by none."""

import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
HERE = os.path.join(ROOT, "tests", "architecture")
# These have all codes.
ALL = {"onnxport/codes_test.cc", "tests/architecture/codes_test.py"}


def is_test(path):
    if path in ALL or not path.endswith((".cc", ".py", ".sh", ".c", ".mjs")):
        return False
    return path.startswith("tests/") or "/tests/" in path or "_test." in path


def tests():
    for top in ("onnxport", "python", "runtime", "tests", "web"):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for file in files:
                path = os.path.relpath(os.path.join(folder, file), ROOT)
                if is_test(path):
                    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as text:
                        yield text.read()


def rows(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file if not line.startswith("#"))


def expected(codes, texts):
    """The numbers of the codes that the texts name: `E0104` or `Code::kAxisIsFixed`."""
    words = {word for text in texts for word in re.findall(r"\b[EW]\d{4}\b|\bCode::k\w+", text)}
    return {number for number, name in codes.items() if number in words or f"Code::k{name}" in words}


class Codes(unittest.TestCase):
    def test_each_is_expected_by_a_test(self):
        codes = {number: name for number, name in rows(f"{ROOT}/onnxport/codes.txt").items() if not name.endswith(" retired")}
        self.assertGreater(len(codes), 40)
        untested = rows(f"{HERE}/codes_untested.txt")
        named = expected(codes, tests())
        self.assertEqual(sorted(codes.keys() - named - untested.keys()), [], "no test expects them")
        self.assertEqual(sorted(untested.keys() & named), [], "tests expect them: codes_untested.txt need not have them")
        self.assertEqual(sorted(untested.keys() - codes.keys()), [], "there is no such code")

    def test_a_code_is_seen(self):
        codes = {"E0001": "Usage", "E0002": "CommandLine", "E0003": "WrongOption"}
        self.assertEqual(expected(codes, ['"error[E0001]"', "Code::kCommandLine,", "Code::kWrong, E00035"]), {"E0001", "E0002"})


if __name__ == "__main__":
    unittest.main()
