"""The contents of the package for C++."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//release:parts.bzl", "CXX_PARTS", "licences")
load("//release:sbom.bzl", "sbom")
load("//release:transition.bzl", "release_binary")
load("//release:version.bzl", "VERSION")
load("//release/pack:defs.bzl", "folder", "packed")
load(":library.bzl", "headers", "static_library")

_SYSTEMS = ["linux-aarch64", "linux-x86_64"]

# The sources that users compile: with a LibTorch of theirs, and of generated code.
_COMPILED = [
    "//rules/private:generated_code",
    "//runtime/sources/torch:without_libtorch",
    "//runtime/torch:without_libtorch",
    "//runtime/verify:without_libtorch",
]

def _folders():
    """The folders that are the same for all systems; returns target to place."""
    folder(
        name = "include",
        srcs = ["//onnxport:public_headers"],
        places = {"onnxport/": "onnxport/"},
        tags = ["manual"],
    )
    folder(
        name = "operators",
        srcs = ["//generated:rows", "//spec:aten", "//spec:domains", "//spec:lib", "//spec:schemas", "//templates"],
        places = {
            "generated/aten/": "rows/",
            "spec/": "spec/",
            "templates/": "templates/",
        },
        tags = ["manual"],
    )
    return {
        ":include": "include",
        ":operators": "share/onnxport",
    }

def _cmake_files(system):
    """Those of CMake and pkg-config; returns target to place."""
    files = {
        "cmake/exporter.cmake": "lib/cmake/onnxport/exporter.cmake",
        "cmake/torch.cmake": "lib/cmake/onnxport/torch.cmake",
        "cmake/verify/CMakeLists.txt": "share/onnxport/verify/CMakeLists.txt",
    }
    for template, folder in {
        "onnxport.pc": "lib/pkgconfig/",
        "onnxportConfig.cmake": "lib/cmake/onnxport/",
        "onnxportConfigVersion.cmake": "lib/cmake/onnxport/",
    }.items():
        out = "{}/{}".format(system, template)
        native.genrule(
            name = out + "_filled",
            srcs = ["cmake/" + template],
            outs = [out],
            cmd = "sed -e 's/@VERSION@/{}/' -e 's/@SYSTEM@/{}/' $< > $@".format(VERSION, system),
            tags = ["manual"],
        )
        files[out] = folder + template
    return files

def _sources(system, platform):
    """Declares the sources that users compile; returns the target."""
    headers(
        name = "headers-" + system,
        platform = platform,
        roots = ["runtime/", "../fmt_source/", "../xxhash_source/"],
        tags = ["manual"],
        deps = _COMPILED + ["@fmt", "@xxhash"],
    )
    folder(
        name = "sources-" + system,
        srcs = [
            ":headers-" + system,
            "//runtime/sources/torch:sources",
            "//runtime/torch:sources",
            "//runtime/verify:libtorch_sources",
            "//tools/schemas:print_schemas.cc",
            "//tools/schemas:registry.cc",
            "//tools/schemas:registry.h",
        ],
        places = {
            "../fmt_source/include/": "third_party/",
            "../xxhash_source/": "third_party/",
            "runtime/": "runtime/",
            "tools/": "tools/",
        },
        tags = ["manual"],
    )
    return ":sources-" + system

def _programs(system):
    """Declares the library and the programs; returns target to place."""
    platform = "//toolchain:" + system.replace("-", "_")
    static_library(
        name = "library-" + system,
        entry = ["//runtime/api", "//runtime/api/options", "//runtime/api/reports"],
        main = "//runtime/cli:main",
        platform = platform + "_gnu",
        tags = ["manual"],
        deps = _COMPILED + ["//:onnxport", "//:onnxport_c", "//runtime/cli:main"],
    )
    for archive in ["library", "main"]:
        native.filegroup(
            name = "{}_archive-{}".format(archive, system),
            srcs = [":library-" + system],
            output_group = archive,
            tags = ["manual"],
        )
    release_binary(
        name = "generator-" + system,
        binary = "//codegen",
        platform = platform,
        tags = ["manual"],
    )
    return {
        "//release:exporter-onnxruntime-" + system: "bin/exporter-onnxruntime",
        ":generator-" + system: "bin/onnxport-codegen",
        ":library_archive-" + system: "lib/libonnxport.a",
        ":main_archive-" + system: "lib/libonnxport_main.a",
        _sources(system, platform + "_gnu"): "share/onnxport/src",
    }

def cxx_packages():
    """Declares `package-SYSTEM` for each system."""
    folders = _folders()
    for system in _SYSTEMS:
        name = "onnxport-cxx-{}-{}".format(VERSION, system)
        sbom(
            name = "sbom-" + system,
            parts = CXX_PARTS,
            system = system,
            what = "onnxport-cxx",
        )
        documents = licences(CXX_PARTS) | {
            "//:LICENSE": "LICENSE",
            ":sbom-" + system: "sbom.spdx.json",
        }
        packed(
            name = "package-" + system,
            out = name + ".tar.gz",
            arguments = [name],
            files = folders | _cmake_files(system) | _programs(system) | {
                file: "share/doc/onnxport-cxx/" + name
                for file, name in documents.items()
            },
            tags = ["manual"],
            tool = "//release/pack:archive.py",
            visibility = ["//release:__pkg__"],
        )

# Values that the tests share.
_CMAKE = "@cmake_x86_64_source//:bin/cmake"
_PACKAGE = ":package-linux-x86_64"
_PROJECT = "//examples/cmake:CMakeLists.txt"

def _package_test(name, files):
    """A test of the package for this machine; `files`: its arguments."""
    sh_test(
        name = name,
        size = "large",
        srcs = [name + ".sh"],
        args = ["$(rootpath {})".format(file) for file in files],
        data = files + ["//examples/cmake:files", "@cmake_x86_64_source//:cmake"],
        tags = ["manual"],
    )

def cxx_tests():
    """Declares `package_test`, `torch_test` and `verify_test` (LibTorch), and `all_tests`."""
    _package_test("package_test", [
        _PACKAGE,
        _CMAKE,
        "//:exporter",
        _PROJECT,
        "//examples/mnist:mnist.pt2",
        "//examples/custom_op:foo.pt2",
        "//examples/custom_op:exporter",
    ])
    _package_test("torch_test", [
        _PACKAGE,
        _CMAKE,
        _PROJECT,
        "//examples/custom_op:custom_op_test.sh",
        "//examples/custom_op:foo.pt2",
        "//examples/custom_op:foo_from_pt2",
    ])
    _package_test("verify_test", [
        _PACKAGE,
        _CMAKE,
        "//release:archive-linux-x86_64",
        "//examples/mnist:mnist.pt2",
    ])
    native.test_suite(
        name = "all_tests",
        tags = ["manual"],
        tests = [":package_test", ":torch_test", ":verify_test"],
        visibility = ["//release:__pkg__"],
    )
