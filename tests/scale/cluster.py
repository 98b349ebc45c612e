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
                raise RuntimeError(f"{host} has not come to {blobs} blobs: the build is over, or {seconds} s are")
            time.sleep(0.05)

    def runs(self, host, program):
        """Returns whether a process of the host is this program."""
        stats = processes()
        with open(os.path.join(self.folder, "run", host)) as pid:
            return program in names_of_tree(int(pid.read()), stats)

    def lose_blobs(self, share):
        """Removes that share of all blobs of the storage, chosen by chance; returns how many."""
        names = sorted(files(self.blobs))
        lost = random.Random(0).sample(names, int(len(names) * share))
        for name in lost:
            os.remove(name)
        return len(lost)

    def cpu(self):
        """Seconds of processor time so far: of the storage, the scheduler, the database, and of all workers together."""
        stats = processes()
        seconds = {"storage": 0.0, "scheduler": 0.0, "database": 0.0, "workers": 0.0}
        for host in os.listdir(os.path.join(self.folder, "run")):
            with open(os.path.join(self.folder, "run", host)) as pid:
                seconds[host if host in seconds else "workers"] += cpu_of_tree(int(pid.read()), stats)
        return seconds

    def stored(self):
        """Blobs and bytes of the storage."""
        sizes = [os.path.getsize(name) for name in files(self.blobs)]
        return len(sizes), sum(sizes)


def processes():
    """Process to its parent, and to what it and its children that are over have used."""
    stats = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                words = file.read().rpartition(")")[2].split()
            stats[int(name)] = int(words[1]), sum(int(word) for word in words[11:15]) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            continue  # no process, or over by now
    return stats


def cpu_of_tree(pid, stats):
    return stats.get(pid, (0, 0.0))[1] + sum(cpu_of_tree(child, stats) for child, (parent, _) in stats.items() if parent == pid)


def names_of_tree(pid, stats):
    try:
        with open(f"/proc/{pid}/comm") as file:
            names = [file.read().strip()]
    except OSError:
        return []  # over by now
    return names + [name for child, (parent, _) in stats.items() if parent == pid for name in names_of_tree(child, stats)]


def files(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(path, name)


def count(folder):
    return sum(1 for _ in files(folder))
