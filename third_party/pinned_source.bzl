"""The repository rule behind every pinned source: unpacks an archive of `sources.txt`, which tools/env/sources fetched.

Nothing is downloaded here: whoever builds from an archive that is not there gets an error that names the command.
"""

def _entry(rctx):
    """The line of the table about `source`, as struct(kind, place, folder, sha256)."""
    for line in rctx.read(rctx.attr._table).splitlines():
        words = [word for word in line.split(" ") if word]
        if words and words[0] == rctx.attr.source:
            return struct(kind = words[1], place = words[2], folder = words[3], sha256 = words[4])
    fail("sources.txt has no line about " + rctx.attr.source)

def _folder_of_archives(rctx):
    """Where tools/env/sources puts what it fetches."""
    given = rctx.os.environ.get("ONNXPORT_SOURCES")
    if given:
        return given
    cache = rctx.os.environ.get("XDG_CACHE_HOME") or rctx.os.environ.get("HOME", "") + "/.cache"
    return cache + "/onnxport/sources"

def _archive_type(entry):
    if entry.kind == "debian":
        return [type for type in ["deb", "tar.gz", "tar.xz"] if entry.place.endswith("." + type)][0]
    return {"browser": "tar.gz", "sdist": "tar.gz", "site": "zip", "tool": "zip", "web": "tar.gz", "wheel": "zip"}[entry.kind]

def unpack_source(rctx):
    """Unpacks the archive of the attribute `source` into the repository.

    Args:
      rctx: of a rule with SOURCE_ATTRS.

    Returns:
      None, or of an archive that is not there, in words, how to get it.
    """
    entry = _entry(rctx)
    archive = rctx.path("%s/%s-%s" % (_folder_of_archives(rctx), entry.sha256, rctx.attr.source))
    rctx.watch(archive)
    if not archive.exists:
        return "\nThe sources of %s are not here.\nlooked for:    %s\nto fetch them: tools/env/sources %s (`./bazelw` does that by itself for what is named: //release:exporter, //docs/site, //web:page)" % (
            rctx.attr.source,
            archive,
            rctx.attr.source,
        )
    type = _archive_type(entry)
    rctx.download_and_extract(
        url = "file://" + str(archive),
        sha256 = entry.sha256,
        stripPrefix = entry.folder if type != "deb" and entry.folder != "." else "",
        type = type,
    )
    if type == "deb":  # an archive of archives
        rctx.extract("data.tar.xz", stripPrefix = entry.folder)
        for part in ["control.tar.xz", "data.tar.xz", "debian-binary"]:
            rctx.delete(part)
    return None

def _pinned_source_impl(rctx):
    missing = unpack_source(rctx)

    # Some bring files for Bazel, with rules of their own.
    for name in ["BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"]:
        rctx.delete(name)
    if not missing:
        rctx.symlink(rctx.attr.build, "BUILD.bazel")
        return

    # Queries see the targets, as those of the ordinary build do that look at every arm of a select; building fails.
    rctx.file("BUILD.bazel", "\n".join([
        "load(%s, \"missing_source\")" % repr(str(Label("//third_party:missing_source.bzl"))),
        'package(default_visibility = ["//visibility:public"])',
    ] + [
        "missing_source(name = %s, message = %s)" % (repr(name), repr(missing))
        for name in rctx.attr.targets
    ]))

SOURCE_ATTRS = {
    "source": attr.string(mandatory = True, doc = "The name in sources.txt."),
    "_table": attr.label(default = "//third_party:sources.txt", allow_single_file = True),
}

pinned_source = repository_rule(
    implementation = _pinned_source_impl,
    doc = "A library built from pinned sources.",
    attrs = SOURCE_ATTRS | {
        "build": attr.label(mandatory = True, doc = "The BUILD file."),
        "targets": attr.string_list(mandatory = True, doc = "The targets of it that others name."),
    },
    environ = ["ONNXPORT_SOURCES", "XDG_CACHE_HOME"],
)
