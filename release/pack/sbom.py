"""sbom.py SOURCES PARTS OUT WHAT VERSION SYSTEM LIBRARY...: what WHAT consists of, as SPDX 2.3.

SOURCES is third_party/sources.txt, PARTS lines `NAME SOURCE LICENCE` (an expression may have spaces): what is linked, and
of which source it is a part. The libraries are the header __config of libc++ and libc.a of musl.
"""

import os
import re
import sys

from image import as_json
from reproducible import write

# Documents need a time. It is fixed, as the same sources must give the same bytes.
CREATED = "2026-01-01T00:00:00Z"


def sources_of(path):
    """The pinned archives: a dict of names to (version, sha256)."""
    sources = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            name, _, place, _, sha256 = words
            version = re.search(r"(?:==|@|_)(\d[\d.]*\d)", place.rpartition("/")[2])
            sources[name] = (version.group(1), sha256)
    return sources


def _only_match(pattern, path):
    with open(path, "rb") as file:
        (found,) = re.findall(pattern, file.read(), re.MULTILINE)
    return found.decode()


def library_versions(paths):
    """Returns a dict of the compiler's libraries to the versions that they state themselves."""
    files = {os.path.basename(path): path for path in paths}
    llvm = int(_only_match(rb"^#\s*define _LIBCPP_VERSION (\d+)$", files["__config"]))
    llvm_version = f"{llvm // 10000}.{llvm // 100 % 100}.{llvm % 100}"
    return {
        "libc++": llvm_version,
        "libc++abi": llvm_version,
        "libunwind": llvm_version,
        # The string __libc_version.
        "musl": _only_match(rb"(1\.\d+\.\d+)\x00", files["libc.a"]),
    }


def package(name, licence, version, sha256=None):
    """A package of the document."""
    entry = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if sha256:
        entry["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    return entry


def linked_package(name, licence, source, inner):
    """A part: the pinned archive, or a library in it with a version of its own (`inner`)."""
    version, sha256 = source
    if name not in inner:
        return package(name, licence, version, sha256)
    return {**package(name, licence, inner[name]), "sourceInfo": f"as zig {version} has it"}


def document(what, sources, parts, inner, version, system):
    """The SPDX document, as a dict."""
    whole = package(what, "Apache-2.0", version)
    linked = [linked_package(name, licence, sources[source], inner) for name, source, licence in parts]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{what}-{version}-{system}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{what}-{version}-{system}",
        "creationInfo": {"created": CREATED, "creators": ["Tool: onnxport-release"]},
        "packages": [whole, *linked],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": whole["SPDXID"]},
            *({"spdxElementId": whole["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]}
              for part in linked),
        ],
    }


if __name__ == "__main__":
    sources_path, parts_path, out, what_text, version_text, system_name, *libraries = sys.argv[1:]
    with open(parts_path, encoding="utf-8") as rows:
        listed = [row.split(maxsplit=2) for row in rows.read().splitlines()]
    made = document(what_text, sources_of(sources_path), listed, library_versions(libraries), version_text, system_name)
    write(out, as_json(made) + b"\n")
