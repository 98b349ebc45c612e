"""The verdicts of `verify` are those of the command."""

from __future__ import annotations

import os
import unittest

import torch

from onnxport import _compare

TABLE = os.path.join("runtime", "verify", "report", "verdicts.txt")


def read(values: str, dtype: torch.dtype) -> torch.Tensor:
    number = float if dtype.is_floating_point else int
    return torch.tensor([number(value) for value in values.split(",") if value != "-"], dtype=dtype)


def given(words: list[str]) -> _compare.Given:
    pairs = [part.split("=") for word in words for part in word.split(",")]
    return _compare.Given(**{name: float(value) for name, value in pairs})


class Verdicts(unittest.TestCase):
    def test_are_those_of_the_table(self) -> None:
        rows = 0
        with open(TABLE, encoding="utf-8") as file:
            for line in file:
                if not line.strip() or line.startswith("#"):
                    continue
                verdict, dtype, expected, actual, *tolerances = line.split()
                values = [read(text, getattr(torch, dtype)) for text in (expected, actual)]
                found = _compare.difference("y", *values, given(tolerances))
                self.assertEqual("agrees" if found.ok else "differs", verdict, line)
                rows += 1
        self.assertGreater(rows, 40)

    def test_errors(self) -> None:
        for expected, found, most, relative in [
            ([1.0, 4.0], [1.5, 4.0], 0.5, 0.5),
            ([0.0, 4.0], [0.5, 4.0], 0.5, 0.0),
            ([float("nan")], [1.0], float("inf"), float("inf")),
            ([float("inf")], [1.0], float("inf"), float("inf")),
            ([float("inf"), float("nan")], [float("inf"), float("nan")], 0.0, 0.0),
        ]:
            one = _compare.difference("y", torch.tensor(expected), torch.tensor(found), _compare.Given())
            self.assertEqual((one.max_abs, one.max_rel), (most, relative), (expected, found))

    def test_types(self) -> None:
        one = _compare.difference("y", torch.zeros(2), torch.zeros(2).long(), _compare.Given())
        self.assertEqual((one.ok, one.reason), (False, "torch.int64[2] instead of torch.float32[2]"))


if __name__ == "__main__":
    unittest.main()
