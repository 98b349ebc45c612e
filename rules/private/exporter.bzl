"""onnx_exporter: the command and the library, with the operators of a user's specs."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//generated:defs.bzl", "operators")
load("//toolchain:programs.bzl", "MOVABLE_LINKOPTS")
load("//tools/schemas:registered_schemas.bzl", "registered_schemas")
load(":toolchain.bzl", "EXPORTER_TYPE", "onnxport_toolchain")

def _here(label):
    """A target of onnxport, whatever repository the macro is called from."""
    return Label(label)

# Every schema that onnxport knows, or that LibTorch has by itself.
_KNOWN_SCHEMAS = [
    "//tools/schemas:linked_schemas",  # first: what it says of a name counts
    "//spec:functional_schemas.txt",
    "//spec:onnx_schemas.txt",
    "//spec:prims_schemas.txt",
    "//spec:qdq_schemas.txt",
    "//spec:quantized_decomposed_schemas.txt",
    "//spec:torchao_schemas.txt",
    "//spec:torchvision_schemas.txt",
    "//spec:transformers_schemas.txt",
]

# Variable to the program that it names for tests: both ONNX Runtimes, and ONNX's own evaluator.
_RUNNERS = {
    "ORT_RUNNER": "//rules/private:onnxruntime",
    "ORT_RUNNER_NEW": "//rules/private:onnxruntime_new",
    "ORT_RUNNER_REFERENCE": "//rules/private:reference_evaluator",
}

def _entry_tests(name, test_deps, **kwargs):
    """The test of the entries' `tests:`."""
    attributes = dict(kwargs)
    attributes["testonly"] = True
    native.filegroup(
        name = name + "_cases",
        srcs = [":{}_operators".format(name)],
        output_group = "cases",
        **attributes
    )
    runners = {variable: str(_here(label)) for variable, label in _RUNNERS.items()}
    cc_test(
        name = name + "_test",
        size = "medium",
        srcs = [":{}_cases".format(name)],
        data = runners.values(),
        env = {variable: "$(rootpath {})".format(runner) for variable, runner in runners.items()} | {"OMP_NUM_THREADS": "1"},
        deps = test_deps + [
            ":{}_lib".format(name),
            _here("//rules/private:entry_tests"),
        ],
        **attributes
    )

def onnx_exporter(name, specs, deps = [], schemas = None, test_deps = [], **kwargs):
    """An exporter of one's own: onnxport's operators, and those of `specs`.

    Targets: `name`, the command, used as `exporter` is. `name_lib`, a cc_library that a C++ program links instead of
    `@onnxport//:onnxport`, or beside other libraries of onnxport. `name_torch`, instead of
    `@onnxport//:onnxport_torch`, with `deps`. `name_toolchain`, a toolchain: once it is registered, `onnx_model` and
    the like run this exporter. With `test_deps` also `name_test`, a test of what the specs say.

    Args:
      name: of the command.
      specs: spec files (spec/README.md), one family each. Built-in ones and these are checked together: an operator that
        is claimed twice is an error that names both places, unless the entry here says `override: true`.
      deps: cc_library targets that register the operators with TORCH_LIBRARY. Their registration must not be dropped by
        the linker: `alwayslink = True`. They are linked with LibTorch into a small program that prints their schemas, and
        are in `name_torch`; they are not in the exporter.
      schemas: instead of `deps`, a text file of the schemas, one a line as PyTorch prints them: for operators that are
        registered in Python.
      test_deps: cc_library targets with which the operators can be called in LibTorch on the CPU: usually those of `deps`,
        and what has their kernels (TORCH_LIBRARY_IMPL) if that is apart. `name_test` makes each call of the entries'
        `tests:` with them, and runs the exporter's model in ONNX Runtime, at each opset at which the model changes and
        at the newest. Dtype, shape and values must agree. It fails if no entry has `tests:`. It links LibTorch: where
        there is none, it is skipped.
      **kwargs: visibility, tags, testonly: of all targets.
    """
    if bool(deps) == bool(schemas):
        fail("onnx_exporter {}: say with `deps` or with `schemas` which operators there are".format(name))
    if deps:
        cc_binary(
            name = name + "_registry",
            deps = deps + [_here("//tools/schemas:print_schemas")],
            **kwargs
        )
        registered_schemas(
            name = name + "_schemas",
            program = ":{}_registry".format(name),
            known = [_here(label) for label in _KNOWN_SCHEMAS],
            **kwargs
        )
        schemas = ":{}_schemas".format(name)
    operators(
        name = name + "_operators",
        specs = specs,
        aten_schemas = schemas,
        base = _here("//generated:aten"),
        owner = "{}//{}:{}".format(native.repo_name(), native.package_name(), name),
        **kwargs
    )
    for group in ["code", "traits"]:
        native.filegroup(
            name = "{}_{}".format(name, group),
            srcs = [":{}_operators".format(name)],
            output_group = group,
            **kwargs
        )
    cc_library(
        name = name + "_lib",
        srcs = [":{}_code".format(name), ":{}_traits".format(name)],
        copts = ["-O0"],  # once per call of a model: optimising costs seconds and gains nothing
        deps = [
            _here("//:onnxport"),
            _here("//rules/private:generated_code"),
        ],
        alwayslink = True,  # nothing names the tables, they add themselves
        **kwargs
    )
    torch_attributes = dict(kwargs)
    torch_attributes["tags"] = kwargs.get("tags", []) + ["manual"]  # built where a program wants it
    cc_library(
        name = name + "_torch",
        deps = deps + [
            ":{}_lib".format(name),
            _here("//:onnxport_torch"),
        ],
        **torch_attributes
    )
    cc_binary(
        name = name,
        linkopts = MOVABLE_LINKOPTS,
        malloc = _here("//toolchain:malloc"),
        deps = [
            ":{}_lib".format(name),
            _here("//runtime/cli:main"),
        ],
        **kwargs
    )
    if test_deps:
        _entry_tests(name, test_deps, **kwargs)
    onnxport_toolchain(
        name = name + "_tools",
        exporter = ":" + name,
        **kwargs
    )
    native.toolchain(
        name = name + "_toolchain",
        toolchain = ":{}_tools".format(name),
        toolchain_type = EXPORTER_TYPE,
        visibility = ["//visibility:public"],
    )
