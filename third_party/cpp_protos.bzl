"""cpp_protos: C++ of .proto files, by the protoc of the library that it is compiled against."""

load("//toolchain:tools.bzl", "tool")

def _cpp_protos_impl(ctx):
    outputs = [
        ctx.actions.declare_file("{}/{}{}".format(ctx.attr.folder, proto.basename[:-len("proto")], suffix))
        for proto in ctx.files.protos
        for suffix in ["pb.cc", "pb.h"]
    ]
    root = ctx.files.protos[0].dirname[:-len(ctx.attr.folder)].rstrip("/")
    args = ctx.actions.args()
    args.add("-I", root or ".")
    args.add(outputs[0].dirname[:-len(ctx.attr.folder)].rstrip("/"), format = "--cpp_out=%s")
    args.add_all(ctx.files.protos)
    ctx.actions.run(
        executable = ctx.executable.protoc,
        arguments = [args],
        inputs = ctx.files.protos,
        outputs = outputs,
        mnemonic = "CppProtos",
        progress_message = "Compiling .proto files of %{label}",
    )
    return [DefaultInfo(files = depset(outputs))]

cpp_protos = rule(
    implementation = _cpp_protos_impl,
    doc = "`X.pb.cc` and `X.pb.h` of each `X.proto`, beside it.",
    attrs = {
        "folder": attr.string(mandatory = True, doc = "Where the files lie in their repository; they are included by it."),
        "protos": attr.label_list(mandatory = True, allow_files = [".proto"], doc = "All in `folder`."),
        "protoc": attr.label(
            default = "@protobuf//:protoc",
            allow_files = True,
            cfg = tool,
            executable = True,
        ),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
