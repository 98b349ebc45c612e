"""Builds releases for a platform of //toolchain, whatever else the build is for."""

_COPT = "//command_line_option:copt"

def _released_impl(settings, attr):
    return {
        # Other builds are optimised less (.bazelrc).
        _COPT: [option for option in settings[_COPT] if not option.startswith("-O")] + ["-O2"],
        # Those of ./bazelw name the folders of its private environment.
        "//command_line_option:host_linkopt": [],
        "//command_line_option:linkopt": [],
        "//command_line_option:platforms": [str(attr.platform)],
    }

released = transition(
    implementation = _released_impl,
    inputs = [_COPT],
    outputs = [
        _COPT,
        "//command_line_option:host_linkopt",
        "//command_line_option:linkopt",
        "//command_line_option:platforms",
    ],
)

# Attributes of a rule that has dependencies with `cfg = released`.
RELEASED_ATTRS = {
    "platform": attr.label(mandatory = True, doc = "One of //toolchain."),
    "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
}

def _release_binary_impl(ctx):
    program = ctx.actions.declare_file(ctx.attr.out or ctx.label.name)
    ctx.actions.symlink(output = program, target_file = ctx.executable.binary, is_executable = True)
    return [DefaultInfo(executable = program, files = depset([program]))]

release_binary = rule(
    implementation = _release_binary_impl,
    doc = "`binary`, built for `platform`.",
    attrs = RELEASED_ATTRS | {
        "binary": attr.label(mandatory = True, executable = True, cfg = "target"),
        "out": attr.string(doc = "The file's name; by default the target's."),
    },
    cfg = released,
    executable = True,
)

def _release_library_impl(ctx):
    return [DefaultInfo(files = depset([ctx.file.library]))]

release_library = rule(
    implementation = _release_library_impl,
    doc = "The shared `library`, built for `platform`.",
    attrs = RELEASED_ATTRS | {
        "library": attr.label(allow_single_file = [".so"], mandatory = True),
    },
    cfg = released,
)
