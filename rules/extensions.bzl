"""A released exporter, for a MODULE.bazel; repositories.bzl is the same for a WORKSPACE.

    onnxport = use_extension("@onnxport//rules:extensions.bzl", "onnxport")
    onnxport.release(platform = "linux-x86_64", urls = ["https://..."], sha256 = "...")
"""

load("//rules/private:release.bzl", "release_repositories")

def _onnxport_impl(mctx):
    # That of the root module, or else of the first module that has one.
    archives = {}
    for module in mctx.modules:
        for release in module.tags.release:
            if release.platform not in archives:
                archives[release.platform] = struct(urls = release.urls, sha256 = release.sha256)
    release_repositories(archives)

_release = tag_class(
    doc = "The archive of a release for one kind of machine. Rules take its exporter, and compile none.",
    attrs = {
        "platform": attr.string(mandatory = True, doc = "`linux-x86_64` or `linux-aarch64`."),
        "sha256": attr.string(mandatory = True, doc = "Of the archive; the release's SHA256SUMS has it."),
        "urls": attr.string_list(mandatory = True, doc = "Where it is: http(s):// or file://, one after the other is tried."),
    },
)

onnxport = module_extension(
    implementation = _onnxport_impl,
    doc = "Where the exporter comes from that rules run; without a `release` it is built from source.",
    tag_classes = {"release": _release},
)
