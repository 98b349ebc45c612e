"""The repository rule behind every pinned source: unpacks an archive of `sources.txt`, which tools/env/sources fetched.

Nothing is downloaded here: an archive that is not there is an error that names the command.
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
        return "tar.xz" if entry.place.endswith(".xz") else "tar.gz"
    return {"sdist": "tar.gz", "wheel": "zip"}[entry.kind]

def unpack_source(rctx):
    """Unpacks the archive of the attribute `source` into the repository.

    Args:
      rctx: of a rule with SOURCE_ATTRS.
    """
    entry = _entry(rctx)
    archive = rctx.path("%s/%s-%s" % (_folder_of_archives(rctx), entry.sha256, rctx.attr.source))
    if not archive.exists:
        fail("\nThe sources of %s are not here.\nlooked for:    %s\nto fetch them: tools/env/sources (`./bazelw build --config=release` does that by itself)" %
             (rctx.attr.source, archive))
    rctx.download_and_extract(
        url = "file://" + str(archive),
        sha256 = entry.sha256,
        stripPrefix = entry.folder,
        type = _archive_type(entry),
    )

def _pinned_source_impl(rctx):
    unpack_source(rctx)

    # Some bring files for Bazel, with rules of their own.
    for name in ["BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"]:
        rctx.delete(name)
    rctx.symlink(rctx.attr.build, "BUILD.bazel")

SOURCE_ATTRS = {
    "source": attr.string(mandatory = True, doc = "The name in sources.txt."),
    "_table": attr.label(default = "//third_party:sources.txt", allow_single_file = True),
}

pinned_source = repository_rule(
    implementation = _pinned_source_impl,
    doc = "A library built from pinned sources.",
    attrs = SOURCE_ATTRS | {
        "build": attr.label(mandatory = True, doc = "The BUILD file."),
    },
    environ = ["ONNXPORT_SOURCES", "XDG_CACHE_HOME"],
)
