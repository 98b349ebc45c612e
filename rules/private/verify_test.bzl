"""onnx_verify_test: a model beside the program it was made of."""

load(":model.bzl", "OnnxModelInfo")
load(":toolchain.bzl", "VERIFY_TYPE")

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _onnx_verify_test_impl(ctx):
    toolchain = ctx.toolchains[VERIFY_TYPE]
    if toolchain.missing:
        fail("onnx_verify_test {}: {}".format(ctx.label, toolchain.missing))
    verify = toolchain.exporter_verify
    model = ctx.attr.model[OnnxModelInfo]
    onnx = model.file.short_path + ("/" + model.name if model.name else "")

    # A value that the model was made for is no input of it, and PyTorch needs it.
    fixed = [text for text in model.inputs if "[" not in text]
    words = [verify.executable.short_path, onnx, "--against", model.archive.short_path]
    words += [word for text in fixed for word in ["--input", text]] + ctx.attr.flags
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        script,
        "#!/bin/sh\nexec {}\n".format(" ".join([_quoted(word) for word in words])),
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = [model.file, model.archive, verify.executable])
    return [DefaultInfo(executable = script, runfiles = runfiles.merge(toolchain.runfiles) if toolchain.runfiles else runfiles)]

onnx_verify_test = rule(
    implementation = _onnx_verify_test_impl,
    doc = """A test that runs a model in ONNX Runtime and the program it was made of in LibTorch, and compares.

It needs LibTorch and ONNX Runtime, and a program that a release of onnxport does not have (see "Where the exporter comes from").""",
    attrs = {
        "flags": attr.string_list(
            doc = "Flags of `exporter verify`: `--sizes=batch=1,7`, `--range=ids=0,30521`, `--rtol=1e-4`.",
        ),
        "model": attr.label(
            doc = "A target of `onnx_model`.",
            mandatory = True,
            providers = [OnnxModelInfo],
        ),
    },
    test = True,
    toolchains = [VERIFY_TYPE],
)
