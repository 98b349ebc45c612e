"""The toolchains: the programs that rules run, from a release or from source."""

load("//toolchain:tools.bzl", "tool")

EXPORTER_TYPE = Label("//rules:toolchain_type")
VERIFY_TYPE = Label("//rules:verify_toolchain_type")

def _program(ctx, name):
    """The FilesToRunProvider of an attribute with a transition."""
    return getattr(ctx.attr, name)[0][DefaultInfo].files_to_run if getattr(ctx.executable, name) else None

def _onnxport_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(exporter = _program(ctx, "exporter"))]

onnxport_toolchain = rule(
    implementation = _onnxport_toolchain_impl,
    doc = """The exporter that `onnx_model` and `onnx_models` run, for a `toolchain` of the type `@onnxport//rules:toolchain_type`.

Most workspaces need none of their own: see "Where the exporter comes from".""",
    attrs = {
        "exporter": attr.label(
            doc = "The command `exporter`: a file, or a target such as `@onnxport//:exporter` or one of `onnx_exporter`.",
            allow_files = True,
            cfg = tool,
            executable = True,
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)

def _onnxport_verify_toolchain_impl(ctx):
    if not (ctx.executable.exporter_verify or ctx.attr.missing):
        fail("onnxport_verify_toolchain {}: `exporter_verify` is not given".format(ctx.label))
    return [platform_common.ToolchainInfo(
        exporter_verify = _program(ctx, "exporter_verify"),
        missing = ctx.attr.missing,
        runfiles = ctx.attr.exporter_verify[0][DefaultInfo].default_runfiles if ctx.executable.exporter_verify else None,
    )]

onnxport_verify_toolchain = rule(
    implementation = _onnxport_verify_toolchain_impl,
    doc = """What `onnx_verify_test` runs, for a `toolchain` of the type `@onnxport//rules:verify_toolchain_type`.

A type of its own, so that only these tests need LibTorch and ONNX Runtime.""",
    attrs = {
        "exporter_verify": attr.label(
            doc = "The program `exporter-verify`, with `exporter-onnxruntime` beside it: a file, or `@onnxport//:exporter-verify`.",
            allow_files = True,
            cfg = tool,
            executable = True,
        ),
        "missing": attr.string(
            doc = "Instead: why there is none, and what would help. A test that needs it fails to build, and says this.",
        ),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)

# Attributes of rules that run an exporter.
EXPORTER_ATTRS = {
    "exporter": attr.label(
        doc = "The command, in place of the toolchain's: a target of `onnx_exporter`.",
        cfg = tool,
        executable = True,
    ),
    "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
}

def exporter_of(ctx):
    """Returns the programs that a rule with EXPORTER_ATTRS runs.

    Args:
      ctx: of the rule, which has EXPORTER_TYPE among its toolchains.

    Returns:
      struct(program, path, toolchain): the FilesToRunProvider, its path, and what actions say as their `toolchain`.
    """
    given = _program(ctx, "exporter")
    program = given or ctx.toolchains[EXPORTER_TYPE].exporter
    return struct(program = program, path = program.executable.path, toolchain = None if given else EXPORTER_TYPE)
