"""onnx_model: an export as a build action."""

def _export(ctx, model, folder, report):
    """The action that writes the model, and what the exporter says of it."""
    args = ctx.actions.args()
    args.add("export")
    args.add(ctx.file.model)
    args.add("-o", model if not folder else "{}/{}.onnx".format(folder.path, ctx.label.name))
    args.add("--opset", ctx.attr.opset)
    args.add("--external-data", "always" if folder else "never")
    args.add("--max-seconds", 0)  # a build decides by itself how long an action may take
    args.add_all(ctx.attr.inputs, before_each = "--input")
    ctx.actions.run_shell(
        # What the exporter remarks is the report; of an export that fails it is the build's output.
        command = "exporter=$1; report=$2; shift 2; \"$exporter\" \"$@\" 2> \"$report\" || { s=$?; cat \"$report\" >&2; exit $s; }",
        arguments = [ctx.executable.exporter.path, report.path, args],
        inputs = [ctx.file.model],
        tools = [ctx.executable.exporter],
        outputs = [folder or model, report],
        mnemonic = "OnnxModel",
        progress_message = "Exporting %{label}",
    )

def _onnx_model_impl(ctx):
    report = ctx.actions.declare_file(ctx.label.name + ".report.txt")
    if ctx.attr.external_data:
        folder, model = ctx.actions.declare_directory(ctx.label.name), None
    else:
        folder, model = None, ctx.actions.declare_file(ctx.label.name + ".onnx")
    _export(ctx, model, folder, report)
    checked = []
    if ctx.attr.verify:
        checked = [ctx.actions.declare_file(ctx.label.name + ".checked")]
        args = ctx.actions.args()
        args.add(model if model else "{}/{}.onnx".format(folder.path, ctx.label.name))
        args.add(checked[0])
        ctx.actions.run(
            executable = ctx.executable._checker,
            arguments = [args],
            inputs = [folder or model],
            outputs = checked,
            mnemonic = "CheckOnnxModel",
            progress_message = "Checking %{label}",
        )
    files = depset([folder or model])
    return [
        DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files)),
        OutputGroupInfo(report = depset([report]), _validation = depset(checked)),
    ]

onnx_model = rule(
    implementation = _onnx_model_impl,
    doc = """Exports a model to ONNX as a build action.

The action sees the model and the exporter, nothing else, and gives the same bytes each time: it is cached, and runs
remotely as it does here. `NAME.onnx` is the output; the output group `report` has what the exporter remarked
(`bazel build --output_groups=report`).""",
    attrs = {
        "model": attr.label(
            doc = "The `.pt2` or TorchScript archive.",
            allow_single_file = [".pt2", ".pt"],
            mandatory = True,
        ),
        "inputs": attr.string_list(
            doc = "What `--input` says of the model's inputs: `x=f32[batch,3,224,224]`.",
        ),
        "opset": attr.int(
            doc = "The ONNX opset.",
            default = 18,
        ),
        "external_data": attr.bool(
            doc = "Weights in a file of their own: for models above 2 GB. The output is a folder `NAME` then, with `NAME.onnx` in it.",
        ),
        "verify": attr.bool(
            doc = "Whether the build fails when ONNX's own checker finds something wrong. (Operators of one's own domains are not checked.)",
            default = True,
        ),
        "exporter": attr.label(
            doc = "The command: `//:exporter`, or a target of `onnx_exporter`.",
            cfg = "target",  # as the generator: nothing is compiled twice
            default = "//:exporter",
            executable = True,
        ),
        "_checker": attr.label(
            cfg = "target",
            default = "//rules/private:check_model",
            executable = True,
        ),
    },
)
