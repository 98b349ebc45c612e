"""image.py MANIFEST OUT VERSION: an OCI image for several machines in one tar file, for Docker and Podman to load.

The files to pack lie in a folder for each machine (`amd64/exporter`), and in `all`. The program is /exporter; the
folder of the user's files is mounted at /work.
"""

import hashlib
import json
import sys

from reproducible import files_of, gz, tar, write

OCI = "application/vnd.oci.image."


def as_json(value):
    """Its bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def digest(data):
    """As images name what they consist of."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Blobs:
    """The parts of an image: files with the names of their digests."""

    def __init__(self):
        self.files = {}

    def path(self, data):
        """The file's name."""
        return "blobs/" + digest(data).replace(":", "/")

    def add(self, kind, data):
        """Returns the descriptor by which others name the file."""
        self.files[self.path(data)] = data
        return {"mediaType": OCI + kind, "digest": digest(data), "size": len(data)}


def add_machine(blobs, files, version, architecture):
    """Returns the index's entry for one machine's image, and the entry of Docker's own list."""
    layer = tar({**files, "work/.keep": b""})
    packed = gz(layer)
    config = as_json({
        "architecture": architecture,
        "os": "linux",
        "config": {"Entrypoint": ["/exporter"], "WorkingDir": "/work"},
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
    })
    manifest = blobs.add("manifest.v1+json", as_json({
        "schemaVersion": 2,
        "mediaType": OCI + "manifest.v1+json",
        "config": blobs.add("config.v1+json", config),
        "layers": [blobs.add("layer.v1.tar+gzip", packed)],
    }))
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    return manifest, {
        "Config": blobs.path(config),
        "Layers": [blobs.path(packed)],
        "RepoTags": [f"onnxport:{version}-{architecture}"],
    }


def index_of(manifests):
    """An index of images."""
    return as_json({"schemaVersion": 2, "mediaType": OCI + "index.v1+json", "manifests": manifests})


def image(files, version):
    """The bytes of the tar file."""
    folders = {}
    for name, data in files.items():
        folder, _, inner = name.partition("/")
        folders.setdefault(folder, {})[inner] = data
    common = folders.pop("all", {})
    blobs = Blobs()
    machines = [
        add_machine(blobs, {**common, **folder}, version, architecture)
        for architecture, folder in sorted(folders.items())
    ]
    named = blobs.add("index.v1+json", index_of([manifest for manifest, _ in machines]))
    named["annotations"] = {
        # Docker with containerd's store takes the name from here.
        "io.containerd.image.name": "docker.io/library/onnxport:" + version,
        "org.opencontainers.image.ref.name": version,
    }
    return tar({
        **blobs.files,
        "oci-layout": as_json({"imageLayoutVersion": "1.0.0"}),
        "index.json": index_of([named]),
        # Docker with a store of its own reads this, and knows no index: each machine's image has a name.
        "manifest.json": as_json([entry for _, entry in machines]),
    })


if __name__ == "__main__":
    manifest_path, out, version_text = sys.argv[1:]
    write(out, image(files_of(manifest_path), version_text))
