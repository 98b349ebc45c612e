"""The workspace of a user with many models, for the sweep, and its builds."""

import dataclasses
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import time

import cluster as clusters

_BUILD = """load("@onnxport//rules:defs.bzl", "onnx_models")

{zoos}
# What an engine costs, without what an export does.
[genrule(
    name = "sleep_%d" % number,
    outs = ["sleep_%d.txt" % number],
    cmd = "sleep {seconds}; echo %d > $@" % number,
) for number in range({sleeps})]

filegroup(
    name = "sleeps",
    srcs = ["sleep_%d" % number for number in range({sleeps})],
)

{probes}"""

_ZOO = """onnx_models(
    name = {name},
    external_data = {external_data},
    models = {models},
    opsets = {opsets},
    refused = "row",
)
"""

_PROBE = """genrule(
    name = "{name}",
    srcs = ["victim.txt"],
    outs = ["{name}.txt"],
    cmd = {cmd} + " && echo reached > $@",
    tags = ["no-cache"],
)
"""

_WORKSPACE = """local_repository(name = "onnxport", path = {onnxport})

load("@onnxport//rules:repositories.bzl", "onnxport_release")

onnxport_release({{{platform}: dict(sha256 = {sha256}, urls = [{url}])}})

load("@onnxport//:deps.bzl", "onnxport_dependencies")

onnxport_dependencies()
"""


@dataclasses.dataclass
class Built:
    """The result of a build. `spawns` is Bazel's log of the actions that it ran or took from a cache."""

    status: int
    seconds: float
    processes: str
    said: str
    spawns: list

    def count(self, how):
        found = re.search(rf"(\d+) {how}(?:,|\.|$)", self.processes)
        return int(found[1]) if found else 0

    def exports(self):
        return [spawn for spawn in self.spawns if spawn["mnemonic"] == "OnnxModel"]


class Workspace:
    def __init__(self, onnxport, folder, cluster):
        self.onnxport, self.folder = onnxport, folder
        self.zoos, self.probes, self.sleeps, self.sleep_seconds = {}, {}, 1, 0
        os.makedirs(folder, exist_ok=True)
        self._write(".bazelrc", f"try-import {cluster.bazelrc}\n")

    def use(self, archive):
        """Takes the exporter of this release."""
        with open(archive, "rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        self._write("WORKSPACE", _WORKSPACE.format(
            onnxport=json.dumps(self.onnxport), platform=json.dumps("linux-" + platform.machine()), sha256=json.dumps(sha256),
            url=json.dumps("file://" + archive)))

    def zoo(self, name, models, opsets=(18,), external_data=False):
        """An `onnx_models` of files below the folder."""
        self.zoos[name] = _ZOO.format(
            name=json.dumps(name), models=json.dumps(models), opsets=list(opsets), external_data=external_data)

    def probe(self, name, command):
        """A target that can be built if the command succeeds."""
        self.probes[name] = _PROBE.format(name=name, cmd=json.dumps(command.replace("$", "$$")))

    def write(self):
        self._write("victim.txt", "as it was\n")
        self._write("BUILD.bazel", _BUILD.format(
            zoos="\n".join(self.zoos.values()), probes="\n".join(self.probes.values()), sleeps=self.sleeps,
            seconds=self.sleep_seconds))

    def start(self, *targets, remote=True, forget=False, flags=()):
        """A build in the background: a Popen. With `forget`, Bazel knows of nothing that it has built."""
        if forget:
            self._bazel("clean", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait()
        where = ["--config=cluster", "--jobs=64"] if remote else ["--jobs=2"]
        self.log = os.path.join(self.folder, "..", "spawns.json")
        return self._bazel("build", "--noenable_bzlmod", "--enable_workspace", "--disk_cache=", "--noshow_progress", "--color=no",
                           "--execution_log_json_file=" + self.log, *where, *flags, *targets,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(self, build, began):
        said = build.communicate()[1]
        processes = re.search(r"INFO: \d+ process(?:es)?: (.*)", said)
        return Built(build.returncode, time.monotonic() - began, processes[1] if processes else "", said, read_log(self.log))

    def build(self, *targets, **options):
        build = self.start(*targets, **options)
        return self.finish(build, time.monotonic())

    def index(self, zoo):
        """The table of a zoo, as bytes: it has the hash of every file of every model."""
        with open(os.path.join(self.folder, "bazel-bin", zoo, "index.json"), "rb") as file:
            return file.read()

    def cpu(self):
        """Seconds of processor time that Bazel's server has used."""
        for file in glob.glob(os.path.join(self.folder, "..", "bazel", "*", "server", "server.pid.txt")):
            with open(file) as pid:
                return clusters.cpu_of_tree(int(pid.read()), clusters.processes())
        return 0.0

    def remove(self):
        self._bazel("clean", "--expunge", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _bazel(self, command, *words, **options):
        return subprocess.Popen(
            [os.path.join(self.onnxport, "bazelw"), "--output_user_root=" + os.path.join(self.folder, "..", "bazel"),
             "--host_jvm_args=-Xmx1500m", command, *words], cwd=self.folder, **options)

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)


def read_log(path):
    """The objects of a file of JSON objects, one after another. No file: no action was run."""
    if not os.path.exists(path):
        return []
    with open(path) as file:
        text = file.read()
    os.remove(path)
    decoder, at, objects = json.JSONDecoder(), 0, []
    while at < len(text):
        found, at = decoder.raw_decode(text, at)
        objects.append(found)
        while at < len(text) and text[at].isspace():
            at += 1
    return objects


def seconds(spawn, metric):
    """The seconds that the log has as `0.146s`."""
    return float(spawn["metrics"].get(metric, "0s")[:-1])
