#!/usr/bin/env python3
"""Tests how regressions.py judges a number by the one before."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import regressions  # noqa: E402


class Judged(unittest.TestCase):
    def test_within_5_percent_is_no_growth(self):
        self.assertEqual(regressions.judged(105, 100), ("1.050", False))

    def test_more_is(self):
        self.assertEqual(regressions.judged(106, 100), ("1.060", True))

    def test_less_is_not(self):
        self.assertEqual(regressions.judged(50, 100), ("0.500", False))

    def test_a_new_number_has_nothing_beside_it(self):
        self.assertEqual(regressions.judged(106, None), ("new", False))

    def test_noise_is_not_judged(self):
        self.assertEqual(regressions.judged(2.0, 1.0, noise=1.2), ("2.00, not judged: cp beside cp is 1.20", False))


class Rows(unittest.TestCase):
    def test_the_last_row_of_a_number_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "history.csv")
            with open(path, "w", encoding="utf-8") as text:
                text.write('date,commit,number,value\n2026-01-01,a,"1,000 calls",7\n2026-01-02,b,"1,000 calls",9\n')
            self.assertEqual(regressions.last_values(path), {"1,000 calls": 9.0})

    def test_no_file_has_none(self):
        self.assertEqual(regressions.last_values("/nowhere/history.csv"), {})

    def test_what_has_grown_is_kept(self):
        table = regressions.Table({"a": 100.0, "b": 100.0})
        table.add("a", 106)
        table.add("b", 100, 90)
        self.assertEqual(table.grown, ["a: 1.060 times the last row", "b: 1.111 times --previous"])


if __name__ == "__main__":
    unittest.main()
