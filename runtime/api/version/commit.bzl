"""The commit that a build is of, as a header of C++."""

def _commit_header_impl(ctx):
    header = ctx.actions.declare_file(ctx.attr.out)

    # Without --stamp nothing depends on the status, so that a new commit makes nothing anew.
    status = [ctx.info_file] if ctx.attr.stamped else []
    ctx.actions.run(
        executable = ctx.executable._script,
        arguments = [header.path] + [file.path for file in status],
        inputs = status,
        outputs = [header],
        mnemonic = "Commit",
        progress_message = "Writing %{output}",
    )
    return [DefaultInfo(files = depset([header]))]

commit_header = rule(
    implementation = _commit_header_impl,
    doc = "The header `out` with `kCommit`: the key STABLE_ONNXPORT_COMMIT of the workspace's status (release/status), or nothing.",
    attrs = {
        "out": attr.string(mandatory = True),
        "stamped": attr.bool(doc = "Whether the commit is to be known.", mandatory = True),
        "_script": attr.label(
            allow_single_file = True,
            cfg = "exec",
            default = ":commit_header.sh",
            executable = True,
        ),
    },
)
