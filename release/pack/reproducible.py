"""Archives whose bytes follow from what is in them: names in order, one time, no users."""

import gzip
import io
import os
import tarfile


# The time of all files: 1980, where the times of ZIP archives begin. Debian's checks take what is older for a mistake.
TIME = 315532800


def files_of(manifest):
    """Reads a manifest into a dict of names to contents. Its lines are `NAME<tab>PATH`; of a folder all files."""
    files = {}
    with open(manifest, encoding="utf-8") as lines:
        for line in lines:
            name, path = line.rstrip("\n").split("\t")
            for inner, file in _walk(path):
                with open(file, "rb") as source:
                    files[os.path.normpath(os.path.join(name, inner))] = source.read()
    return files


def _walk(path):
    if not os.path.isdir(path):
        yield "", path
        return
    for folder, _, names in os.walk(path):
        for name in names:
            file = os.path.join(folder, name)
            yield os.path.relpath(file, path), file


def _folders_above(names):
    folders = set()
    for name in names:
        while name := os.path.dirname(name):
            folders.add(name)
    return folders


def tar(files, prefix=""):
    """The bytes of a tar file. Programs are what lies in a folder `bin`, or at the top."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted({*files, *_folders_above(files)}):
            info = tarfile.TarInfo(prefix + name)
            info.mode = 0o755
            info.mtime = TIME
            if name not in files:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
                continue
            if "/" in name and os.path.basename(os.path.dirname(name)) != "bin":
                info.mode = 0o644
            info.size = len(files[name])
            archive.addfile(info, io.BytesIO(files[name]))
    return out.getvalue()


def gz(data):
    """Compressed, without a name and a time."""
    return gzip.compress(data, 9, mtime=0)


def write(path, data):
    """Writes bytes to a file."""
    with open(path, "wb") as out:
        out.write(data)
