"""How long builds of many models take, and what they move."""

import json
import os
import statistics

from workspace import seconds

WORKERS = 4
STEPS = ("parseTime", "uploadTime", "networkTime", "queueTime", "setupTime", "executionWallTime", "processOutputsTime",
         "fetchTime")


def index_of(it, zoo, **options):
    return it.workspace.build(f"//:{zoo}", "--output_groups=index", **options)


def zoo(it):
    """All small models: the storage empty, full, and nothing to do."""
    it.here("zoo")
    it.cluster.start(WORKERS)
    it.table("build", "seconds", "Bazel says", "blobs stored", "MB stored")
    cold = None
    for what, forget in (("cold", True), ("warm: Bazel has forgotten all", True), ("again, Bazel knows", False)):
        built = index_of(it, "zoo", forget=forget)
        it.row(what, f"{built.seconds:.1f}", built.processes, *stored(it))
        it.same(what, "zoo", built)
        cold = cold or built
    it.check("cold: each export ran on a worker", cold.count("remote") == it.count + 1)
    moved(it, cold)
    steps(it, cold)


def stored(it):
    blobs, size = it.cluster.stored()
    return blobs, f"{size / 1e6:.1f}"


def moved(it, built):
    """Per export, in bytes: what it reads and makes, each blob counted once."""
    inputs, outputs = ({file["digest"]["hash"]: int(file["digest"]["sizeBytes"])
                        for spawn in built.exports() for file in spawn[which] if "digest" in file}
                       for which in ("inputs", "actualOutputs"))
    print(f"\n{len(built.exports())} exports: inputs {sum(inputs.values()) / 1e6:.1f} MB in {len(inputs)} blobs, one of them the "
          f"exporter; outputs {sum(outputs.values()) / 1e6:.1f} MB in {len(outputs)} blobs.\n")


def steps(it, built):
    """Where the time of an action goes."""
    it.table("step of an export, ms", "median", "mean", "95 %")
    for step in STEPS + ("totalTime",):
        values = sorted(1000 * seconds(spawn, step) for spawn in built.exports() if not spawn["cacheHit"])
        if values:
            it.row(step, *(f"{value:.0f}" for value in (
                statistics.median(values), statistics.mean(values), values[int(0.95 * (len(values) - 1))])))


def edit(it):
    """After the edit of one operator's spec: another exporter, so every export runs; what is the same is not stored again."""
    it.here("zoo")
    edited = it.edited_release()
    it.cluster.start(WORKERS)
    it.same("before the edit", "zoo", index_of(it, "zoo", forget=True))
    before = it.cluster.stored()
    it.workspace.use(edited)
    built = index_of(it, "zoo", forget=True)
    after = it.cluster.stored()
    changed = differing(it.sums.pop("zoo"), it.workspace.index("zoo"))
    it.here("zoo")
    it.same("after the edit", "zoo", built)
    it.check("the edit changes some models and not all", 0 < changed < it.count)
    it.check("each export ran again", built.count("remote") == it.count + 1)
    it.table("after the edit", "seconds", "Bazel says", "models that differ", "blobs added", "MB added")
    it.row("", f"{built.seconds:.1f}", built.processes, changed, after[0] - before[0], f"{(after[1] - before[1]) / 1e6:.1f}")
    it.workspace.use(it.release)
    del it.sums["zoo"]


def differing(before, after):
    before, after = (json.loads(table)["models"] for table in (before, after))
    return sum(row["sha256"] != other["sha256"] for row, other in zip(before, after, strict=True))


def large(it):
    """Networks of real size."""
    models = it.large()
    it.workspace.zoo("large", models)
    it.workspace.write()
    it.here("large")
    it.cluster.start(2)
    it.table("build", "seconds", "Bazel says", "blobs stored", "MB stored")
    for what in ("cold", "warm: Bazel has forgotten all"):
        built = index_of(it, "large", forget=True)
        it.row(what, f"{built.seconds:.1f}", built.processes, *stored(it))
        it.same(what, "large", built)
        if what == "cold":
            size = sum(os.path.getsize(os.path.join(it.workspace.folder, model)) for model in models)
            print(f"\n{len(models)} archives of {size / 1e6:.0f} MB.\n")
            steps(it, built)
            print()
            it.table("build", "seconds", "Bazel says", "blobs stored", "MB stored")


def opsets(it):
    """One model of 100 MB at several opsets: whether its weights are stored once."""
    model = [name for name in it.large() if "resnet50" in name]
    it.table("resnet50 at opsets 13, 18 and 21", "seconds", "blobs stored", "MB stored")
    sizes = []
    for external in (False, True):
        it.workspace.zoo("opsets", model, opsets=(13, 18, 21), external_data=external)
        it.workspace.write()
        it.sums.pop("opsets", None)
        it.here("opsets")
        it.cluster.start(2)
        built = index_of(it, "opsets", forget=True)
        it.same("opsets", "opsets", built)
        it.row("weights beside the model" if external else "weights in the model", f"{built.seconds:.1f}", *stored(it))
        sizes.append(it.cluster.stored()[1])
    it.check("weights beside the model are stored once", sizes[1] < sizes[0] / 1.8)


def sleeps(it):
    """Actions that only wait, so that cores do not count: what the engine makes of more workers."""
    it.workspace.sleeps, it.workspace.sleep_seconds = 48, 2
    it.workspace.write()
    it.table("workers", "48 actions of 2 s, seconds", "ideal", "part of the ideal")
    for workers in it.workers:
        it.cluster.start(workers)
        it.workspace.build("//:sleep_0", forget=True)  # all are there, and have what they fetch once
        built = it.workspace.build("//:sleeps", forget=True, flags=["--noremote_accept_cached"])
        it.check(f"{workers} workers: {built.said[-1000:]}", built.status == 0 and built.count("remote") == 48)
        ideal = 48 * 2 / workers
        it.row(workers, f"{built.seconds:.1f}", f"{ideal:.0f}", f"{ideal / built.seconds:.0%}")


def scaling(it):
    """Exports. Processor time says more than seconds where all workers share two cores, and others use them, too."""
    it.here("some")
    it.table("workers", f"{len(it.small[:200])} exports, s", "times as fast as one", "load before",
             *(f"{part}, ms of CPU an export" for part in ("Bazel", "storage", "scheduler", "database", "workers")))
    first = None
    for workers in it.workers:
        it.cluster.start(workers)
        load = os.getloadavg()[0]
        before = used(it)
        built = index_of(it, "some", forget=True)
        it.same(f"{workers} workers", "some", built)
        after = used(it)
        first = first or built.seconds
        it.row(workers, f"{built.seconds:.1f}", f"{first / built.seconds:.1f}", f"{load:.1f}",
               *(f"{1000 * (after[part] - before[part]) / len(built.exports()):.0f}" for part in after))


def used(it):
    return {"Bazel": it.workspace.cpu()} | it.cluster.cpu()
