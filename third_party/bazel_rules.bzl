"""The rule sets that Bazel's own rules load. Debian installs them beside Bazel, so nothing is downloaded."""

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
        if not native.existing_rule(name):
            native.local_repository(name = name, path = path)
