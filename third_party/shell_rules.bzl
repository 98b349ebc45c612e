"""`@rules_shell` for a WORKSPACE: Debian has none beside its Bazel, where the rules are built in still (Bazel 7)."""

def _shell_rules_impl(rctx):
    rctx.file("shell/BUILD.bazel")
    for rule in ["sh_binary", "sh_library", "sh_test"]:
        rctx.file("shell/{}.bzl".format(rule), "{0} = native.{0}\n".format(rule))

shell_rules = repository_rule(
    implementation = _shell_rules_impl,
    doc = "The files of rules_shell that BUILD files load, with the rules of Bazel itself.",
)
