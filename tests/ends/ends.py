#!/usr/bin/env -S python3 -B
"""Calls with values at the ends of their dtypes: exports each, and compares the model with PyTorch.

    ends.py EXPORTER TABLE [--only TEXT] [--opsets 9,13] [--part N/OF] [--few]

Ends with a count of outcomes, and with status 1 where a model is wrong or stops, or where the newest opset refuses a
call of which the table does not say so.
"""

import argparse
import collections
import importlib
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.resolve())]

import judge

OPSETS = (7, 8, 9, 10, 11, 12, 13, 16, 18, 21, 25)


def failures(call, outcomes):
    """What is wrong with it, by opset."""
    newest = max(outcomes)
    for opset, (kind, text) in outcomes.items():
        if kind in ("wrong", "fault"):
            yield f"{call.name}, opset {opset}: {kind}: {text}"
        if kind == "refused" and opset == newest and not (call.refuses and call.refuses in text):
            yield f"{call.name}, opset {opset}: refused: {text}"
    if call.refuses and outcomes[newest][0] != "refused":
        yield f"{call.name} is exported: take out `refuses`"


def main():
    table = importlib.import_module(options.table)
    opsets = [int(word) for word in options.opsets.split(",")] if options.opsets else OPSETS
    part, of = (int(word) for word in options.part.split("/"))
    counts, failed = collections.Counter(), 0
    for number, call in enumerate(table.calls(options.few)):
        if options.only not in call.name or number % of != part % of:
            continue
        outcomes = judge.judge(call, options.exporter, opsets)
        if not outcomes:
            counts["PyTorch refuses"] += 1
            continue
        counts.update(kind if text != "reference" else "ok in the reference evaluator" for kind, text in outcomes.values())
        for text in failures(call, outcomes):
            failed += 1
            print(text, flush=True)
    print(f"{options.table}: {dict(sorted(counts.items()))}")
    sys.exit(1 if failed or not counts["ok"] else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exporter", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("table")
    parser.add_argument("--only", default="", help="calls whose name has this text")
    parser.add_argument("--opsets", default="", help="default: all where operators of integers changed")
    parser.add_argument("--part", default="0/1", help="every OF-th call, from the N-th")
    parser.add_argument("--few", action="store_true", help="fewer numbers beside tensors")
    options = parser.parse_args()
    main()
