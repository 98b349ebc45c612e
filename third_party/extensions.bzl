"""The module extension behind MODULE.bazel: what `deps.bzl` declares for a WORKSPACE."""

load(":installed_library.bzl", "installed_library")
load(":libraries.bzl", "LIBRARIES")

def _libraries_impl(_mctx):
    for name, library in LIBRARIES.items():
        installed_library(name = name, **library)

libraries = module_extension(
    implementation = _libraries_impl,
    doc = "The libraries that onnxport takes from the machine, one repository each.",
)
