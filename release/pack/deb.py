"""deb.py MANIFEST OUT VERSION ARCHITECTURE MAINTAINER: a Debian package of what lies below /usr."""

import hashlib
import sys

from debian_copyright import debian_copyright
from reproducible import files_of, gz, tar, write

DOCUMENTS = "share/doc/onnxport/"

CONTROL = """\
Package: onnxport
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Recommends: libc6 (>= 2.17)
Section: science
Priority: optional
Description: export PyTorch models to ONNX without Python
 The command exporter reads .pt2 and TorchScript archives and writes ONNX
 models at opsets 7 to 28. It is one static program. exporter-onnxruntime, for
 `exporter verify`, needs the C library, and an ONNX Runtime.
"""


def member(name, data):
    """A file of an `ar` archive."""
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n"
    return head.encode() + data + b"\n" * (len(data) % 2)


def with_copyright(files):
    """The files with Debian's copyright file in place of the licences that it consists of."""
    documents = {name.removeprefix(DOCUMENTS): data for name, data in files.items() if name.startswith(DOCUMENTS)}
    licences = {DOCUMENTS + name for name in documents if name == "LICENSE" or name.startswith("licences/")}
    others = {name: data for name, data in files.items() if name not in licences}
    return {**others, DOCUMENTS + "copyright": debian_copyright(documents)}


def packaged(name, data):
    """A file as Debian wants it: manual pages and changelogs are compressed, zsh has a folder of its own."""
    if name.startswith("usr/share/man/"):
        return name + ".gz", gz(data)
    if name.endswith("/CHANGELOG.md"):
        return name.replace("CHANGELOG.md", "changelog.gz"), gz(data)
    # Debian's zsh does not look into site-functions of /usr/share.
    return name.replace("/zsh/site-functions/", "/zsh/vendor-completions/"), data


def deb(files, version, architecture, maintainer):
    """The bytes of the package."""
    files = dict(packaged("usr/" + name, data) for name, data in with_copyright(files).items())
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    kilobytes = sum(len(data) for data in files.values()) // 1024 + 1
    control = CONTROL.format(version=version, architecture=architecture, maintainer=maintainer, kilobytes=kilobytes)
    inside = {"./control": control.encode(), "./md5sums": sums.encode()}
    return b"".join([
        b"!<arch>\n",
        member("debian-binary", b"2.0\n"),
        member("control.tar.gz", gz(tar(inside))),
        member("data.tar.gz", gz(tar({"./" + name: data for name, data in files.items()}))),
    ])


if __name__ == "__main__":
    manifest, out, *arguments = sys.argv[1:]
    write(out, deb(files_of(manifest), *arguments))
