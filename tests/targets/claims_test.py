#!/usr/bin/env -S python3 -B
"""claims_test.py PROFILE SAMPLES.py: what spec/targets/ort-cpu.yaml claims, against ONNX Runtime itself. Where it says that
a kernel takes a dtype, a session is made; where it says that none does, ONNX Runtime finds none."""

import os
import re
import sys
import unittest

import onnx

PROFILE = open(sys.argv.pop(1)).read()
sys.path.insert(0, os.path.dirname(sys.argv.pop(1)))
from samples import SAMPLES, runs, variable_of  # noqa: E402
from target_profile import words  # noqa: E402


def forms(op):
    """The profile's claims about an operator: opset -> variable -> dtypes; None if it is not there."""
    block = re.search(rf"^  {op}:\n((?:    .*\n)+)", PROFILE, re.M)
    said = {}
    for since, kinds in re.findall(r"    (\d+): (.*)", block[1] if block else ""):
        pairs = re.findall(r"(\w+): \[([^\]]*)\]", kinds)
        said[int(since)] = None if kinds == "none" else {name: set(words.split(", ")) for name, words in pairs}
    return said


def claim(op, opset, variable, dtype):
    said = forms(op)
    known = [since for since in said if since <= opset]
    kinds = said[max(known)] if known else None
    return kinds is not None and (variable not in kinds or dtype in kinds[variable])


class Claims(unittest.TestCase):
    def test_each_is_what_onnx_runtime_does(self):
        tried = {True: 0, False: 0}
        for op in SAMPLES:
            for opset in [13, 18, 22, 24, 25, 28]:
                if not onnx.defs.has(op, opset) or onnx.defs.get_schema(op, opset).deprecated:
                    continue
                schema = onnx.defs.get_schema(op, opset)
                variable = variable_of(schema)
                allowed = next(c for c in schema.type_constraints if c.type_param_str == variable).allowed_type_strs
                for dtype in words(allowed):
                    with self.subTest(op=op, opset=opset, dtype=dtype):
                        claimed = claim(op, opset, variable, dtype)
                        self.assertEqual(claimed, runs(op, dtype, opset))
                        tried[claimed] += 1
        self.assertGreater(tried[True], 500)
        self.assertGreater(tried[False], 200)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
