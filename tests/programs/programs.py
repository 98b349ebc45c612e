#!/usr/bin/env -S python3 -B
"""Random programs: generates, exports, runs and compares them, and reduces what fails.

    programs.py EXPORTER [--kind KIND] [--door DOOR] [--seed N] [--first N] [--count N] [--seconds N] [--opset N]

Program number i of a kind and seed is the same on every machine. Ends with a table of outcomes, and with status 1 where a model
is wrong or something stops that should not.
"""

import argparse
import collections
import importlib
import logging
import pathlib
import random
import sys
import time
import warnings

sys.path[:0] = [str(pathlib.Path(__file__).parent.resolve())]

import judge
import reduce

warnings.filterwarnings("ignore")
logging.disable()  # torch.export tells why it refuses, at length
KINDS = ("control", "sizes", "writes", "values", "higher", "entries")
FAILURES = ("wrong", "fault")
AT_ONCE = 5  # programs in one call of torch.export
ALONE = ("values", "higher", "entries")  # each program has other inputs, or takes torch.export long enough


def make(kind, seed, number):
    return importlib.import_module(f"kinds.{kind}").make(random.Random(f"{kind} {seed} {number}"))


def show(program, outcome, kind, seed, number, opset):
    smaller = reduce.reduce(
        program, lambda candidate: judge.judge(candidate, options.exporter, opset).kind == outcome.kind
    )
    again = judge.judge(smaller, options.exporter, opset)
    print(f"\n{outcome.kind}: {again.text or outcome.text}")
    print(smaller.source() + f"# {smaller.door}, inputs {' '.join(smaller.inputs)}, opset {opset}")
    print(f"# again: programs.py EXPORTER --kind {kind} --door {smaller.door} --seed {seed} --first {number} --count 1 --opset {opset}", flush=True)


class Sweep:
    """Counts outcomes, and reasons of refusals, by door."""

    def __init__(self, kind):
        self.kind = kind
        self.outcomes = collections.defaultdict(collections.Counter)
        self.reasons = collections.defaultdict(collections.Counter)
        self.seconds = collections.Counter()
        self.waiting = collections.defaultdict(list)

    def run(self, deadline):
        for number in range(options.first, options.first + options.count):
            if time.monotonic() > deadline:
                break
            opset = options.opset or (18, 13, 21, 24)[number % 4]
            program = make(self.kind, options.seed, number)
            for door in program.doors or (program.door,):
                if options.door in (None, door):
                    self.add(program.through(door), number, opset)
        for (_, opset, *_), items in self.waiting.items():
            if items:
                self.settle(items, opset)

    def add(self, program, number, opset):
        if program.door not in judge.EXPORTED or self.kind in ALONE:
            return self.settle([(program, number)], opset)
        items = self.waiting[program.door, opset, program.inputs, str(judge.runs_of(program))]
        items.append((program, number))
        if len(items) == AT_ONCE:
            self.settle(items, opset)
            items.clear()

    def settle(self, items, opset):
        start = time.monotonic()
        outcomes = judge.judge_each([program for program, _ in items], options.exporter, opset)
        for (program, number), outcome in zip(items, outcomes):
            self.outcomes[program.door][outcome.kind] += 1
            if outcome.kind in ("refused", "invalid"):
                self.reasons[program.door][f"{outcome.kind}: {outcome.text}"] += 1
            self.seconds[program.door] += (time.monotonic() - start) / len(items)
            if outcome.kind in FAILURES:
                show(program, outcome, self.kind, options.seed, number, opset)

    def report(self):
        for door, outcomes in self.outcomes.items():
            count = sum(outcomes.values())
            rate = count / max(self.seconds[door], 1e-9)
            print(f"{self.kind}, {door}: {count} programs, {rate:.1f} a second: {dict(sorted(outcomes.items()))}")
            for text, count in self.reasons[door].most_common(options.reasons):
                print(f"  {count:5} {text}")
        return sum(outcomes[name] for outcomes in self.outcomes.values() for name in FAILURES)


def main():
    deadline = time.monotonic() + options.seconds
    failed = 0
    kinds = [options.kind] if options.kind else KINDS
    for place, kind in enumerate(kinds):
        share = (deadline - time.monotonic()) / (len(kinds) - place)
        sweep = Sweep(kind)
        try:
            sweep.run(time.monotonic() + share)
        except KeyboardInterrupt:  # Ctrl-C ends it with its table
            deadline = 0
        failed += sweep.report()
        if not sweep.outcomes:
            print(f"{kind}: no program in the time there was")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exporter", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--door", choices=("script", "trace", "pt2", "static"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--opset", type=int, default=0, help="default: several in turn")
    parser.add_argument("--reasons", type=int, default=8, help="how many reasons of refusals are printed")
    options = parser.parse_args()
    main()
