"""archive.py MANIFEST OUT PREFIX: a .tar.gz in which everything lies in the folder PREFIX."""

import sys

from reproducible import files_of, gz, tar, write

if __name__ == "__main__":
    manifest, out, prefix = sys.argv[1:]
    files = {f"{prefix}/{name}": data for name, data in files_of(manifest).items()}
    write(out, gz(tar(files)))
