"""Turns the runtimes in spec/targets into C++."""

load("//toolchain:tools.bzl", "tool")

def _embedded_targets_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add(ctx.outputs.out)
    arguments.add_all(ctx.files.profiles)
    ctx.actions.run(
        executable = ctx.executable._embed_targets,
        arguments = [arguments],
        inputs = ctx.files.profiles,
        outputs = [ctx.outputs.out],
        mnemonic = "EmbedTargets",
        progress_message = "Embedding %{label}",
    )

# A rule and not a genrule: in the configuration of a genrule's tools all that reads specs would be compiled once more.
embedded_targets = rule(
    implementation = _embedded_targets_impl,
    doc = "Profiles of what runs models, as the tables of runtime/model/target/target.h.",
    attrs = {
        "out": attr.output(doc = "The C++ source.", mandatory = True),
        "profiles": attr.label_list(
            doc = "YAML files of spec/targets.",
            allow_files = [".yaml"],
            mandatory = True,
        ),
        "_embed_targets": attr.label(
            cfg = tool,
            default = "//codegen/targets:embed_targets",
            executable = True,
        ),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
