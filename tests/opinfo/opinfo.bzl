"""Samples of PyTorch's operator database, what becomes of them, and the tests that hold it against the table.

The cells (an operator variant and a dtype) are spread over SHARDS by a hash. Each shard is two actions: one makes the
archives and expected values, which change with PyTorch only, the other exports, runs and compares them.
"""

load("@rules_shell//shell:sh_binary.bzl", "sh_binary")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

SHARDS = 64

OPSETS = [18, 25]

# The parts that an ordinary run takes.
SAMPLED = [0, 1]

def _samples_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = ["-B", ctx.file._script.path, "--shard", "%d/%d" % (ctx.attr.shard, SHARDS), out.path],
        inputs = [ctx.file._script],
        outputs = [out],
        env = {
            # One core for one action.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        },
        mnemonic = "OpInfoSamples",
        progress_message = "Making samples of PyTorch's operator database, shard %d" % ctx.attr.shard,
    )
    return [DefaultInfo(files = depset([out]))]

_samples = rule(
    implementation = _samples_impl,
    attrs = {
        "shard": attr.int(mandatory = True),
        "_script": attr.label(default = ":make_samples.py", allow_single_file = True),
    },
    doc = "What make_samples.py writes for one shard.",
)

def _outcomes_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = [ctx.file.samples.path, out.path, str(ctx.attr.opset)],
        inputs = [ctx.file.samples],
        tools = [ctx.executable._runner, ctx.executable._runner_new, ctx.file._runner_reference],
        outputs = [out],
        env = {
            "ORT_RUNNER": ctx.executable._runner.path,
            "ORT_RUNNER_NEW": ctx.executable._runner_new.path,
            "ORT_RUNNER_REFERENCE": ctx.file._runner_reference.path,
        },
        mnemonic = "OpInfoOutcomes",
        progress_message = "Exporting %{label}",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

_outcomes = rule(
    implementation = _outcomes_impl,
    attrs = {
        "opset": attr.int(mandatory = True),
        "samples": attr.label(allow_single_file = True, mandatory = True),
        # For the target configuration, as the tests of the same libraries are: nothing is compiled twice.
        "_runner": attr.label(default = "//tests/ort:runner", executable = True, cfg = "target"),
        "_runner_new": attr.label(default = "//tests/ort:runner_new", executable = True, cfg = "target"),
        "_runner_reference": attr.label(default = "//tests/ort:reference_runner.py", allow_single_file = True),
        "_tool": attr.label(default = ":outcomes", executable = True, cfg = "target"),
    },
    doc = "What becomes of the samples at an opset: a line for each.",
)

_TABLE = "expectations.txt"

def _check_and_update(opset, wrong, shards, suffix, test, infix, tags):
    outcomes = {":outcomes_%d_%d" % (opset, shard): shard for shard in shards}
    paths = ["%d=$(rootpath %s)" % (shard, label) for label, shard in outcomes.items()]
    sh_test(
        name = "%s_%d" % (test, opset),
        size = "small",
        srcs = [":table"],
        args = ["check" + suffix, "$(rootpath %s)" % _TABLE, str(opset), "$(rootpath %s)" % wrong] + paths,
        data = [
            _TABLE,
            wrong,
        ] + outcomes.keys(),
        tags = tags,
    )
    sh_binary(
        name = "update%s_%d" % (infix, opset),
        srcs = [":table"],
        args = ["update" + suffix, "$(rootpath %s)" % _TABLE, str(opset)] + paths,
        data = [_TABLE] + outcomes.keys(),
        tags = ["manual"],
    )
    sh_binary(
        name = "list%s_%d" % (infix, opset),
        srcs = [":table"],
        args = ["list"] + ["$(rootpath %s)" % label for label in outcomes],
        data = outcomes.keys(),
        tags = ["manual"],
    )

def opinfo_tests(wrong):
    """sample_test_OPSET holds some shards against the table expectations.txt; sweep_OPSET, run by hand only, all.

    `update_sample_OPSET` and `update_OPSET` write what these saw, `list_sample_OPSET` and `list_OPSET` print the cells
    with samples that agree.

    Args:
      wrong: the file that says of each wrong cell why.
    """
    for shard in range(SHARDS):
        _samples(name = "samples_%d" % shard, shard = shard, tags = ["manual"])
    for opset in OPSETS:
        for shard in range(SHARDS):
            _outcomes(
                name = "outcomes_%d_%d" % (opset, shard),
                opset = opset,
                samples = ":samples_%d" % shard,
                tags = ["manual"],
            )
        _check_and_update(opset, wrong, SAMPLED, "", "sample_test", "_sample", [])
        _check_and_update(opset, wrong, range(SHARDS), "_all", "sweep", "", ["manual"])
