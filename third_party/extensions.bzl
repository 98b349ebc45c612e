"""The module extension behind MODULE.bazel: what `deps.bzl` declares for a WORKSPACE."""

load(":given_python.bzl", "GIVEN_PYTHON", "given_python")
load(":installed_library.bzl", "installed_library")
load(":libraries.bzl", "LIBRARIES")
load(":pinned_sources.bzl", "pinned_sources")

def _named(mctx):
    """Library to what the root module says of it: attributes of installed_library."""
    named = {}
    for module in mctx.modules:
        for library in module.tags.library:
            if library.name not in LIBRARIES:
                fail("\nthere is no library `{}`; onnxport takes {}".format(library.name, ", ".join(LIBRARIES.keys())))
            if not library.path and not (library.urls and library.sha256):
                fail("\nlibrary `{}`: say where it is, with `path`, or with `urls` and `sha256`".format(library.name))
            if module.is_root:
                named[library.name] = {key: getattr(library, key) for key in ["path", "sha256", "strip_prefix", "urls"]}
    return named

def _libraries_impl(mctx):
    named = _named(mctx)
    for name, library in LIBRARIES.items():
        installed_library(name = name, **(library | named.get(name, {})))
    for name, variable in GIVEN_PYTHON.items():
        given_python(name = name, variable = variable)
    pinned_sources()

_library = tag_class(
    doc = "Where one of the libraries is. Without it: what the environment names, the system's, or that of a Python package (LibTorch).",
    attrs = {
        "name": attr.string(mandatory = True, doc = "As in `third_party/libraries.bzl`: `libtorch`."),
        "path": attr.string(doc = "A folder with `include` and `lib`."),
        "sha256": attr.string(doc = "Of the archive."),
        "strip_prefix": attr.string(doc = "The folder of the archive that has `include` and `lib`: `libtorch` in those of PyTorch."),
        "urls": attr.string_list(doc = "Instead of `path`: an archive, http(s):// or file://."),
    },
)

libraries = module_extension(
    implementation = _libraries_impl,
    doc = "The libraries that onnxport takes from the machine, one repository each.",
    tag_classes = {"library": _library},
)
