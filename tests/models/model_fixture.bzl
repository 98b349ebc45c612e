"""model_fixture(name): the folder that `make_model.py NAME` writes, made when something needs it and then cached."""

def _model_fixture_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = ["-B", ctx.file.script.path, ctx.label.name, folder.path],
        inputs = [ctx.file.script] + ctx.files.srcs,
        outputs = [folder],
        env = {
            # The same bytes every time, and one core for one action.
            "OMP_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
        },
        mnemonic = "ModelFixture",
        progress_message = "Making model fixture %{label}",
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

model_fixture = rule(
    implementation = _model_fixture_impl,
    attrs = {
        "script": attr.label(default = "//tests/models:make_model.py", allow_single_file = True),
        "srcs": attr.label_list(allow_files = True),  # what the script imports
    },
    doc = "A folder of archives and expected data; the target's name is the model's name in make_model.py.",
)
