"""The cluster of tools/cluster, for the sweep: started, ended, and damaged."""

import os
import random
import shutil
import signal
import subprocess
import time


class Cluster:
    """One in `folder`. Storages of workers and of the cluster are folders, processes are known by FOLDER/run/NAME."""

    def __init__(self, onnxport, folder, port):
        self.tools = os.path.join(onnxport, "tools", "cluster")
        self.folder = folder
        self.port = port
        self.bazelrc = os.path.join(folder, "bazelrc")
        self.blobs = os.path.join(folder, "storage", "cas", "objects")

    def _start(self, *options):
        done = subprocess.run([self.tools + "/start", "--folder", self.folder, "--port", str(self.port), *options],
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError("tools/cluster/start: " + done.stderr)

    def start(self, workers, disks=()):
        """Anew, with an empty storage. `disks`: WORKER=BYTES for those that have a small disk."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._start("--workers", str(workers), *(word for disk in disks for word in ("--disk", disk)))

    def add(self, worker):
        self._start("--add", str(worker))

    def stop(self):
        subprocess.run([self.tools + "/stop", self.folder], check=True)

    def kill(self, host):
        """As a power cut does: of `worker-2` nothing is left but its disk."""
        file = os.path.join(self.folder, "run", host)
        with open(file) as pid:
            os.kill(int(pid.read()), signal.SIGKILL)
        os.remove(file)

    def wait_until_working(self, host, blobs, build, seconds=300):
        """Until the storage of a worker has so many blobs, and while the build runs."""
        end = time.monotonic() + seconds
        while count(os.path.join(self.folder, host)) < blobs:
            if build.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{host} has not come to {blobs} blobs: the build was over, or nothing happened for {seconds} s")
            time.sleep(0.05)

    def lose_blobs(self, share):
        """Removes that share of all blobs of the storage, chosen by chance; returns how many."""
        names = sorted(files(self.blobs))
        lost = random.Random(0).sample(names, int(len(names) * share))
        for name in lost:
            os.remove(name)
        return len(lost)

    def stored(self):
        """Blobs and bytes of the storage."""
        sizes = [os.path.getsize(name) for name in files(self.blobs)]
        return len(sizes), sum(sizes)


def files(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(path, name)


def count(folder):
    return sum(1 for _ in files(folder))
