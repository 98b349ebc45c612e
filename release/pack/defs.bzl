"""The rules that put files into archives, packages and images."""

def _manifest(ctx):
    """A file with a line `NAME<tab>PATH` for each target, and what the targets are: a file or a folder each."""
    places = {target.files.to_list()[0]: name for target, name in ctx.attr.files.items()}
    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest")
    ctx.actions.write(manifest, "".join(["%s\t%s\n" % (name, file.path) for file, name in places.items()]))
    return manifest, places.keys()

def _packed_impl(ctx):
    manifest, inputs = _manifest(ctx)
    out = ctx.actions.declare_file(ctx.attr.out)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = ["-B", ctx.file.tool.path, manifest.path, out.path] + ctx.attr.arguments,
        inputs = inputs + [manifest] + ctx.files._library,
        outputs = [out],
        mnemonic = "Pack",
        progress_message = "Packing %{output}",
    )
    return [DefaultInfo(files = depset([out]))]

packed = rule(
    implementation = _packed_impl,
    doc = "`out`: what `tool` makes of the files. Its bytes follow from theirs.",
    attrs = {
        "arguments": attr.string_list(doc = "Of the tool, behind the manifest and the file to write."),
        "files": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Targets of one file or folder each, and where it stands. A folder stands with all that is in it.",
            mandatory = True,
        ),
        "out": attr.string(mandatory = True),
        "tool": attr.label(allow_single_file = [".py"], doc = "One of this package's.", mandatory = True),
        "_library": attr.label(default = ":library"),
    },
)

def _sums_impl(ctx):
    out = ctx.actions.declare_file(ctx.attr.out)
    ctx.actions.run_shell(
        command = 'out=$PWD/$1 && shift && for f; do (cd "${f%/*}" && sha256sum "${f##*/}"); done | sort -k2 > "$out"',
        arguments = [out.path] + [file.path for file in ctx.files.srcs],
        inputs = ctx.files.srcs,
        outputs = [out],
        mnemonic = "Sums",
    )
    return [DefaultInfo(files = depset([out]))]

sums = rule(
    implementation = _sums_impl,
    doc = "`out`: the SHA-256 of each file, as `sha256sum -c` reads it.",
    attrs = {
        "out": attr.string(mandatory = True),
        "srcs": attr.label_list(allow_files = True, mandatory = True),
    },
)
