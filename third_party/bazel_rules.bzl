"""The rule sets that Bazel's own rules load. Debian installs them beside Bazel, so nothing is downloaded."""

load("@bazel_tools//tools/build_defs/repo:local.bzl", "local_repository")
load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
load(":shell_rules.bzl", "shell_rules")

_RULES = {
    "bazel_features": "/usr/share/bazel/tools/features",
    "bazel_skylib": "/usr/share/bazel/tools/skylib",
    "platforms": "/usr/share/bazel/tools/platforms",
    "rules_cc": "/usr/share/bazel/rules/cc",
    "rules_java": "/usr/share/bazel/rules/java",
    "rules_license": "/usr/share/bazel/rules/license",
    "rules_proto": "/usr/share/bazel/rules/proto",
    "rules_python": "/usr/share/bazel/rules/python",
}

def bazel_rules():
    """Declares the rule sets, except those the workspace has declared itself (to take them from elsewhere)."""
    for name, path in _RULES.items():
        maybe(local_repository, name = name, path = path)
    maybe(shell_rules, name = "rules_shell")
