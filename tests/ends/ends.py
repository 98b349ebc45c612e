#!/usr/bin/env -S python3 -B
"""Calls with values at the ends of their dtypes: exports each, and compares the model with PyTorch.

    ends.py EXPORTER TABLE... [--only TEXT] [--opsets 9,13] [--one-of N] [--few]

Ends with a count of outcomes. The status is 1 if a model is wrong or stops, or if the newest opset refuses a call and
the table does not say so.
"""

import argparse
import collections
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "levels")]

import judge

OPSETS = (7, 8, 9, 10, 11, 12, 13, 16, 18, 21, 25)


def failures(call, outcomes, newest, is_whole):
    """Returns the mistakes of a call, by opset. `is_whole`: it was tried at all of them."""
    for opset, (kind, text) in outcomes.items():
        if kind == "fault" or (kind == "wrong" and not call.known):
            yield f"{call.name}, opset {opset}: {kind}: {text}"
        if kind == "refused" and opset == newest and not (call.refuses and call.refuses in text):
            yield f"{call.name}, opset {opset}: refused: {text}"
    if call.refuses and outcomes.get(newest, ("refused",))[0] != "refused":
        yield f"{call.name} is exported: take out `refuses`"
    if call.known and is_whole and not any(kind == "wrong" for kind, text in outcomes.values()):
        yield f"{call.name} is right: take it out of those known as wrong ({call.known})"


def word(call, kind, text):
    if text == "reference":
        return "ok in the reference evaluator"
    return "known as wrong" if kind == "wrong" and call.known else kind


def judge_table(name):
    """Prints what fails, and counts of outcomes. Returns whether all is well."""
    table = importlib.import_module(name)
    all_opsets = list(getattr(table, "OPSETS", OPSETS))
    opsets = [int(word) for word in options.opsets.split(",")] if options.opsets else all_opsets
    counts, failed = collections.Counter(), 0
    for number, call in enumerate(table.calls(options.few)):
        chosen = [opset for i, opset in enumerate(opsets) if (number + i * 7) % options.one_of == 0]
        if options.only not in call.name or not chosen:
            continue
        outcomes = judge.judge(call, options.exporter, chosen)
        if not outcomes:
            counts["PyTorch refuses"] += 1
            continue
        counts.update(word(call, *outcome) for outcome in outcomes.values())
        for text in failures(call, outcomes, all_opsets[-1], chosen == all_opsets):
            failed += 1
            print(text, flush=True)
    print(f"{name}: {dict(sorted(counts.items()))}", flush=True)
    return failed == 0 and counts["ok"] > 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exporter", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--only", default="", help="calls whose name has this text")
    parser.add_argument("--opsets", default="", help="default: all where operators of integers changed")
    parser.add_argument("--one-of", type=int, default=1, help="of so many pairs of a call and an opset, one")
    parser.add_argument("--few", action="store_true", help="fewer numbers beside tensors")
    options = parser.parse_args()
    sys.exit(0 if all([judge_table(name) for name in options.tables]) else 1)
