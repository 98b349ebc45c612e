"""clang-tidy as one action for each C++ source: Bazel runs it again only when the source or a header of it has changed.

    clang_tidy(name = "tidy", roots = ["//:exporter"])

gives one report for each source of this workspace that the roots are linked from; an empty one is good. Reports are
made, findings or not, so that one build shows the findings of all sources. Which checks there are: .clang-tidy.

What Bazel's features `layering_check` and `parse_headers` find with a toolchain of clang is found here, where clang reads each
source anyway: a source or header that includes a header of a library which is not in the `deps` of its own, and a header that
does not compile alone.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":module_map.bzl", "module_of", "write_module_map")

_TidyReportsInfo = provider(
    doc = "What clang-tidy says of the sources of a target and of what it depends on.",
    fields = {
        "files": "depset of text files",
        "module": "the target as a module of clang (module_map.bzl), or None",
        "modules": "depset of the modules of all that it depends on, and its own",
    },
)

# Tests are left out (GoogleTest's macros cost more than they teach), and what others have written.
def _is_ours(file):
    return file.is_source and not file.short_path.startswith("../") and not file.basename.endswith("_test.cc")

# A header is read with the source of its name, which includes it first (lint.sh sees to that), or alone.
def _checked(files):
    ours = [file for file in files if _is_ours(file)]
    sources = [file for file in ours if file.extension == "cc"]
    named = {source.short_path.removesuffix(".cc"): True for source in sources}
    return sources + [
        file
        for file in ours
        if file.extension == "h" and file.short_path.removesuffix(".h") not in named
    ]

def _compile_flags(context):
    flags = ["-std=c++20", "-x", "c++", "-Wno-pragma-once-outside-header"]
    flags += ["-D" + define for define in context.defines.to_list() + context.local_defines.to_list()]
    for option, folders in [
        ("-iquote", context.quote_includes),
        ("-I", context.includes),
        ("-isystem", context.system_includes),
        ("-isystem", context.external_includes),
    ]:
        flags += [option + folder for folder in folders.to_list()]
    return flags

def _layering_flags(module, file):
    return [
        "-Xclang=-fno-cxx-modules",
        "-fmodules-decluse",
        "-fmodule-name=" + module.name,
        "-fmodule-map-file=" + file.path,
        "-Wprivate-header",
        # Paths in the map are those that the compiler is given.
        "-Xclang=-fmodule-map-file-home-is-cwd",
    ]

def _report(target, ctx, source, module, module_map):
    report = ctx.actions.declare_file("tidy/%s/%s.txt" % (target.label.name, source.basename))
    context = target[CcInfo].compilation_context
    arguments = ctx.actions.args()
    arguments.add_all([report, ctx.file._settings, source])
    arguments.add_all(_compile_flags(context) + _layering_flags(module, module_map))
    ctx.actions.run(
        executable = ctx.executable._tidy,
        arguments = [arguments],
        inputs = depset([source, ctx.file._settings, module_map] + _private_headers(ctx), transitive = [context.headers]),
        outputs = [report],
        mnemonic = "ClangTidy",
        progress_message = "Checking %s with clang-tidy" % source.short_path,
        # clang-tidy is a program of the build environment.
        use_default_shell_env = True,
    )
    return report

# Those of a joined library are included by what it compiles (joined.bzl).
def _sources(ctx):
    joined = [dep[CcInfo].compilation_context for dep in getattr(ctx.rule.attr, "implementation_deps", [])]
    return ctx.rule.files.srcs + [file for context in joined for file in context.direct_textual_headers]

def _private_headers(ctx):
    return [file for file in ctx.rule.files.srcs if file.extension == "h"]

def _headers(ctx):
    return getattr(ctx.rule.files, "hdrs", []) + getattr(ctx.rule.files, "textual_hdrs", [])

def _tidy_aspect_impl(target, ctx):
    deps = [dep[_TidyReportsInfo] for dep in getattr(ctx.rule.attr, "deps", []) if _TidyReportsInfo in dep]
    inherited = [dep.files for dep in deps]
    modules = [dep.modules for dep in deps]
    if CcInfo not in target or not hasattr(ctx.rule.files, "srcs"):
        return [_TidyReportsInfo(files = depset(transitive = inherited), module = None, modules = depset(transitive = modules))]
    module = module_of(target.label, _headers(ctx), _private_headers(ctx), [dep.module for dep in deps if dep.module])
    modules = depset([module], transitive = modules)
    checked = _checked(_sources(ctx) + _headers(ctx))
    module_map = write_module_map(ctx, module, modules) if checked else None
    return [_TidyReportsInfo(
        files = depset([_report(target, ctx, source, module, module_map) for source in checked], transitive = inherited),
        module = module,
        modules = modules,
    )]

_tidy_aspect = aspect(
    implementation = _tidy_aspect_impl,
    attr_aspects = ["deps"],
    attrs = {
        "_settings": attr.label(default = "//:.clang-tidy", allow_single_file = True),
        "_tidy": attr.label(default = "//tools:tidy_one", executable = True, cfg = "exec"),
    },
    doc = "Makes the report of each source of a target.",
)

def _clang_tidy_impl(ctx):
    files = depset(transitive = [root[_TidyReportsInfo].files for root in ctx.attr.roots])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

clang_tidy = rule(
    implementation = _clang_tidy_impl,
    attrs = {
        "roots": attr.label_list(
            aspects = [_tidy_aspect],
            doc = "C++ targets; they and what they depend on are checked.",
            mandatory = True,
        ),
    },
    doc = "The reports of clang-tidy on the sources of `roots` and of their dependencies in this workspace.",
)
