"""The contents of the wheels."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//release:parts.bzl", "PARTS", "licences")
load("//release:transition.bzl", "release_library")
load("//release:version.bzl", "VERSION")
load("//release/pack:defs.bzl", "folder", "packed")

_MACHINES = ["aarch64", "x86_64"]

# The glibc of the platforms `_shared`, and what the tag was called when pip knew no numbers.
_TAGS = ["manylinux2014_", "manylinux_2_17_"]

_INFO = "onnxport-{}.dist-info/".format(VERSION)
_SCRIPTS = "onnxport-{}.data/scripts/".format(VERSION)

def wheels():
    """Declares `wheel-linux-MACHINE` for each machine: Python modules, the library that they call, and the command."""
    folder(
        name = "modules",
        srcs = ["//python:modules"],
        places = {"python/onnxport/": ""},
        tags = ["manual"],
    )
    shared = {
        ":modules": "onnxport",
        "scripts/exporter-verify": _SCRIPTS + "exporter-verify",
        "scripts/onnxport": _SCRIPTS + "onnxport",
        "//python:README.md": "README.md",
        "//:LICENSE": _INFO + "licenses/LICENSE",
    } | {file: _INFO + "licenses/" + name for file, name in licences(PARTS).items()}
    for machine in _MACHINES:
        system = "linux-" + machine
        release_library(
            name = "library-" + system,
            library = "//python:onnxport/libonnxport.so",
            platform = "//toolchain:linux_{}_shared".format(machine),
            tags = ["manual"],
        )
        packed(
            name = "wheel-" + system,
            out = "onnxport-{}-py3-none-{}.whl".format(VERSION, ".".join([tag + machine for tag in _TAGS])),
            arguments = [VERSION] + ["py3-none-" + tag + machine for tag in _TAGS],
            files = shared | {
                ":library-" + system: "onnxport/libonnxport.so",
                "//release:exporter-" + system: _SCRIPTS + "exporter",
                "//release:sbom-" + system: _INFO + "sboms/onnxport.spdx.json",
            },
            tags = ["manual"],
            tool = "//release/pack:wheel.py",
            visibility = ["//release:__pkg__"],
        )

# The wheels that auditwheel consists of, each a folder of modules.
_AUDITWHEEL = ["auditwheel", "packaging", "pyelftools"]

def wheel_tests():
    """Declares `audit_test-SYSTEM` for each system, `wheel_test` for that of this machine, and `all_tests`."""
    tests = [":wheel_test"]
    for machine in _MACHINES:
        name = "audit_test-linux-" + machine
        roots = ["@{}_source//:root".format(tool) for tool in _AUDITWHEEL]
        wheel = ":wheel-linux-" + machine
        sh_test(
            name = name,
            size = "small",
            srcs = ["audit_test.sh"],
            args = ["$(rootpath {})".format(label) for label in [wheel] + roots],
            data = [wheel] + roots + ["@{}_source//:files".format(tool) for tool in _AUDITWHEEL],
            tags = ["manual"],
        )
        tests.append(":" + name)
    arguments = [
        ":wheel-linux-x86_64",
        "//:exporter",
        "//examples/mnist:mnist.pt2",
    ]
    sh_test(
        name = "wheel_test",
        size = "large",
        srcs = ["wheel_test.sh"],
        args = ["$(rootpath {})".format(label) for label in arguments],
        data = arguments + ["try_wheel", "//python:tests"],
        tags = ["manual"],
    )
    native.test_suite(
        name = "all_tests",
        tags = ["manual"],
        tests = tests,
        visibility = ["//release:__pkg__"],
    )
