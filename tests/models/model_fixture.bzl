"""Folders of archives and expected data that a script such as make_model.py writes, made when needed and then cached."""

_FoldersInfo = provider(
    doc = "What one run of a script made.",
    fields = {"of": "model name to its folder"},
)

def _run(ctx, models):
    """One run of the script for several models; each gets a folder of its name."""
    folders = {model: ctx.actions.declare_directory(model) for model in models}
    arguments = ctx.actions.args()
    arguments.add("-B")
    arguments.add(ctx.file.script)
    for model, folder in folders.items():
        arguments.add(model)
        arguments.add(folder.path)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = [arguments],
        inputs = [ctx.file.script] + ctx.files.srcs + ctx.files.packages,
        outputs = folders.values(),
        env = {
            # The same bytes every time, and one core for one action.
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": ":".join([package.label.workspace_root + "/site" for package in ctx.attr.packages]),
        },
        mnemonic = "ModelFixture",
        progress_message = "Making model fixture %{label}",
    )
    return folders

_ATTRS = {
    "packages": attr.label_list(doc = "Of third_party/given_python.bzl."),
    "script": attr.label(default = "//tests/models:make/make_model.py", allow_single_file = True),
    "srcs": attr.label_list(allow_files = True),  # what the script imports
}

def _model_fixture_impl(ctx):
    folder = _run(ctx, [ctx.label.name])[ctx.label.name]
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

model_fixture = rule(
    implementation = _model_fixture_impl,
    attrs = _ATTRS,
    doc = "A folder of archives and expected data; the target's name is the model's name in the script.",
)

def _several_impl(ctx):
    return [_FoldersInfo(of = _run(ctx, ctx.attr.models))]

_several = rule(
    implementation = _several_impl,
    attrs = _ATTRS | {"models": attr.string_list(mandatory = True)},
)

def _one_of_impl(ctx):
    folder = ctx.attr.several[_FoldersInfo].of[ctx.label.name]
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

_one_of = rule(
    implementation = _one_of_impl,
    attrs = {"several": attr.label(mandatory = True, providers = [_FoldersInfo])},
)

def model_fixtures(name, models, **kwargs):
    """Declares model_fixture(name = MODEL) for each model, made by one run: most of a run is the import of PyTorch.

    Args:
      name: of the run.
      models: names of models. The script takes `MODEL FOLDER` for each of them.
      **kwargs: as of model_fixture.
    """
    _several(name = name, models = models, **kwargs)
    for model in models:
        _one_of(name = model, several = name)
