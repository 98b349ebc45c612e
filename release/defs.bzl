"""Programs as they are released, what they are packed into, and what they must be."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//release/pack:defs.bzl", "packed", "sums")
load(":linked.bzl", "library_versions", "linked_sources")
load(":parts.bzl", "ARCHIVE_PARTS", "PARTS", "licences")
load(":sbom.bzl", "sbom")
load(":transition.bzl", "release_binary")
load(":version.bzl", "MAINTAINER", "VERSION")

# System to what readelf, qemu and Debian call its machine.
_SYSTEMS = {
    "linux_aarch64": ("AArch64", "qemu-aarch64-static", "arm64"),
    "linux_x86_64": ("Advanced Micro Devices X86-64", "qemu-x86_64-static", "amd64"),
}

# The kinds of packages for each system's exporter.
_KINDS = ["archive", "deb"]

def _name(kind, system):
    """`exporter`, `linux_x86_64` -> `exporter-linux-x86_64`"""
    return kind + "-" + system.replace("_", "-", 1)

def _program(program, platform, system, machine, kind):
    """Declares `PROGRAM-SYSTEM`, and `PROGRAM-SYSTEM_file_test`: that it is a file of that kind (file_test.sh)."""
    name = _name(program, system)
    release_binary(
        name = name,
        binary = "//:" + program,
        platform = "//toolchain:" + platform,
        tags = ["manual"],
    )
    sh_test(
        name = name + "_file_test",
        size = "small",
        srcs = ["file_test.sh"],
        args = ["$(rootpath :{})".format(name), "'{}'".format(machine), kind],
        data = [":" + name],
        tags = ["manual"],
    )
    return name + "_file_test"

def exporters_and_tests(models):
    """Declares `exporter-SYSTEM` and `exporter-onnxruntime-SYSTEM` for each system, and their tests with the suite `all_tests`.

    Args:
      models: targets with folders of archives, to be exported by the released and by the ordinary command.
    """
    tests = []
    for system, (machine, emulator, _) in _SYSTEMS.items():
        tests += [
            _program("exporter", system, system, machine, "static"),
            _program("exporter-onnxruntime", system + "_shared", system, machine, "glibc"),
        ]
        name = _name("exporter", system)
        sh_test(
            name = name + "_alone_test",
            size = "large",
            srcs = ["alone_test.sh"],
            args = [
                "$(rootpath :{})".format(name),
                "$(rootpath //:exporter)",
            ] + select({
                "@platforms//cpu:" + system.removeprefix("linux_"): ["-"],
                "//conditions:default": [emulator],
            }) + ["$(rootpaths {})".format(model) for model in models],
            data = [":" + name, "//:exporter"] + models,
            tags = ["manual"],
        )
        tests.append(name + "_alone_test")
    native.test_suite(
        name = "all_tests",
        tags = ["manual"],
        tests = tests + ["packages_test", "parts_test"],
    )

def _packed_of(system, architecture):
    """Declares what a system's exporter is packed into, and `all-SYSTEM`."""
    archive = _name("onnxport-" + VERSION, system)
    documents = {
        _name(":archive_sbom", system): "sbom.spdx.json",
        "//:CHANGELOG.md": "CHANGELOG.md",
        "//:LICENSE": "LICENSE",
        "//:README.md": "README.md",
    } | licences(ARCHIVE_PARTS)
    installed = {
        _name(":exporter", system): "bin/exporter",
        _name(":exporter-onnxruntime", system): "bin/exporter-onnxruntime",
        "//release/pages:share": "share",
    } | {file: "share/doc/onnxport/" + name for file, name in documents.items()}
    outs = {
        "archive": (archive + ".tar.gz", [archive]),
        "deb": ("onnxport_{}_{}.deb".format(VERSION, architecture), [VERSION, architecture, MAINTAINER]),
    }
    for kind in _KINDS:
        out, arguments = outs[kind]
        packed(
            name = _name(kind, system),
            out = out,
            arguments = arguments,
            files = installed,
            tags = ["manual"],
            tool = "//release/pack:%s.py" % kind,
        )
    native.filegroup(
        name = _name("all", system),
        srcs = [_name(kind, system) for kind in _KINDS],
        tags = ["manual"],
    )

