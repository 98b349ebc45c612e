"""The repositories of a workspace that uses onnxport, for its WORKSPACE:

    load("@onnxport//:deps.bzl", "onnxport_dependencies")

    onnxport_dependencies()
"""

load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
load("//third_party:bazel_rules.bzl", "bazel_rules")
load("//third_party:given_python.bzl", "GIVEN_PYTHON", "given_python")
load("//third_party:installed_library.bzl", "installed_library")
load("//third_party:libraries.bzl", "LIBRARIES")
load("//third_party:pinned_sources.bzl", "pinned_sources")

# The machine's compiler for releases; where the exporter comes from that rules run, after what a workspace has registered.
_TOOLCHAINS = ["//toolchain:all", "//rules:from_source", "//rules:verify_from_source"]

def onnxport_dependencies(libraries = {}):
    """Declares every repository onnxport uses, except those the workspace has declared itself.

    All of them lie on the machine: nothing is downloaded. `third_party/libraries.bzl` lists them with the environment
    variables that say where a library is; `third_party/sources.txt` those that a release is built from.

    Args:
      libraries: name of that table to the library's place, if it is another than the usual one. A place is a dict with
        `path`, a folder with `include` and `lib`, or with `urls`, `sha256` and `strip_prefix` of an archive.
    """
    bazel_rules()
    for name, library in LIBRARIES.items():
        maybe(installed_library, name = name, **(library | libraries.get(name, {})))
    for name, variable in GIVEN_PYTHON.items():
        maybe(given_python, name = name, variable = variable)
    pinned_sources(declare = maybe)
    for toolchain in _TOOLCHAINS:
        native.register_toolchains(str(Label(toolchain)))
