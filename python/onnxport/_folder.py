"""Folders for temporary files that live as long as an object."""

from __future__ import annotations

import shutil
import tempfile
import weakref


class Folder:
    """Is gone with this object, or at the end of the program. tempfile.TemporaryDirectory would warn of that."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="onnxport-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
