"""registered_schemas: the operators that a program registers with LibTorch, as text."""

def _registered_schemas_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    args = ctx.actions.args()
    args.add_all(ctx.files.known, before_each = "--without")
    ctx.actions.run_shell(
        command = "program=$1; out=$2; shift 2; \"$program\" \"$@\" > \"$out\"",
        arguments = [ctx.executable.program.path, out.path, args],
        inputs = ctx.files.known,
        tools = [ctx.executable.program],
        outputs = [out],
        mnemonic = "RegisteredSchemas",
        progress_message = "Listing the operators that %{label} registers",
    )
    return [DefaultInfo(files = depset([out]))]

registered_schemas = rule(
    implementation = _registered_schemas_impl,
    doc = "The schemas of the operators that a program registers, without those that onnxport knows.",
    attrs = {
        "known": attr.label_list(
            doc = "Texts of schemas that are left out.",
            allow_files = [".txt"],
        ),
        "program": attr.label(
            doc = "What is linked from :print_schemas and libraries with operators.",
            cfg = "target",  # as the generator: nothing is compiled twice
            executable = True,
        ),
    },
)
