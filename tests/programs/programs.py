#!/usr/bin/env -S python3 -B
"""Random programs: generates, exports, runs and compares them, and reduces what fails.

    programs.py EXPORTER [--kind KIND] [--door DOOR] [--seed N] [--first N] [--count N] [--seconds N] [--opset N]
                         [--jobs N]

Program number i of a kind and seed is the same on every machine. Ends with a table of outcomes, and with status 1 where
a model is wrong or something stops that should not.
"""

import argparse
import collections
import gc
import importlib
import logging
import multiprocessing
import os
import pathlib
import random
import resource
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "levels")]

import judge
import reduce

warnings.filterwarnings("ignore")
logging.disable()  # torch.export tells why it refuses, at length
KINDS = ("control", "sizes", "writes", "values", "higher", "entries")
FAILURES = ("wrong", "fault")
AT_ONCE = 5  # programs in one call of torch.export
MEMORY = 3 << 30  # bytes of a worker: a program that appends to the list that it walks takes all there is
ALONE = ("values", "higher", "entries")  # each program has other inputs, or takes torch.export long


def make(kind, seed, number):
    return importlib.import_module(f"kinds.{kind}").make(random.Random(f"{kind} {seed} {number}"))


def show(program, outcome, kind, seed, number, opset):
    smaller = reduce.reduce(
        program, lambda candidate: judge.judge(candidate, options.exporter, opset).kind == outcome.kind
    )
    again = judge.judge(smaller, options.exporter, opset)
    print(f"\n{outcome.kind}: {again.text or outcome.text}")
    print(smaller.source() + f"# {smaller.door}, inputs {' '.join(smaller.inputs)}, opset {opset}")
    where = f"--kind {kind} --door {smaller.door} --seed {seed} --first {number} --count 1 --opset {opset}"
    print(f"# again: programs.py EXPORTER {where}", flush=True)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def pytorch_alone(kind, number):
    """Makes, saves and runs a program, without ONNX Runtime."""
    limit_memory()
    program = make(kind, options.seed, number)
    for door in program.doors or (program.door,):
        if options.door in (None, door):
            judge.only_pytorch(program.through(door))


class Worker:
    """Judges every program of a kind whose number is `place` modulo the number of workers, and tells what became of it.

    The number that it is at is in shared memory: where PyTorch itself ends the process, another worker goes on behind.
    """

    def __init__(self, kind, place, told):
        self.kind = kind
        self.place = place
        self.told = told
        self.number = multiprocessing.Value("q", options.first + place)
        self.process = None

    def start(self, deadline):
        self.process = multiprocessing.get_context("fork").Process(target=self.run, args=(deadline,), daemon=True)
        self.process.start()

    def run(self, deadline):
        limit_memory()
        self.waiting = collections.defaultdict(list)
        for number in range(self.number.value, options.first + options.count, options.jobs):
            self.number.value = number
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
        seconds = (time.monotonic() - start) / len(items)
        for (program, number), outcome in zip(items, outcomes):
            self.told.put((program.door, outcome.kind, outcome.text, seconds))
            if outcome.kind in FAILURES:
                show(program, outcome, self.kind, options.seed, number, opset)


class Sweep:
    """Counts outcomes, and reasons of refusals, by door."""

    def __init__(self, kind):
        self.kind = kind
        self.outcomes = collections.defaultdict(collections.Counter)
        self.reasons = collections.defaultdict(collections.Counter)
        self.seconds = collections.Counter()
        self.crashes = 0
        self.told = multiprocessing.SimpleQueue()

    def run(self, deadline):
        workers = [Worker(self.kind, place, self.told) for place in range(options.jobs)]
        for worker in workers:
            worker.start(deadline)
        try:
            while workers:
                time.sleep(0.05)
                workers = [one for one in workers if one.process.is_alive() or self.restarted(one, deadline)]
                self.listen()
        except KeyboardInterrupt:  # Ctrl-C ends it with its table
            for worker in workers:
                worker.process.kill()
            raise

    def restarted(self, worker, deadline):
        """Returns whether a worker that ended goes on after the program that ended it."""
        if worker.process.exitcode == 0:
            return False
        number = worker.number.value
        alone = multiprocessing.get_context("fork").Process(target=pytorch_alone, args=(self.kind, number))
        alone.start()
        alone.join()
        if alone.exitcode:
            self.outcomes["any door"]["invalid"] += 1
            self.reasons["any door"]["invalid: PyTorch itself ends the process"] += 1
        else:
            self.crashes += 1
            where = f"--kind {self.kind} --seed {options.seed} --first {number} --count 1"
            print(f"\nit ended with {worker.process.exitcode}: programs.py EXPORTER {where}", flush=True)
        worker.number.value += options.jobs
        worker.start(deadline)
        return True

    def listen(self):
        while not self.told.empty():
            door, kind, text, seconds = self.told.get()
            self.outcomes[door][kind] += 1
            self.seconds[door] += seconds
            if kind in ("refused", "invalid"):
                self.reasons[door][f"{kind}: {text}"] += 1

    def report(self):
        for door, outcomes in self.outcomes.items():
            count = sum(outcomes.values())
            seconds = self.seconds[door] / options.jobs
            rate = f"{count / seconds:.1f} a second" if seconds else "not timed"
            print(f"{self.kind}, {door}: {count} programs, {rate}: {dict(sorted(outcomes.items()))}")
            for text, count in self.reasons[door].most_common(options.reasons):
                print(f"  {count:5} {text}")
        if not self.outcomes:
            print(f"{self.kind}: no program in the time there was")
        failures = sum(outcomes[name] for outcomes in self.outcomes.values() for name in FAILURES)
        return failures + self.crashes + (not self.outcomes)


def main():
    deadline = time.monotonic() + options.seconds
    failed = 0
    kinds = [options.kind] if options.kind else KINDS
    if options.door in (None, *judge.EXPORTED):
        judge.warm()
    gc.freeze()
    for place, kind in enumerate(kinds):
        share = (deadline - time.monotonic()) / (len(kinds) - place)
        sweep = Sweep(kind)
        try:
            sweep.run(time.monotonic() + share)
        except KeyboardInterrupt:
            deadline = 0
        failed += sweep.report()
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
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that judge")
    options = parser.parse_args()
    options.jobs = max(1, min(options.jobs, options.count))
    main()
