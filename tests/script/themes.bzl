"""The themes of this folder: each is NAME.py, its programs' archives and expected values, and NAME_test."""

load("@rules_cc//cc:defs.bzl", "cc_test")

THEMES = [
    "aliases",
    "arithmetic",
    "classes",
    "control_flow",
    "detection",
    "dicts",
    "free_sizes",
    "frozen",
    "inplace",
    "joined",
    "lists",
    "loops",
    "modules",
    "optional",
    "packed",
    "quantized",
    "refused",
    "rnn",
    "shared",
    "spectral",
    "strings",
    "traced",
    "views",
    "wrapped_numbers",
]

def _theme_fixture_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = ["-B", ctx.file._script.path, ctx.file.theme.path, folder.path],
        inputs = [ctx.file._script, ctx.file._library, ctx.file.theme],
        outputs = [folder],
        env = {
            # The same bytes every time, and one core for one action.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        },
        mnemonic = "ScriptFixture",
        progress_message = "Making the archives of %{label}",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

_theme_fixture = rule(
    implementation = _theme_fixture_impl,
    attrs = {
        "theme": attr.label(allow_single_file = [".py"], mandatory = True),
        "_library": attr.label(default = "//tests/script:program.py", allow_single_file = True),
        "_script": attr.label(default = "//tests/script:make_programs.py", allow_single_file = True),
    },
    doc = "The folder that make_programs.py writes for one theme.",
)

def themes_and_tests():
    """For each theme NAME, the fixture (bazel-bin/tests/script/NAME_programs/) and NAME_test."""
    for theme in THEMES:
        _theme_fixture(
            name = theme + "_programs",
            theme = theme + ".py",
            visibility = [
                "//runtime/verify:__pkg__",
                "//tests/golden:__subpackages__",
            ],
        )
        cc_test(
            name = theme + "_test",
            size = "medium",
            data = [
                ":%s_programs" % theme,
                "//tests/ort:runner",
                "//tests/ort:runner_new",
            ],
            env = {
                "ORT_RUNNER": "$(rootpath //tests/ort:runner)",
                "ORT_RUNNER_NEW": "$(rootpath //tests/ort:runner_new)",
                "PROGRAMS": "$(rootpath :%s_programs)" % theme,
                "THEME": theme,
            },
            deps = [":script_test_main"],
        )
