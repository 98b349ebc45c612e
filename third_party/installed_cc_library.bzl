"""A C++ library that lies outside the workspace.

Its headers are not listed as inputs one by one: LibTorch alone has 9,000, and that costs 10 s at every start of Bazel.
The compiler finds them in the folder itself. `stamp` has the hash of all of them, and `link_stamp` that of its archives: what
was compiled or linked with others is never taken from a cache.
"""

load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common")

def _installed_cc_library_impl(ctx):
    include_dirs = [d if d.startswith("/") else ctx.label.workspace_root + "/" + d for d in ctx.attr.include_dirs]
    compilation = cc_common.create_compilation_context(
        headers = depset([ctx.file.stamp] + ctx.files.include_tree),
        system_includes = depset(include_dirs),
        defines = depset(ctx.attr.defines),
    )
    linking = cc_common.create_linking_context(
        linker_inputs = depset([cc_common.create_linker_input(
            owner = ctx.label,
            additional_inputs = depset([ctx.file.link_stamp]),
            user_link_flags = ctx.attr.link_flags,
        )]),
    )
    own = CcInfo(compilation_context = compilation, linking_context = linking)

    # To be linked, and not seen by what compiles.
    code = [CcInfo(linking_context = ctx.attr.code[CcInfo].linking_context)] if ctx.attr.code else []
    return [
        DefaultInfo(),
        cc_common.merge_cc_infos(
            direct_cc_infos = [own] + code,
            cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
        ),
    ]

installed_cc_library = rule(
    implementation = _installed_cc_library_impl,
    doc = "A C++ library outside the workspace, as a dependency for `cc_library` and the like.",
    attrs = {
        "code": attr.label(providers = [CcInfo], doc = "A target with the library's functions, to be linked as well."),
        "defines": attr.string_list(doc = "Preprocessor definitions for everything that includes the library."),
        "deps": attr.label_list(providers = [CcInfo], doc = "Libraries this one needs; they are linked after it."),
        "include_dirs": attr.string_list(doc = "Folders for `-isystem`, absolute or in the repository."),
        "include_tree": attr.label_list(allow_files = True, doc = "The folder in the repository that the sandbox must show."),
        "link_flags": attr.string_list(doc = "What the linker gets: `-L`, `-l`, `-Wl,-rpath`."),
        "link_stamp": attr.label(
            allow_single_file = True,
            doc = "When it changes, programs with the library are linked again.",
            mandatory = True,
        ),
        "stamp": attr.label(
            allow_single_file = True,
            doc = "When it changes, users of the library are compiled again.",
            mandatory = True,
        ),
    },
    provides = [CcInfo],
)
