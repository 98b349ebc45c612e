"""image.py MANIFEST OUT VERSION ARCHITECTURE: an OCI image in one tar file, which `docker load` and `podman load` read.

The program is /exporter; the folder of the user's files is mounted at /work.
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


def image(files, version, architecture):
    """The bytes of the tar file."""
    layer = tar({**files, "work/.keep": b""})
    packed = gz(layer)
    config = as_json({
        "architecture": architecture,
        "os": "linux",
        "config": {"Entrypoint": ["/exporter"], "WorkingDir": "/work"},
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
    })
    blobs = {}

    def blob(kind, data):
        blobs["blobs/sha256/" + digest(data).removeprefix("sha256:")] = data
        return {"mediaType": OCI + kind, "digest": digest(data), "size": len(data)}

    manifest = blob("manifest.v1+json", as_json({
        "schemaVersion": 2,
        "mediaType": OCI + "manifest.v1+json",
        "config": blob("config.v1+json", config),
        "layers": [blob("layer.v1.tar+gzip", packed)],
    }))
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    manifest["annotations"] = {
        # Docker with containerd's store takes the name from here, and not from manifest.json.
        "io.containerd.image.name": "docker.io/library/onnxport:" + version,
        "org.opencontainers.image.ref.name": version,
    }
    paths = {digest(data): name for name, data in blobs.items()}
    return tar({
        **blobs,
        "oci-layout": as_json({"imageLayoutVersion": "1.0.0"}),
        "index.json": as_json({"schemaVersion": 2, "manifests": [manifest]}),
        # What docker reads.
        "manifest.json": as_json([{
            "Config": paths[digest(config)],
            "Layers": [paths[digest(packed)]],
            "RepoTags": ["onnxport:" + version],
        }]),
    })


if __name__ == "__main__":
    manifest_path, out, version_text, machine = sys.argv[1:]
    write(out, image(files_of(manifest_path), version_text, machine))
