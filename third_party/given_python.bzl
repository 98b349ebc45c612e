"""Python packages that only some tests need, and only where the environment names the folder that has them."""

# Repository to environment variable: a folder such as site-packages, which goes before the machine's own.
GIVEN_PYTHON = {"torchao": "TORCHAO_ROOT"}

def _given_python_impl(rctx):
    folder = rctx.os.environ.get(rctx.attr.variable)
    if folder:
        rctx.symlink(folder, "site")
        files = 'filegroup(name = "files", srcs = glob(["site/**"]))'
    else:
        files = 'filegroup(name = "files", target_compatible_with = ["@platforms//:incompatible"])'
    rctx.file("BUILD.bazel", 'package(default_visibility = ["//visibility:public"])\n' + files + "\n")

given_python = repository_rule(
    implementation = _given_python_impl,
    doc = "`:files`, the folder that the variable names; without it nothing can be built with them, and is skipped.",
    attrs = {"variable": attr.string(mandatory = True, doc = "The environment variable.")},
    environ = GIVEN_PYTHON.values(),
    local = True,
)
