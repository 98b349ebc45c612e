"""The rule behind //docs/site."""

def _site_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    roots = [file.dirname for file in ctx.files.roots]
    args = ctx.actions.args()
    args.add(folder.path)
    args.add(ctx.file.config)
    args.add(":".join(roots))
    args.add_all(ctx.files.assets)
    args.add("--")
    args.add_all(ctx.files.pages)
    ctx.actions.run(
        executable = ctx.executable._build,
        arguments = [args],
        inputs = ctx.files.assets + ctx.files.generator + ctx.files.modules + ctx.files.pages + ctx.files.roots + [ctx.file.config],
        mnemonic = "Site",
        outputs = [folder],
        progress_message = "Making the site",
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder]))]

site = rule(
    implementation = _site_impl,
    doc = "A folder of HTML, made of files of the repository.",
    attrs = {
        "assets": attr.label_list(allow_files = True, doc = "Scripts and styles that the configuration names."),
        "config": attr.label(allow_single_file = [".toml"], doc = "Of the generator.", mandatory = True),
        "generator": attr.label_list(doc = "The files of its wheels.", mandatory = True),
        "modules": attr.label(doc = "What makes pages of the repository's files: docs.site.stage.", mandatory = True),
        "pages": attr.label(doc = "The files that become pages.", mandatory = True),
        "roots": attr.label_list(allow_files = True, doc = "Of each wheel the file beside which its modules are.", mandatory = True),
        "_build": attr.label(cfg = "exec", default = ":build", executable = True),
    },
)
