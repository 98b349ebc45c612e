"""A released exporter, for a WORKSPACE; extensions.bzl is the same for MODULE.bazel.

    load("@onnxport//rules:repositories.bzl", "onnxport_release")

    onnxport_release({"linux-x86_64": dict(urls = ["https://..."], sha256 = "...")})

Before `onnxport_dependencies()`: of toolchains that fit, Bazel takes the one that was registered first.
"""

load("//rules/private:release.bzl", "release_repositories")

def onnxport_release(archives):
    """Rules take the exporter of a release, and compile none.

    Args:
      archives: platform (`linux-x86_64`, `linux-aarch64`) to a dict with `urls` and `sha256` of the archive.
    """
    release_repositories({platform: struct(**archive) for platform, archive in archives.items()})
    native.register_toolchains("@onnxport_toolchains//:all")
