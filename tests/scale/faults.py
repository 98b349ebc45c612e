"""Checks a build that loses a part of the cluster: it makes all models, with the same bytes as without a cluster."""

import time

from workspace import seconds

WORKERS = 4
ZOO = "some"


def run(it):
    it.here(ZOO)
    it.table("what happens", "seconds", "Bazel says", "longest action, s")
    for what, disks, fault in (
            ("nothing", (), None),
            ("two of four workers are killed", (), kill_two),
            ("a worker is killed and comes back", (), kill_and_add),
            ("all blobs are lost in the middle", (), lose_all),
            ("a worker's disk is full after a while (14 MB)", ("1=14000000",), None),
            ("a worker's disk has no room for the exporter (6 MB)", ("1=6000000",), None)):
        it.cluster.start(WORKERS, disks)
        build, began = it.workspace.start(f"//:{ZOO}", "--output_groups=index", forget=True), time.monotonic()
        if fault:
            fault(it.cluster, build)
        row(it, what, it.workspace.finish(build, began))
    lost_between(it)
    killed_in_action(it)


def kill_two(cluster, build):
    cluster.wait_until_working("worker-2", 60, build)
    cluster.kill("worker-2")
    cluster.kill("worker-3")


def kill_and_add(cluster, build):
    cluster.wait_until_working("worker-1", 60, build)
    cluster.kill("worker-1")
    cluster.add(1)


def lose_all(cluster, build):
    cluster.wait_until_working("worker-1", 60, build)
    cluster.lose_blobs(1)


def lost_between(it):
    """After a build: what is in the cache, and what is not any more, is told apart."""
    it.cluster.start(WORKERS)
    first = it.workspace.build(f"//:{ZOO}", "--output_groups=index", forget=True)
    it.same("before blobs are lost", ZOO, first)
    lost = it.cluster.lose_blobs(0.5)
    row(it, f"half of all blobs ({lost}) are lost after a build; Bazel has forgotten it", it.workspace.build(
        f"//:{ZOO}", "--output_groups=index", forget=True))
    it.cluster.lose_blobs(1)
    row(it, "all blobs are lost after a build; all models are asked for", it.workspace.build(
        f"//:{ZOO}", flags=["--remote_download_outputs=all"]))


def killed_in_action(it):
    """Four actions take 8 s each. Two are running when one of the two workers is killed, so the action of that worker
    runs again."""
    it.workspace.sleeps, it.workspace.sleep_seconds = 4, 8
    it.workspace.write()
    it.cluster.start(2)
    build, began = it.workspace.start("//:sleeps", forget=True), time.monotonic()
    while build.poll() is None and not it.cluster.runs("worker-1", "sleep"):
        time.sleep(0.1)
    it.cluster.kill("worker-1")
    built = it.workspace.finish(build, began)
    it.row("one of two workers is killed while its action of 8 s runs, one of four", f"{built.seconds:.0f}", built.processes, "")
    it.check(f"killed in action: {built.said[-1000:]}", built.status == 0 and built.count("remote") == 4)
    it.check("the killed action's 8 s are lost, and so it takes the other worker all four", built.seconds > 4 * 8)


def row(it, what, built):
    longest = max((seconds(spawn, "totalTime") for spawn in built.exports() if not spawn["cacheHit"]), default=0)
    it.row(what, f"{built.seconds:.0f}", built.processes or f"exit {built.status}", f"{longest:.0f}")
    it.same(what, ZOO, built)
