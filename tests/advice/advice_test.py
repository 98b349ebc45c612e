#!/usr/bin/env -S python3 -B
"""Follows the advice of each refusal: what it says exports, and gives PyTorch's numbers. Each code has a case."""

import concurrent.futures
import importlib
import json
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path("tests/advice")
sys.path[:0] = ["tests/levels", str(HERE), str(HERE / "cases")]
import advice

THEMES = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
CASES = [(theme, case) for theme in THEMES for case in importlib.import_module(theme).CASES]


def untried():
    lines = (HERE / "untried.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


class Advice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lines = [words for _, case in CASES for words in (case.refused, case.then) if words is not None]
        for words in lines:
            advice.write(words)  # PyTorch saves from one thread
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.done = dict(zip(map(id, lines), pool.map(advice.run, lines)))

    def test_is_in_the_message(self):
        for theme, case in CASES:
            with self.subTest(theme=theme, code=case.code, says=case.says):
                done = self.done[id(case.refused)].process
                self.assertNotEqual(done.returncode, 0, "it is exported: the case has to go")
                self.assertIn(f"[{case.code}]", done.stderr)
                self.assertIn(case.says, done.stderr)
                # No consequence of a refusal is told beside it.
                self.assertNotIn("used before it is computed", done.stderr)

    def test_leads_to_a_model(self):
        for theme, case in CASES:
            if case.then is None:
                continue
            with self.subTest(theme=theme, code=case.code, says=case.says):
                run = self.done[id(case.then)]
                self.assertEqual(run.process.returncode, 0, run.process.stderr)
                if run.model and case.compare:
                    self.assertEqual(advice.difference(run.model, run.archive), "")

    def test_each_code_has_a_case(self):
        listed = subprocess.run([advice.EXPORTER, "explain", "--json"], capture_output=True, text=True, check=True)
        codes = {row["code"] for row in json.loads(listed.stdout)}
        self.assertGreater(len(codes), 40)
        tried, listed = {case.code for _, case in CASES}, untried().keys()
        self.assertEqual(sorted(codes - tried - listed), [], "no case follows their advice")
        self.assertEqual(sorted(listed & tried), [], "cases follow their advice: untried.txt need not have them")
        self.assertEqual(sorted((tried | listed) - codes), [], "there is no such code")


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # of traces and scripts
