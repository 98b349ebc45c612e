"""The module extension behind MODULE.bazel: what `deps.bzl` declares for a WORKSPACE."""

load(":given_python.bzl", "GIVEN_PYTHON", "given_python")
load(":installed_library.bzl", "installed_library")
load(":libraries.bzl", "LIBRARIES")
load(":pinned_sources.bzl", "pinned_sources")

def _libraries_impl(_mctx):
    for name, library in LIBRARIES.items():
        installed_library(name = name, **library)
    for name, variable in GIVEN_PYTHON.items():
        given_python(name = name, variable = variable)
    pinned_sources()

libraries = module_extension(
    implementation = _libraries_impl,
    doc = "The libraries that onnxport takes from the machine, one repository each.",
)
