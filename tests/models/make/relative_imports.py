"""Imports modules under their relative paths.

PyTorch writes the stack trace of each call into an archive. Each sandbox has a path of its own, so absolute paths would
make the fixtures differ from run to run.
"""

import os
import sys
from importlib.machinery import FileFinder, SourceFileLoader


class _Loader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), os.path.relpath(path))


def install(folder):
    """Gives relative paths to the modules that are imported from `folder` from now on."""
    sys.path_importer_cache[folder] = FileFinder(folder, (_Loader, [".py"]))
