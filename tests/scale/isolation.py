"""Checks that an action on a worker sees only its inputs and the image, and no network."""

import os
import re


def run(it):
    """Each probe is an action that tries what it must not, and succeeds if it can. Here, without a sandbox, each can: so a
    probe that fails on a worker has met a wall and not its own mistake."""
    storage = f"127.0.0.1:{it.cluster.port}".replace(":", "/")
    probes = {
        "network": ("opens the port of the storage", f"exec 3<>/dev/tcp/{storage}"),
        "workspace": ("reads the workspace by its path", f"cat {it.workspace.folder}/WORKSPACE >/dev/null"),
        "undeclared": ("reads a model that is no input", f"cat {it.small[0]} >/dev/null"),
        "home": ("lists the home folder", f"ls {os.path.expanduser('~')}/.cache >/dev/null"),
        "store": ("lists the blobs of the cluster", f"ls {it.cluster.folder}/storage/cas >/dev/null"),
        "processes": ("sees the processes of the machine", "[ $(ls -d /proc/[0-9]* | wc -l) -gt 12 ]"),
        "image": ("writes to the image", "echo x >/usr/bin/onnxport_probe && rm /usr/bin/onnxport_probe"),
        "input": ("sees what another action wrote to the input of both", "grep -q x victim.txt"),
    }
    for name, (_, command) in probes.items():
        it.workspace.probe("reach_" + name, command)
    it.workspace.probe("write_input", "chmod +w $(realpath victim.txt) && echo x >>$(realpath victim.txt); true")
    it.cluster.start(1)
    it.table("an action that", "here, without a sandbox", "on a worker")
    for name, (what, _) in probes.items():
        target = "//:reach_" + name
        before = ["//:write_input"] if name == "input" else []
        here, there = (build(it, before, target, remote) for remote in (False, True))
        it.row(what, outcome(here), outcome(there))
        it.check(f"an action that {what}: it must be able to here: {here.said[-1000:]}", here.status == 0)
        it.check(f"an action that {what} must fail on a worker", there.status == 1 and re.search(r"\(Exit [12]\)", there.said))
    allowed = it.workspace.build("//:sleep_0", forget=True)
    it.check(f"an action that does nothing of the kind: {allowed.said[-1000:]}",
             allowed.status == 0 and allowed.count("remote") == 1)


def build(it, before, target, remote):
    it.workspace.write()
    flags = [] if remote else ["--spawn_strategy=local"]
    if before:
        first = it.workspace.build(*before, remote=remote, forget=True, flags=flags)
        it.check(f"{before}: {first.said[-1000:]}", first.status == 0)
    return it.workspace.build(target, remote=remote, forget=not before, flags=flags)


def outcome(built):
    return "can" if built.status == 0 else "cannot"
