"""A progress bar for people who wait."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ._library import Progress


@contextlib.contextmanager
def bar(wanted: Progress | bool | None) -> Iterator[Progress | None]:
    """A callback of the caller, or a bar of tqdm: on a terminal after a second, if tqdm is there; False: none."""
    if callable(wanted):
        yield wanted
        return
    try:
        if wanted is False:
            raise ImportError
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    shown: Any = tqdm(desc="onnxport", unit="B", unit_scale=True, delay=1, disable=None if wanted is None else False)

    def update(stage: str, done: int, total: int) -> None:
        if stage == "write":
            shown.total = total
            shown.update(done - shown.n)

    with shown:
        yield update
