"""The setting of all parts of the sweep: models, cluster, workspace, the exports made here, and the findings."""

import glob
import os
import re
import shutil
import subprocess

from cluster import Cluster
from workspace import Workspace

ONNXPORT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RELEASE = "//release:archive-linux-x86_64"
EDIT = ("spec/aten/activation.yaml", "    - since: 14\n      emit: HardSwish(self)\n", "")


def cache():
    return os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "onnxport")


class Setting:
    def __init__(self, options):
        self.folder, self.count = os.path.abspath(options.folder), options.models
        self.workers = [int(number) for number in options.workers.split(",")]
        self.failures, self.passed, self.sums = [], 0, {}
        self.cluster = Cluster(ONNXPORT, os.path.join(self.folder, "cluster"), options.port)
        self.workspace = Workspace(ONNXPORT, os.path.join(self.folder, "workspace"), self.cluster)
        self.release = self._release(ONNXPORT, "release.tar.gz")
        self.workspace.use(self.release)
        self._make_models("small", str(self.count))
        self.small = self._files("small")[:self.count]
        self.workspace.zoo("zoo", self.small)
        self.workspace.zoo("some", self.small[:200])
        self.workspace.write()

    def check(self, what, holds):
        """Counts it; what does not hold fails the sweep, at its end."""
        if holds:
            self.passed += 1
        else:
            self.failures.append(what)
            print(f"\nFAILED: {what}\n", flush=True)

    def heading(self, name):
        print(f"\n## {name} (load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)\n", flush=True)

    def row(self, *cells):
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)

    def table(self, *heads):
        self.row(*heads)
        self.row(*["---"] * len(heads))

    def here(self, zoo):
        """The table of the zoo when it is exported on this machine, without the cluster."""
        if zoo not in self.sums:
            built = self.workspace.build(f"//:{zoo}", "--output_groups=index", remote=False, forget=True)
            self.check(f"{zoo} is exported here: {built.said[-2000:]}", built.status == 0)
            self.sums[zoo] = self.workspace.index(zoo)
        return self.sums[zoo]

    def same(self, what, zoo, built):
        """The build ended well, and the models are those that are made here."""
        self.check(f"{what}: {built.said[-2000:]}", built.status == 0)
        self.check(f"{what}: the models are others than those made here",
                   built.status == 0 and self.workspace.index(zoo) == self.sums[zoo])

    def large(self):
        """Makes the large models: 1.5 GB, which go at the end."""
        self._make_models("large")
        return self._files("large")

    def edited_release(self):
        """A release of these sources after EDIT, which is built once, here."""
        copy = os.path.join(self.folder, "edited")
        shutil.rmtree(copy, ignore_errors=True)
        os.makedirs(copy)
        tree = subprocess.Popen(["git", "-C", ONNXPORT, "archive", "HEAD"], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", copy], stdin=tree.stdout, check=True)
        file, old, new = EDIT
        with open(os.path.join(copy, file)) as spec:
            text = spec.read()
        if text.count(old) != 1:
            raise RuntimeError(f"{file} has another text now: choose another edit in setting.py")
        with open(os.path.join(copy, file), "w") as spec:
            spec.write(text.replace(old, new))
        try:
            return self._release(copy, "edited.tar.gz")
        finally:
            subprocess.run([copy + "/bazelw", "clean", "--expunge"], cwd=copy, stderr=subprocess.DEVNULL, check=True)
            shutil.rmtree(copy)

    def end(self):
        self.cluster.stop()
        self.workspace.remove()
        for name in ("cluster", "bazel", "models/large"):
            subprocess.run(["chmod", "-R", "u+w", os.path.join(self.folder, name)], stderr=subprocess.DEVNULL, check=False)
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)

    def _release(self, tree, name):
        """The released archive of the sources in `tree`."""
        subprocess.run([tree + "/bazelw", "build", RELEASE], cwd=tree, check=True, stderr=subprocess.DEVNULL)
        found = glob.glob(os.path.join(tree, "bazel-bin", "release", "onnxport-*-linux-x86_64.tar.gz"))
        archive = os.path.join(self.folder, name)
        shutil.copyfile(found[0], archive)
        return archive

    def _make_models(self, kind, *count):
        """Kept from one call of the sweep to the next, in a folder of their own, and linked into the workspace."""
        made = os.path.join(self.folder, "models")
        os.makedirs(made, exist_ok=True)
        root = subprocess.run([ONNXPORT + "/tools/env/make"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        program = ONNXPORT + "/tests/scale/make_models.py"
        subprocess.run([ONNXPORT + "/tools/env/in", root, "python3", program, made, kind, *count], check=True)
        to = os.path.join(self.workspace.folder, kind)
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(os.path.join(made, kind), to, copy_function=os.link)

    def _files(self, kind):
        """By number, so that each part of the small ones has all families and both formats."""
        names = os.listdir(os.path.join(self.workspace.folder, kind))
        return [f"{kind}/{name}" for name in sorted(names, key=number_in)]


def number_in(name):
    found = re.search(r"_(\d+)\.", name)
    return int(found[1]) if found else 0, name
