"""Repositories of a released exporter: the archive, and the toolchains that lead to it."""

# As in the names of archives, to Bazel's.
_CPUS = {"linux-aarch64": "aarch64", "linux-x86_64": "x86_64"}

_MISSING_VERIFY = (
    "the release of onnxport ({}) has no `exporter-verify`: that links LibTorch. " +
    "To build it from source, with the LibTorch of this machine: --extra_toolchains=@onnxport//rules:verify_from_source; " +
    "or declare an `onnxport_verify_toolchain` (docs/rules.md) with one that is built already (docs/install.md)"
)

def _onnxport_archive_impl(rctx):
    rctx.download_and_extract(url = rctx.attr.urls, sha256 = rctx.attr.sha256, type = "tar.gz")
    found = [folder for folder in rctx.path(".").readdir() if folder.get_child("bin/exporter").exists]
    if len(found) != 1:
        fail("\n{} is no release of onnxport: no folder in it has `bin/exporter`.".format(" or ".join(rctx.attr.urls)))
    folder = found[0].basename
    verify = folder + "/bin/exporter-verify"
    rctx.file("BUILD.bazel", """
load({defs}, "onnxport_toolchain", "onnxport_verify_toolchain")

package(default_visibility = ["//visibility:public"])

exports_files([{exporter}])

onnxport_toolchain(
    name = "tools",
    exporter = {exporter},
)

onnxport_verify_toolchain(
    name = "verify_tools",
    {verify},
)
""".format(
        defs = repr(str(Label("//rules:defs.bzl"))),
        exporter = repr(folder + "/bin/exporter"),
        verify = "exporter_verify = " + repr(verify) if rctx.path(verify).exists else "missing = " + repr(_MISSING_VERIFY.format(folder)),
    ))

onnxport_archive = repository_rule(
    implementation = _onnxport_archive_impl,
    doc = "A released archive, `onnxport-VERSION-PLATFORM.tar.gz`.",
    attrs = {
        "sha256": attr.string(mandatory = True, doc = "Of the archive; the release's SHA256SUMS has it."),
        "urls": attr.string_list(mandatory = True, doc = "Where it is: http(s):// or file://, one after the other is tried."),
    },
)

def _toolchains_impl(rctx):
    build = ['package(default_visibility = ["//visibility:public"])']
    for platform, repository in rctx.attr.archives.items():
        if platform not in _CPUS:
            fail("\nonnxport is released for {}; there is no `{}`.".format(" and ".join(_CPUS.keys()), platform))
        for suffix, target, type in [("", "tools", "//rules:toolchain_type"), ("-verify", "verify_tools", "//rules:verify_toolchain_type")]:
            build.append("""
toolchain(
    name = {name},
    exec_compatible_with = ["@platforms//cpu:{cpu}", "@platforms//os:linux"],
    toolchain = "@{repository}//:{target}",
    toolchain_type = {type},
)""".format(
                name = repr(platform + suffix),
                cpu = _CPUS[platform],
                repository = repository,
                target = target,
                type = repr(str(Label(type))),
            ))
    rctx.file("BUILD.bazel", "\n".join(build) + "\n")

onnxport_toolchains = repository_rule(
    implementation = _toolchains_impl,
    doc = "A `toolchain` for each archive. They are in a repository of their own, so that Bazel fetches only the archive it takes.",
    attrs = {"archives": attr.string_dict(doc = "Platform to the repository of its archive.")},
)

def release_repositories(archives):
    """Declares `onnxport_toolchains`, and a repository for each archive.

    Args:
      archives: platform (`linux-x86_64`) to struct(urls, sha256).
    """
    repositories = {}
    for platform, archive in archives.items():
        repositories[platform] = "onnxport_" + platform.replace("-", "_")
        onnxport_archive(name = repositories[platform], urls = archive.urls, sha256 = archive.sha256)
    onnxport_toolchains(name = "onnxport_toolchains", archives = repositories)
