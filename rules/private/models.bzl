"""onnx_models: many exports, and a table of what became of each."""

load(":model.bzl", "add_export_flags")
load(":toolchain.bzl", "EXPORTER_ATTRS", "EXPORTER_TYPE", "exporter_of")

# The exporter says of each model what came of it, a refusal too, and that is an output. An outcome that another run
# would not give (no memory, no room on the disk, an end from outside) fails the action, as does a wrong option. So a
# cache keeps only facts about the model.
_EXPORT = """
exporter=$1 report=$2 sums=$3 folder=$4 model=$5 verify=$6
shift 6
status=0
"$exporter" export "$@" -o "$folder/$model" --report "$report" 2> "$report.log" || status=$?
case $status in
  0)
    [ -z "$verify" ] || "$exporter" check "$folder/$model" || exit
    (cd "$folder" && sha256sum -- *) > "$sums" || exit
    ;;
  1 | 3)
    if ! grep -qE '"result": "(cannot_export|bad_input)"' "$report"; then
      cat "$report.log" >&2
      exit $status
    fi
    : > "$sums"
    ;;
  *)
    cat "$report.log" >&2
    exit $status
    ;;
esac
rm -f "$report.log"
"""

_OWN_FLAGS = ["-o", "--out", "--opset", "--input", "--report", "--external-data", "-v", "--verbose", "--check-axes"]

def _name(ctx, archive):
    """The table's name for an archive: its path below the package, without the ending."""
    path = archive.short_path.removeprefix("../")
    return path.removeprefix(ctx.label.package + "/").removesuffix("." + archive.extension)

def _folder(ctx):
    """Where all outputs are, below `bazel-bin`."""
    return "/".join([part for part in [ctx.label.workspace_root, ctx.label.package, ctx.label.name] if part])

def _archives(ctx):
    """Name to file."""
    archives = {}
    for archive in ctx.files.models:
        name = _name(ctx, archive)
        if name in archives:
            fail("onnx_models {}: {} and {} would both be called `{}`".format(
                ctx.label,
                archives[name].short_path,
                archive.short_path,
                name,
            ))
        archives[name] = archive
    for name in ctx.attr.inputs:
        if name not in archives:
            fail("onnx_models {}: `inputs` speaks of `{}`, and the models are {}".format(
                ctx.label,
                name,
                ", ".join(archives.keys()),
            ))
    for flag in ctx.attr.flags:
        if flag.split("=")[0] in _OWN_FLAGS:
            fail("onnx_models {}: `flags` has {}, which the rule gives itself".format(ctx.label, flag))
    return archives

def _export(ctx, exporter, name, archive, opset):
    """One model at one opset; returns struct(folder, report, sums)."""
    path = "{}/{}.opset{}".format(ctx.label.name, name, opset)
    folder = ctx.actions.declare_directory(path)
    report = ctx.actions.declare_file(path + ".json")
    sums = ctx.actions.declare_file(path + ".sha256")
    args = ctx.actions.args()
    args.add_all([exporter.path, report, sums])
    args.add_all([folder], expand_directories = False)
    args.add_all([name.split("/")[-1] + ".onnx", "verify" if ctx.attr.verify else "", archive])
    add_export_flags(args, opset, ctx.attr.external_data, ctx.attr.inputs.get(name, []))
    args.add_all(ctx.attr.flags)
    ctx.actions.run_shell(
        command = _EXPORT,
        arguments = [args],
        inputs = [archive],
        tools = [exporter.program],
        outputs = [folder, report, sums],
        mnemonic = "OnnxModel",
        progress_message = "Exporting {} at opset {}".format(archive.short_path, opset),
        toolchain = exporter.toolchain,
    )
    return struct(folder = folder, report = report, sums = sums)

def _index(ctx, exporter, exports, flags, outputs, after = []):
    """The action that reads all reports. It needs no model."""
    reports = ctx.actions.args()
    reports.add_all([export.report for export in exports])
    reports.use_param_file("@%s")
    reports.set_param_file_format("multiline")
    args = ctx.actions.args()
    args.add("--root", exports[0].report.root.path + "/" + _folder(ctx))
    args.add_all(flags)
    ctx.actions.run_shell(
        command = "exporter=$1; out=$2; shift 2; \"$exporter\" index \"$@\" && { [ -e \"$out\" ] || : > \"$out\"; }",
        arguments = [exporter.path, outputs[0].path, reports, args],
        inputs = [file for export in exports for file in [export.report, export.sums]] + after,
        tools = [exporter.program],
        outputs = outputs,
        mnemonic = "OnnxIndex",
        progress_message = "Making the table of %{label}",
        toolchain = exporter.toolchain,
    )

def _onnx_models_impl(ctx):
    exporter = exporter_of(ctx)
    exports = [
        _export(ctx, exporter, name, archive, opset)
        for name, archive in _archives(ctx).items()
        for opset in ctx.attr.opsets
    ]
    json = ctx.actions.declare_file(ctx.label.name + "/index.json")
    html = ctx.actions.declare_file(ctx.label.name + "/index.html")
    _index(ctx, exporter, exports, ["--json", json, "--html", html, "--title", str(ctx.label)], [json, html])
    checked = []
    if ctx.attr.refused == "fail":
        checked.append(ctx.actions.declare_file(ctx.label.name + "/all_exported"))

        # Bazel stops at a failure: the table comes before it.
        _index(ctx, exporter, exports, ["--all-exported"], [checked[-1]], after = [json, html])
    files = depset([export.folder for export in exports] + [json, html])
    return [
        DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files)),
        OutputGroupInfo(
            index = depset([json, html]),
            models = depset([export.folder for export in exports]),
            reports = depset([export.report for export in exports]),
            _validation = depset(checked),
        ),
    ]

onnx_models = rule(
    implementation = _onnx_models_impl,
    doc = """Exports many models, each at each opset, and makes a table of what became of them.

One action for each model and opset, so that they run beside each other, here or on a cluster, and one that reads their
reports. A model `resnet.pt2` at opset 18 is `NAME/resnet.opset18/resnet.onnx`. The output groups are `models`, the
folders; `index`, the table as `NAME/index.json` and `NAME/index.html`; `reports`, the whole report of each export.""",
    attrs = EXPORTER_ATTRS | {
        "external_data": attr.bool(
            doc = "Weights in a file of their own: for models above 2 GB. It is the same file for all opsets, so a cache keeps it once.",
        ),
        "flags": attr.string_list(
            doc = "Flags of `exporter export`, for every model: `--training`.",
        ),
        "inputs": attr.string_list_dict(
            doc = "Model to what `--input` says of its inputs. A model is called as its file, without the ending.",
        ),
        "models": attr.label_list(
            doc = "The `.pt2` and TorchScript archives: a list, or a `glob`.",
            allow_empty = False,
            allow_files = [".pt2", ".pt"],
            mandatory = True,
        ),
        "opsets": attr.int_list(
            doc = "The ONNX opsets.",
            allow_empty = False,
            default = [18],
        ),
        "refused": attr.string(
            doc = "What becomes of a model that cannot be exported: `fail`, the build fails when all are done, and the table has it; `row`, the table has it.",
            default = "fail",
            values = ["fail", "row"],
        ),
        "verify": attr.bool(
            doc = "Whether the build fails when ONNX's own checker finds something wrong.",
            default = True,
        ),
    },
    toolchains = [EXPORTER_TYPE],
)
