"""sbom.py SOURCES PARTS OUT VERSION SYSTEM: what the exporter consists of, as SPDX 2.3.

SOURCES is third_party/sources.txt, PARTS lines `NAME SOURCE LICENCE` (an expression may have spaces): what is linked, and of which source it is a part.
"""

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
            version = re.search(r"(?:==|_)(\d[\d.]*\d)", place.rpartition("/")[2])
            sources[name] = (version.group(1), sha256)
    return sources


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


def document(sources, parts, version, system):
    """The SPDX document, as a dict."""
    exporter = package("exporter", "Apache-2.0", version)
    linked = [package(name, licence, *sources[source]) for name, source, licence in parts]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"onnxport-{version}-{system}",
        "documentNamespace": f"https://spdx.org/spdxdocs/onnxport-{version}-{system}",
        "creationInfo": {"created": CREATED, "creators": ["Tool: onnxport-release"]},
        "packages": [exporter, *linked],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": exporter["SPDXID"]},
            *({"spdxElementId": exporter["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]}
              for part in linked),
        ],
    }


if __name__ == "__main__":
    sources_path, parts_path, out, version_text, system_name = sys.argv[1:]
    with open(parts_path, encoding="utf-8") as rows:
        listed = [row.split(maxsplit=2) for row in rows.read().splitlines()]
    write(out, as_json(document(sources_of(sources_path), listed, version_text, system_name)) + b"\n")
