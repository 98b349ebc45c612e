"""Programs as they are released, and what they must be."""

def _release_impl(_settings, attr):
    return {"//command_line_option:platforms": [str(attr.platform)]}

_release = transition(
    implementation = _release_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _release_binary_impl(ctx):
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = program, target_file = ctx.executable.binary, is_executable = True)
    return [DefaultInfo(executable = program, files = depset([program]))]

release_binary = rule(
    implementation = _release_binary_impl,
    doc = "`binary`, built for `platform`, whatever else the build is for.",
    attrs = {
        "binary": attr.label(mandatory = True, cfg = _release, executable = True),
        "platform": attr.label(mandatory = True, doc = "One of //toolchain."),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
    executable = True,
)

# System to what readelf and qemu call its machine.
_SYSTEMS = {
    "linux_aarch64": ("AArch64", "qemu-aarch64-static"),
    "linux_x86_64": ("Advanced Micro Devices X86-64", "qemu-x86_64-static"),
}

def exporters_and_tests(models):
    """Declares `exporter-SYSTEM` for each system, and its tests with the suite `all_tests`.

    Args:
      models: targets with folders of archives, to be exported by the released and by the ordinary command.
    """
    tests = []
    for system, (machine, emulator) in _SYSTEMS.items():
        name = "exporter-" + system.replace("_", "-", 1)
        release_binary(
            name = name,
            binary = "//:exporter",
            platform = "//toolchain:" + system,
            tags = ["manual"],
        )
        native.sh_test(
            name = name + "_file_test",
            size = "small",
            srcs = ["file_test.sh"],
            args = ["$(rootpath :{})".format(name), "'{}'".format(machine)],
            data = [":" + name],
            tags = ["manual"],
        )
        native.sh_test(
            name = name + "_alone_test",
            size = "large",
            srcs = ["alone_test.sh"],
            args = [
                "$(rootpath :{})".format(name),
                "$(rootpath //:exporter)",
            ] + select({
                "@platforms//cpu:" + system.removeprefix("linux_"): ["-"],
                "//conditions:default": [emulator],
            }) + ["$(rootpaths {})".format(model) for model in models],
            data = [":" + name, "//:exporter"] + models,
            tags = ["manual"],
        )
        tests += [name + "_file_test", name + "_alone_test"]
    native.test_suite(
        name = "all_tests",
        tags = ["manual"],
        tests = tests,
    )
