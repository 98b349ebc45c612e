"""onnx_model: an export as a build action."""

load(":toolchain.bzl", "EXPORTER_ATTRS", "EXPORTER_TYPE", "exporter_of")

OnnxModelInfo = provider(
    doc = "A model, and what it was made of.",
    fields = {
        "archive": "The `.pt2` or TorchScript archive, a File.",
        "file": "The `.onnx` file, or the folder that has it with its weights, a File.",
        "inputs": "What `--input` said.",
        "name": "The name of the `.onnx` file in the folder; empty: `file` is it.",
    },
)

# The report holds the exporter's remarks; if an export fails, they are the build's output. The check belongs to the
# same action: a second one would get the model once more, and in its sandbox as links, which ONNX's checker refuses.
_EXPORT = """
exporter=$1 report=$2 checked=$3
shift 3
status=0
"$exporter" export "$@" 2> "$report" || status=$?
if [ $status = 0 ] && [ -n "$checked" ]; then
  "$exporter" check "$checked" 2>> "$report" || status=$?
fi
[ $status = 0 ] || cat "$report" >&2
exit $status
"""

def add_export_flags(args, opset, external_data, inputs):
    """Adds the arguments for `exporter export` that every rule passes.

    Args:
      args: the Args.
      opset: the ONNX opset.
      external_data: whether weights have a file of their own.
      inputs: what `--input` says.
    """
    args.add("--opset", opset)
    args.add("--external-data", "always" if external_data else "never")
    args.add("--max-seconds", 0)  # a build decides by itself how long an action may take
    args.add_all(inputs, before_each = "--input")

def _onnx_model_impl(ctx):
    exporter = exporter_of(ctx)
    name = ctx.label.name + ".onnx"
    report = ctx.actions.declare_file(ctx.label.name + ".report.txt")
    if ctx.attr.external_data:
        out = ctx.actions.declare_directory(ctx.label.name)
        path = "{}/{}".format(out.path, name)
    else:
        out = ctx.actions.declare_file(name)
        path = out.path
    args = ctx.actions.args()
    args.add(ctx.file.model)
    args.add("-o", path)
    add_export_flags(args, ctx.attr.opset, ctx.attr.external_data, ctx.attr.inputs)
    ctx.actions.run_shell(
        command = _EXPORT,
        arguments = [exporter.path, report.path, path if ctx.attr.verify else "", args],
        inputs = [ctx.file.model],
        tools = [exporter.program],
        outputs = [out, report],
        mnemonic = "OnnxModel",
        progress_message = "Exporting %{label}",
        toolchain = exporter.toolchain,
    )
    files = depset([out])
    return [
        DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files)),
        OnnxModelInfo(
            archive = ctx.file.model,
            file = out,
            inputs = ctx.attr.inputs,
            name = name if ctx.attr.external_data else "",
        ),
        OutputGroupInfo(report = depset([report])),
    ]

onnx_model = rule(
    implementation = _onnx_model_impl,
    doc = """Exports a model to ONNX as a build action.

The action sees the model and the exporter, nothing else, and gives the same bytes each time: it is cached, and runs
remotely as it does here. `NAME.onnx` is the output; the output group `report` has what the exporter remarked
(`bazel build --output_groups=report`).""",
    attrs = EXPORTER_ATTRS | {
        "external_data": attr.bool(
            doc = "Weights in a file of their own: for models above 2 GB. The output is a folder `NAME` then, with `NAME.onnx` in it.",
        ),
        "inputs": attr.string_list(
            doc = "What `--input` says of the model's inputs: `x=f32[batch,3,224,224]`.",
        ),
        "model": attr.label(
            doc = "The `.pt2` or TorchScript archive.",
            allow_single_file = [".pt2", ".pt"],
            mandatory = True,
        ),
        "opset": attr.int(
            doc = "The ONNX opset.",
            default = 18,
        ),
        "verify": attr.bool(
            doc = "Whether the build fails when ONNX's own checker finds something wrong. (Operators of one's own domains are not checked.)",
            default = True,
        ),
    },
    toolchains = [EXPORTER_TYPE],
)
