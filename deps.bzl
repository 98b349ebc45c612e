"""What a workspace that uses onnxport needs, for its WORKSPACE:

    load("@onnxport//:deps.bzl", "onnxport_dependencies")

    onnxport_dependencies()
"""

load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
load("//third_party:bazel_rules.bzl", "bazel_rules")
load("//third_party:given_python.bzl", "GIVEN_PYTHON", "given_python")
load("//third_party:installed_library.bzl", "installed_library")
load("//third_party:libraries.bzl", "LIBRARIES")
load("//third_party:pinned_sources.bzl", "pinned_sources")

def onnxport_dependencies():
    """Declares every repository onnxport uses, except those the workspace has declared itself.

    All of them lie on the machine: nothing is downloaded. `third_party/libraries.bzl` lists them with the environment
    variables that say where a library is; `third_party/sources.txt` those that a release is built from.
    """
    bazel_rules()
    for name, library in LIBRARIES.items():
        maybe(installed_library, name = name, **library)
    for name, variable in GIVEN_PYTHON.items():
        maybe(given_python, name = name, variable = variable)
    pinned_sources(declare = maybe)
    native.register_toolchains(str(Label("//toolchain:all")))
