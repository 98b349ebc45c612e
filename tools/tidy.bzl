"""clang-tidy as actions, which Bazel runs again only when a source or a header of it has changed.

    clang_tidy(name = "tidy", roots = ["//:exporter"])

gives reports on the sources of this workspace that the roots are linked from; an empty one is good. Reports are made,
findings or not, so that one build shows the findings of all sources. Which checks there are: .clang-tidy.

Nearly all of the time goes into reading headers. So several sources of a target are read at once, in a source that
includes them, as when they are compiled (joined.bzl). An `#include` that a source lacks then goes unnoticed where one
before it has it; `alone = True` reads each source by itself.

This also finds the mistakes of Bazel's features `layering_check` and `parse_headers`, which need a toolchain of clang;
clang reads each source here anyway. One is an include of a header whose library is not in the `deps`; the other is a
header that does not compile.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":joined.bzl", "AT_A_TIME", "join_source", "split_sources")
load(":module_map.bzl", "module_of", "write_module_map")

_TidyReportsInfo = provider(
    doc = "What clang-tidy says of the sources of a target and of what it depends on.",
    fields = {
        "checked": "depset of the sources and headers that were read",
        "reports": "depset of text files",
        "module": "the target as a module of clang (module_map.bzl), or None",
        "modules": "depset of the modules of all that it depends on, and its own",
    },
)

# Tests are left out (GoogleTest's macros cost more than they teach), and what others have written.
def _is_ours(file):
    return file.is_source and not file.short_path.startswith("../") and not file.basename.endswith("_test.cc")

# A header is read with the source of its name, which includes it first (lint.sh sees to that), or on its own.
def _headers_without_source(files, sources):
    named = {source.short_path.removesuffix(".cc"): True for source in sources}
    return [
        file
        for file in files
        if _is_ours(file) and file.extension == "h" and file.short_path.removesuffix(".h") not in named
    ]

# Sources are divided as they are for the compiler, to which their names do not clash.
def _pieces(headers, sources, alone):
    if alone:
        return [(file.basename, [file]) for file in headers + sources]
    pieces = split_sources(sources, AT_A_TIME) or [[]]
    pieces[0] = headers + pieces[0]
    return [("joined_%d" % i, piece) for i, piece in enumerate(pieces) if piece]

def _compile_flags(context):
    flags = ["-std=c++20", "-x", "c++"]
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

def _report(target, ctx, folder, piece, module, module_map):
    name, files = piece
    source = join_source(ctx, "%s/%s" % (folder, name), files)
    report = ctx.actions.declare_file("%s/%s.txt" % (folder, name))
    context = target[CcInfo].compilation_context
    arguments = ctx.actions.args()
    arguments.add_all([report, ctx.file._settings, source])
    arguments.add_all(_compile_flags(context) + _layering_flags(module, module_map))
    ctx.actions.run(
        executable = ctx.executable._tidy,
        arguments = [arguments],
        inputs = depset(
            [source, ctx.file._settings, module_map] + files + _private_headers(ctx),
            transitive = [context.headers],
        ),
        outputs = [report],
        mnemonic = "ClangTidy",
        progress_message = "Checking %s of %%{label} with clang-tidy" % name,
        # clang-tidy is a program of the build environment.
        use_default_shell_env = True,
    )
    return report

# Those of a joined library are included by what it compiles (joined.bzl).
def _sources(ctx):
    joined = [dep[CcInfo].compilation_context for dep in getattr(ctx.rule.attr, "implementation_deps", [])]
    files = ctx.rule.files.srcs + [file for context in joined for file in context.direct_textual_headers]
    sources = [file for file in files if _is_ours(file) and file.extension == "cc"]

    # As in BUILD files. Those of a compilation context come in any order.
    return sorted(sources, key = lambda file: file.path)

def _private_headers(ctx):
    return [file for file in ctx.rule.files.srcs if file.extension == "h"]

def _headers(ctx):
    return getattr(ctx.rule.files, "hdrs", []) + getattr(ctx.rule.files, "textual_hdrs", [])

def _tidy_aspect_impl(target, ctx):
    deps = [dep[_TidyReportsInfo] for dep in getattr(ctx.rule.attr, "deps", []) if _TidyReportsInfo in dep]
    checked = [dep.checked for dep in deps]
    reports = [dep.reports for dep in deps]
    modules = depset(transitive = [dep.modules for dep in deps])
    if CcInfo not in target or not hasattr(ctx.rule.files, "srcs"):
        return [_TidyReportsInfo(
            checked = depset(transitive = checked),
            reports = depset(transitive = reports),
            module = None,
            modules = modules,
        )]
    folder = ("tidy_alone/" if ctx.attr.alone else "tidy/") + target.label.name
    module = module_of(target.label, _headers(ctx), _private_headers(ctx), [dep.module for dep in deps if dep.module])
    sources = _sources(ctx)
    headers = _headers_without_source(_private_headers(ctx) + _headers(ctx), sources)
    pieces = _pieces(headers, sources, ctx.attr.alone)
    module_map = write_module_map(ctx, folder + "/modulemap", module, sources, modules) if pieces else None
    return [_TidyReportsInfo(
        checked = depset(headers + sources, transitive = checked),
        reports = depset(
            [_report(target, ctx, folder, piece, module, module_map) for piece in pieces],
            transitive = reports,
        ),
        module = module,
        modules = depset([module], transitive = [modules]),
    )]

_tidy_aspect = aspect(
    implementation = _tidy_aspect_impl,
    attr_aspects = ["deps"],
    attrs = {
        "alone": attr.bool(doc = "Whether each source is read by itself."),
        "_settings": attr.label(default = "//:.clang-tidy", allow_single_file = True),
        "_tidy": attr.label(default = "//tools:tidy_one", executable = True, cfg = "exec"),
    },
    doc = "Makes the reports on the sources of a target.",
)

def _clang_tidy_impl(ctx):
    roots = [root[_TidyReportsInfo] for root in ctx.attr.roots]
    reports = depset(transitive = [root.reports for root in roots])
    checked = ctx.actions.declare_file(ctx.label.name + ".checked.txt")
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(depset(transitive = [root.checked for root in roots]))
    ctx.actions.write(checked, lines)
    return [
        DefaultInfo(files = reports, runfiles = ctx.runfiles(transitive_files = reports)),
        OutputGroupInfo(checked = depset([checked])),
    ]

clang_tidy = rule(
    implementation = _clang_tidy_impl,
    attrs = {
        "roots": attr.label_list(
            aspects = [_tidy_aspect],
            doc = "C++ targets; they and what they depend on are checked.",
            mandatory = True,
        ),
        "alone": attr.bool(
            doc = "Whether each source is read by itself, which takes four times as long and shows the includes that it lacks.",
        ),
    },
    doc = """The reports of clang-tidy on the sources of `roots` and of their dependencies in this workspace.

Output group `checked`: a file that lists these sources.""",
)
