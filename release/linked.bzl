"""Which libraries a program links: what parts.bzl has to name."""

_SourcesInfo = provider(
    "Of a target and all that is linked with it.",
    fields = {"names": "Depset of the libraries' names, as in sources.txt; one that is not pinned is in it, too."},
)

# Where a rule names what is linked.
_ATTRIBUTES = ["actual", "binary", "deps", "implementation_deps", "malloc"]

# Repositories of Bazel's own.
_OF_BAZEL = ["", "bazel_tools", "rules_cc"]

def _apparent(repository):
    """The name that BUILD files use: `fmt` of `_main~libraries~fmt`."""
    return repository.split("~")[-1].split("+")[-1]

def _linked_aspect_impl(target, ctx):
    # `fmt_source` is fmt. ONNX may be `libonnx`: the same archive, where ./bazelw has it unpacked for other builds.
    repository = _apparent(target.label.workspace_name)
    linked = []
    for name in _ATTRIBUTES:
        value = getattr(ctx.rule.attr, name, None) or []
        linked += value if type(value) == "list" else [value]
    return [_SourcesInfo(names = depset(
        [] if repository in _OF_BAZEL else [repository.removesuffix("_source")],
        transitive = [dep[_SourcesInfo].names for dep in linked if _SourcesInfo in dep],
    ))]

_linked_aspect = aspect(
    implementation = _linked_aspect_impl,
    attr_aspects = _ATTRIBUTES,
)

def _linked_sources_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    names = sorted(depset(transitive = [program[_SourcesInfo].names for program in ctx.attr.programs]).to_list())
    ctx.actions.write(out, "".join([name + "\n" for name in names]))
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

linked_sources = rule(
    implementation = _linked_sources_impl,
    doc = "A file with the names of the libraries that `programs` link, a line each. Nothing is compiled for it.",
    attrs = {"programs": attr.label_list(aspects = [_linked_aspect], mandatory = True)},
)

def _library_versions_impl(ctx):
    files = {file.basename: file for file in ctx.files.toolchain if file.basename in ["__config", "libc.a"]}
    return [DefaultInfo(files = depset(files.values()))]

library_versions = rule(
    implementation = _library_versions_impl,
    doc = "What knows the versions of the C++ and C libraries that `toolchain` links: `__config` and `libc.a`.",
    attrs = {"toolchain": attr.label(cfg = "exec", mandatory = True)},
)
