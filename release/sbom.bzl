"""The bill of materials of what is released."""

load(":version.bzl", "VERSION")

def sbom(name, what, system, parts, visibility = None):
    """Declares `NAME.spdx.json`: what a file consists of, as SPDX 2.3.

    Args:
      name: of the target.
      what: that the bill is about, as the files are called without their version: `onnxport`.
      system: that it is for, as `linux-x86_64`.
      parts: as in parts.bzl.
      visibility: of the target.
    """
    rows = ["%s %s %s" % (part, source, licence) for part, (source, licence, _) in parts.items()]
    native.genrule(
        name = name,
        srcs = [
            "//third_party:sources.txt",
            "//release/pack:sbom.py",
            "//release/pack:library",
            "//release:library_versions",
        ],
        outs = [name + ".spdx.json"],
        cmd = "printf '%s\\n' {rows} > $(RULEDIR)/{name}.parts && python3 -B $(execpath //release/pack:sbom.py) ".format(
            name = name,
            rows = " ".join(["'%s'" % row for row in rows]),
        ) + "$(execpath //third_party:sources.txt) $(RULEDIR)/{}.parts $@ {} {} {} $(execpaths //release:library_versions)".format(name, what, VERSION, system),
        tags = ["manual"],
        visibility = visibility,
    )
