"""Tests of programs of LibTorch, run with other releases of it than the one that everything links."""

load("//third_party:libraries.bzl", "OTHER_LIBTORCHS")

_LIBTORCH = "//third_party:libtorch"

def _with_libtorch_impl(_settings, attr):
    return {_LIBTORCH: attr.libtorch}

_with_libtorch = transition(
    implementation = _with_libtorch_impl,
    inputs = [],
    outputs = [_LIBTORCH],
)

def _libtorch_test_impl(ctx):
    test = ctx.attr.test[0]
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = program, target_file = test[DefaultInfo].files_to_run.executable, is_executable = True)
    environment = test[RunEnvironmentInfo].environment
    if ctx.attr.left_out:
        environment = environment | {"GTEST_FILTER": "-" + ":".join([suite + ".*" for suite in ctx.attr.left_out])}
    return [
        DefaultInfo(executable = program, runfiles = test[DefaultInfo].default_runfiles),
        RunEnvironmentInfo(environment = environment),
    ]

_libtorch_test = rule(
    implementation = _libtorch_test_impl,
    doc = "The test `test`, built anew with another LibTorch.",
    attrs = {
        "left_out": attr.string_list(doc = "Suites of the test that are not run."),
        "libtorch": attr.string(mandatory = True, doc = "Label of the library that takes the place of //third_party:libtorch."),
        "test": attr.label(mandatory = True, cfg = _with_libtorch, doc = "The test."),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
    test = True,
)

def other_libtorch_tests(tests, left_out = {}):
    """Declares for each release of LibTorch in OTHER_LIBTORCHS the tests, and the suite `libtorch_RELEASE` of them.

    They are built and run where the environment names the release, such as LIBTORCH_2_15_ROOT=/.../site-packages/torch,
    and skipped elsewhere.

    Args:
      tests: label to size.
      left_out: label to suites of that test which are not run: what they expect holds for one LibTorch.
    """
    for release in OTHER_LIBTORCHS:
        names = []
        for test, size in tests.items():
            names.append("%s_libtorch_%s" % (Label(test).name, release))
            _libtorch_test(
                name = names[-1],
                size = size,
                left_out = left_out.get(test, []),
                libtorch = "@libtorch_%s//:torch" % release,
                test = test,
            )
        native.test_suite(
            name = "libtorch_" + release,
            tests = names,
        )
