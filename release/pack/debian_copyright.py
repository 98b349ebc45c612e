"""Debian's copyright file, as machines read it, of the bill of materials and the licences that are packed with it."""

import json
import re

HEAD = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: onnxport
Comment: The files are those of the sources: the program is linked of all of them.
"""


# Every Debian system has their texts; Debian wants them named, and not copied.
COMMON = {"Apache-2.0": "/usr/share/common-licenses/Apache-2.0"}


def stanza(files, holders, licence, text):
    """The paragraph about some files. A text continues a field: its lines are indented, empty ones have a dot."""
    if licence in COMMON:
        text = f"The text is in {COMMON[licence]}."
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    indented = "\n".join(" " + (line or ".") for line in lines)
    return f"\nFiles: {files}\nCopyright: {holders}\nLicense: {licence}\n{indented}\n"


def debian_name(licence):
    """Debian's name for a licence of SPDX."""
    return "Expat" if licence == "MIT" else licence.replace(" WITH ", " with ")


def holders_of(name, text):
    """Who has the copyright, by the licence's own lines, which some have not."""
    lines = re.findall(r"Copyright (?=\(c\)|©|\d)(?:\(c\) |© )?(.*)", text)
    return "\n           ".join(dict.fromkeys(lines)) or f"The {name} authors"


def debian_copyright(documents):
    """The file, of the folder's documents: a dict of names to contents."""
    texts = {name: data.decode() for name, data in documents.items()}
    exporter, *parts = json.loads(texts["sbom.spdx.json"])["packages"]
    made = HEAD + stanza("*", "The onnxport authors", exporter["licenseDeclared"], texts["LICENSE"])
    for part in parts:
        name = part["name"]
        text = texts["licences/" + name]
        made += stanza(name + "/*", holders_of(name, text), debian_name(part["licenseDeclared"]), text)
    return made.encode()