def packages():
    """Declares `all-SYSTEM`, the archive and Debian package of each system, and `all`: with the image, the page of operators, the packages for C++ and JavaScript, the wheels and the sums."""
    library_versions(
        name = "library_versions",
        tags = ["manual"],
        toolchain = "@zig_x86_64//:linux_x86_64",
    )
    for system, (_, _, architecture) in _SYSTEMS.items():
        sbom(
            name = _name("sbom", system),
            parts = PARTS,
            system = system.replace("_", "-", 1),
            visibility = ["//release:__subpackages__"],
            what = "onnxport",
        )
        sbom(
            name = _name("archive_sbom", system),
            parts = ARCHIVE_PARTS,
            system = system.replace("_", "-", 1),
            what = "onnxport-archive",
        )
        _packed_of(system, architecture)
    packed(
        name = "image",
        out = "onnxport-%s.oci.tar" % VERSION,
        arguments = [VERSION],
        files = {
            _name(":exporter", system): architecture + "/exporter"
            for system, (_, _, architecture) in _SYSTEMS.items()
        } | {file: "all/" + name for file, name in licences(PARTS).items()},
        tags = ["manual"],
        tool = "//release/pack:image.py",
    )
    native.genrule(
        name = "operators_page",
        srcs = ["//docs/page:operators_html"],
        outs = ["onnxport-%s-operators.html" % VERSION],
        cmd = "cp $< $@",
        tags = ["manual"],
    )
    files = [_name("all", system) for system in _SYSTEMS] + ["image", "operators_page", "//web:npm"] + [
        _name(package, system)
        for package in ["//release/cxx:package", "//release/wheel:wheel"]
        for system in _SYSTEMS
    ]
    sums(
        name = "sums",
        srcs = files,
        out = "SHA256SUMS",
        tags = ["manual"],
    )
    native.filegroup(
        name = "all",
        srcs = files + ["sums"],
        tags = ["manual"],
    )
    sh_test(
        name = "version_test",
        size = "small",
        srcs = ["version_test.sh"],
        args = ["$(rootpath //onnxport:version.h)", "$(rootpath //:MODULE.bazel)", VERSION],
        data = ["//:MODULE.bazel", "//onnxport:version.h"],
    )

    # The toolchain links the compiler's own libraries, and no target does.
    linked_sources(
        name = "linked",
        programs = [_name(":exporter", "linux_x86_64"), _name(":exporter-onnxruntime", "linux_x86_64")],
        tags = ["manual"],
    )
    sh_test(
        name = "parts_test",
        size = "small",
        srcs = ["parts_test.sh"],
        args = [
            "$(rootpath //third_party:sources.txt)",
            "$(rootpath //tools:env/onnx_source.txt)",
            "$(rootpath :linked)",
        ] + [source for source, _, _ in ARCHIVE_PARTS.values() if not source.startswith("zig_")],
        data = [
            ":linked",
            "//third_party:sources.txt",
            "//tools:env/onnx_source.txt",
        ],
        tags = ["manual"],
    )

    # It runs what it unpacks.
    of_this_machine = [_name(":" + kind, "linux_x86_64") for kind in _KINDS] + [":image", "//examples/mnist:mnist.pt2"]
    sh_test(
        name = "packages_test",
        size = "large",
        srcs = ["packages_test.sh"],
        args = select({
            "//runtime/api/version:stamped": ["'commit [0-9a-f]{12}.*, '"],
            "//conditions:default": ["''"],
        }) + ["$(rootpath %s)" % label for label in of_this_machine] + ["$(rootpaths :all)"],
        data = of_this_machine + [":all"],
        tags = ["manual"],
    )
