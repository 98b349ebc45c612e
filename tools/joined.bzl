"""Libraries of many small sources, compiled a few at a time.

Most of what a small source costs is reading headers and making the same templates as its neighbours. Joined, the sources of
a folder compile three times as fast, and a change of one costs a second or two more.
"""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

# More at a time: a first build is faster, a change of one source costs more.
AT_A_TIME = 12

def _in_repository(source):
    """The path that includes name, also in the workspace of a user, where it is `../onnxport/runtime/...`."""
    path = source.short_path
    return path.split("/", 2)[2] if path.startswith("../") else path

def join_source(ctx, name, sources):
    """Declares a source that includes others.

    Args:
      ctx: of the rule or aspect.
      name: its path in the package, without `.cc`.
      sources: files, included in this order.

    Returns:
      The file.
    """
    out = ctx.actions.declare_file(name + ".cc")
    ctx.actions.write(out, "".join(['#include "%s"\n' % _in_repository(source) for source in sources]))
    return out

def split_sources(sources, at_a_time):
    """Divides sources among compilations, as evenly as it goes.

    Args:
      sources: a list of any kind.
      at_a_time: how many of them one compilation takes at most.

    Returns:
      A list of lists.
    """
    count = (len(sources) + at_a_time - 1) // at_a_time
    return [sources[len(sources) * i // count:len(sources) * (i + 1) // count] for i in range(count)]

def _joined_sources_impl(ctx):
    return [DefaultInfo(files = depset([join_source(ctx, ctx.label.name, ctx.files.srcs)]))]

_joined_sources = rule(
    implementation = _joined_sources_impl,
    doc = "A source that includes others.",
    attrs = {"srcs": attr.label_list(allow_files = [".cc"], mandatory = True)},
)

def _joined(name, srcs, ending, testonly):
    sources = [source for source in srcs if source.endswith(".cc")]
    joined = []
    for i, part in enumerate(split_sources(sources, AT_A_TIME)):
        joined.append("%s_joined_%d%s" % (name, i, ending))
        _joined_sources(
            name = joined[i],
            srcs = part,
            testonly = testonly,
            visibility = ["//visibility:private"],
        )

    # Bazel treats the files that the joined sources include as headers: after an edit it compiles only the source that
    # has included the file. (An edit of one of `additional_compiler_inputs` compiles the whole library again.)
    cc_library(
        name = name + "_sources",
        testonly = testonly,
        textual_hdrs = sources,
        visibility = ["//visibility:private"],
    )
    return joined + [source for source in srcs if not source.endswith(".cc")]

def joined_cc_library(name, srcs = None, hdrs = None, exclude = [], **attributes):
    """A cc_library of the folder whose sources are compiled a few at a time.

    Without `srcs` and `hdrs` it has all sources of the package's folder but tests (`*_test.cc`), and all headers. A folder
    with several libraries names the files of each.

    Names in their anonymous namespaces are the library's: two sources that define the same one do not compile. Each
    source is complete in itself, with all its includes: //tools:lint_alone_test reads it by itself (tidy.bzl).

    Args:
      name: of the target.
      srcs: sources, and headers that only they include; all sources of the folder by default.
      hdrs: headers that other packages include; all headers of the folder by default.
      exclude: sources and headers of the folder that another target has.
      **attributes: all others of cc_library.
    """
    if srcs == None:
        srcs = native.glob(
            ["*.cc"],
            exclude = ["*_test.cc"] + exclude,
        )
    if hdrs == None:
        hdrs = native.glob(
            ["*.h"],
            exclude = exclude,
        )
    cc_library(
        name = name,
        hdrs = hdrs,
        srcs = _joined(name, srcs, "", attributes.get("testonly", False)),
        implementation_deps = [name + "_sources"],
        **attributes
    )

def joined_cc_test(name, deps, srcs = None, **attributes):
    """A cc_test of the folder whose sources are compiled a few at a time and linked once.

    Most of what a small test costs is reading GoogleTest and the folder's headers, and being linked. Each source has a
    namespace of its name, such as `onnxport::passes::triangle_test`, so what it defines does not clash. Bazel's
    `--test_filter='Triangle*'` runs some of the tests.

    Args:
      name: of the target.
      deps: libraries.
      srcs: sources, and headers that only they include; all `*_test.cc` of the folder by default.
      **attributes: all others of cc_test.
    """
    if srcs == None:
        srcs = native.glob(["*_test.cc"])
    cc_test(
        name = name,
        # .bazelrc knows the sources of tests by their ending.
        srcs = _joined(name, srcs, "_test", True),
        deps = deps + [name + "_sources"],
        **attributes
    )
