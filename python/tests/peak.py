"""How much memory a piece of a program takes."""

import os
import threading


def resident() -> int:
    """Bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The most memory that the process had while it ran."""

    def __enter__(self) -> "Peak":
        self.most = self.before = resident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._done.wait(0.005):
            self.most = max(self.most, resident())

    @property
    def more(self) -> int:
        """Bytes, beyond what the process had before."""
        return self.most - self.before

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
