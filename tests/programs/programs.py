#!/usr/bin/env -S python3 -B
"""Random programs: generates, exports, runs and compares them, and reduces what fails.

    programs.py EXPORTER [--kind KIND] [--seed N] [--first N] [--count N] [--seconds N] [--opset N]

Program number i of a kind and seed is the same on every machine. Ends with a table of outcomes, and with status 1 where a model
is wrong or something stops that should not.
"""

import argparse
import collections
import importlib
import pathlib
import random
import sys
import time
import warnings

sys.path[:0] = [str(pathlib.Path(__file__).parent.resolve())]

import judge
import reduce

warnings.filterwarnings("ignore")
KINDS = ("control", "writes")
FAILURES = ("wrong", "fault")


def make(kind, seed, number):
    return importlib.import_module(f"kinds.{kind}").make(random.Random(f"{kind} {seed} {number}"))


def show(program, outcome, kind, seed, number, opset):
    smaller = reduce.reduce(
        program, lambda candidate: judge.judge(candidate, options.exporter, opset).kind == outcome.kind
    )
    again = judge.judge(smaller, options.exporter, opset)
    print(f"\n{outcome.kind}: {again.text or outcome.text}")
    print(smaller.source() + f"# {smaller.door}, inputs {' '.join(smaller.inputs)}, opset {opset}")
    print(f"# again: programs.py EXPORTER --kind {kind} --seed {seed} --first {number} --count 1 --opset {opset}", flush=True)


def sweep(kind, deadline):
    """Counts outcomes, and reasons of refusals."""
    outcomes, reasons = collections.Counter(), collections.Counter()
    for number in range(options.first, options.first + options.count):
        if time.monotonic() > deadline:
            break
        opset = options.opset or (18, 13, 21, 24)[number % 4]
        program = make(kind, options.seed, number)
        outcome = judge.judge(program, options.exporter, opset)
        outcomes[outcome.kind] += 1
        if outcome.kind in ("refused", "invalid"):
            reasons[f"{outcome.kind}: {outcome.text}"] += 1
        if outcome.kind in FAILURES:
            show(program, outcome, kind, options.seed, number, opset)
    return outcomes, reasons


def main():
    deadline = time.monotonic() + options.seconds
    failed = 0
    kinds = [options.kind] if options.kind else KINDS
    for place, kind in enumerate(kinds):
        share = (deadline - time.monotonic()) / (len(kinds) - place)
        outcomes, reasons = sweep(kind, time.monotonic() + share)
        failed += sum(outcomes[name] for name in FAILURES)
        print(f"{kind}: {sum(outcomes.values())} programs: {dict(sorted(outcomes.items()))}")
        for text, count in reasons.most_common(options.reasons):
            print(f"  {count:5} {text}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exporter", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--opset", type=int, default=0, help="default: several in turn")
    parser.add_argument("--reasons", type=int, default=8, help="how many reasons of refusals are printed")
    options = parser.parse_args()
    main()
