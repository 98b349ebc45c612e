"""A platform for each target, and the toolchain for it on each kind of machine."""

load(":targets.bzl", "TARGETS")

def release_platforms():
    """Declares platforms `NAME`, and toolchains that only they can have."""
    for name, target in TARGETS.items():
        constraints = [
            "@platforms//cpu:" + target.cpu,
            "@platforms//os:" + target.os,
            ":" + target.libc,
            ":" + target.cxx_library,
            ":pinned",
        ]
        native.platform(
            name = name,
            constraint_values = constraints,
        )
        for machine in ["aarch64", "x86_64"]:
            native.toolchain(
                name = "{}_on_{}".format(name, machine),
                exec_compatible_with = [
                    "@platforms//cpu:" + machine,
                    "@platforms//os:linux",
                ],
                target_compatible_with = constraints,
                toolchain = "@zig_{}//:{}".format(machine, name),
                toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
            )
