"""The configuration of tools: programs that actions run, on the machine that builds.

It is that of the tool's user, as Bazel shares nothing between configurations, and "exec" would compile everything twice.
Only where that is a release for other machines, or one whose programs are not linked here, it is the release for this one.
"""

load(":targets.bzl", "TARGETS")

_PLATFORMS = "//command_line_option:platforms"
_HOST_CPU = "//command_line_option:host_cpu"

def _tool_impl(settings, _attr):
    platforms = [str(platform) for platform in settings[_PLATFORMS]]
    if not [name for name in TARGETS if str(Label("//toolchain:" + name)) in platforms]:
        return {_PLATFORMS: settings[_PLATFORMS]}
    machine = "aarch64" if settings[_HOST_CPU] == "aarch64" else "x86_64"
    return {_PLATFORMS: [str(Label("//toolchain:linux_" + machine))]}

tool = transition(
    implementation = _tool_impl,
    inputs = [_PLATFORMS, _HOST_CPU],
    outputs = [_PLATFORMS],
)
