"""Tests in a browser."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

_NODE = "@nodejs_x86_64_source//:node"
_CHROMIUM = "@chromium_x86_64_source//:packed"
_MODULES = ["browser.mjs", "chromium.mjs", "firefox.mjs", "setting.mjs", "site.mjs", "user.mjs"]

def browser_test(name, arguments, data = []):
    """Declares the test NAME.mjs, which gets the paths of files.

    Args:
      name: of the target.
      arguments: targets of one file or folder each.
      data: what the test reads besides.
    """
    test = name + ".mjs"
    sh_test(
        name = name,
        size = "large",
        srcs = ["browser_test.sh"],
        args = ["$(rootpath %s)" % _NODE, "$(rootpath %s)" % test, "$(rootpaths %s)" % _CHROMIUM, "--"] +
               ["$(rootpath %s)" % argument for argument in arguments],
        data = [_NODE, _CHROMIUM, test, "chromium.sh"] + _MODULES + arguments + data,
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )
