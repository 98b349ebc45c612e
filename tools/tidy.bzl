"""clang-tidy as one action for each C++ source: Bazel runs it again only when the source or a header of it has changed.

    clang_tidy(name = "tidy", roots = ["//:exporter"])

gives one report for each source of this workspace that the roots are linked from; an empty one is good. Reports are
made, findings or not, so that one build shows the findings of all sources. Which checks there are: .clang-tidy.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_TidyReportsInfo = provider(
    doc = "What clang-tidy says of the sources of a target and of what it depends on.",
    fields = {"files": "depset of text files"},
)

# Tests are left out (GoogleTest's macros cost more than they teach), and what others have written.
def _is_checked(source):
    return source.is_source and source.extension == "cc" and not source.short_path.startswith("../") and \
           not source.basename.endswith("_test.cc")

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

def _report(target, ctx, source):
    report = ctx.actions.declare_file("tidy/%s/%s.txt" % (target.label.name, source.basename))
    context = target[CcInfo].compilation_context
    arguments = ctx.actions.args()
    arguments.add_all([report, ctx.file._settings, source])
    arguments.add_all(_compile_flags(context))
    ctx.actions.run(
        executable = ctx.executable._tidy,
        arguments = [arguments],
        inputs = depset([source, ctx.file._settings] + _private_headers(ctx), transitive = [context.headers]),
        outputs = [report],
        mnemonic = "ClangTidy",
        progress_message = "Checking %s with clang-tidy" % source.short_path,
        # clang-tidy is a program of the build environment.
        use_default_shell_env = True,
    )
    return report

# Those of a joined library are not what it compiles (joined.bzl).
def _sources(ctx):
    return ctx.rule.files.srcs + getattr(ctx.rule.files, "additional_compiler_inputs", [])

def _private_headers(ctx):
    return [file for file in ctx.rule.files.srcs if file.extension == "h"]

def _tidy_aspect_impl(target, ctx):
    deps = getattr(ctx.rule.attr, "deps", [])
    inherited = [dep[_TidyReportsInfo].files for dep in deps if _TidyReportsInfo in dep]
    reports = []
    if CcInfo in target and hasattr(ctx.rule.files, "srcs"):
        reports = [_report(target, ctx, source) for source in _sources(ctx) if _is_checked(source)]
    return [_TidyReportsInfo(files = depset(reports, transitive = inherited))]

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
