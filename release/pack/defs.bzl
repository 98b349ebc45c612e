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

def _place(file, places):
    """Where the file stands in a folder: its path, with what it begins with replaced."""
    for begin, place in places.items():
        if file.short_path.startswith(begin):
            return place + file.short_path[len(begin):]
    fail("{} begins with none of {}".format(file.short_path, places.keys()))

def _folder_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    manifest = ctx.actions.declare_file(ctx.label.name + ".manifest")
    lines = ["%s\t%s" % (_place(file, ctx.attr.places), file.path) for file in ctx.files.srcs]
    ctx.actions.write(manifest, "\n".join(lines) + "\n")
    ctx.actions.run_shell(
        command = 'while IFS=$\'\\t\' read -r place path; do mkdir -p "$2/$(dirname "$place")" && cp -L "$path" "$2/$place"; done < "$1"',
        arguments = [manifest.path, out.path],
        inputs = ctx.files.srcs + [manifest],
        outputs = [out],
        mnemonic = "Folder",
    )
    return [DefaultInfo(files = depset([out]))]

folder = rule(
    implementation = _folder_impl,
    doc = "A folder with copies of files.",
    attrs = {
        "places": attr.string_dict(
            doc = "What paths of files begin with (`../` and its name for a repository), and what they begin with in the folder.",
            mandatory = True,
        ),
        "srcs": attr.label_list(allow_files = True, mandatory = True),
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
