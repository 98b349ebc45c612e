"""The rule that writes the pages."""

def _pages_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        executable = ctx.executable.tool,
        arguments = [folder.path],
        outputs = [folder],
        mnemonic = "Pages",
        progress_message = "Writing the manual page and the completions",
    )
    return [DefaultInfo(files = depset([folder]))]

pages = rule(
    implementation = _pages_impl,
    doc = "The folder that `tool` writes: the manual page and the completions.",
    attrs = {
        # For the target configuration: the tests of the command have compiled it, too, and nothing is compiled twice.
        "tool": attr.label(cfg = "target", executable = True, mandatory = True),
    },
)
