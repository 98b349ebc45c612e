"""The npm package, and its tests."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//release:linked.bzl", "linked_sources")
load("//release:parts.bzl", "WASM_PARTS", "licences")
load("//release:sbom.bzl", "sbom")
load("//release:version.bzl", "VERSION")
load("//release/pack:defs.bzl", "packed")

# What a user's program loads.
_MODULES = [
    "browser.mjs",
    "browser_files.mjs",
    "browser_worker.mjs",
    "bytes_file.mjs",
    "exporter.d.ts",
    "library.mjs",
    "node.mjs",
    "node_files.mjs",
    "node_worker.mjs",
    "program.mjs",
    "wasi.mjs",
]

def npm_package(name, visibility):
    """Declares `NAME`, the npm package as `npm pack` writes one.

    Args:
      name: of the target.
      visibility: of the target.
    """
    native.genrule(
        name = name + "_package_json",
        srcs = ["package.json.in"],
        outs = ["package.json"],
        cmd = 'sed "s/VERSION/%s/" $< > $@' % VERSION,
        tags = ["manual"],
    )
    sbom(
        name = name + "_sbom",
        parts = WASM_PARTS,
        system = "wasm32",
        what = "onnxport-npm",
    )
    packed(
        name = name,
        out = "onnxport-%s.tgz" % VERSION,
        arguments = ["package"],
        files = {file: file for file in _MODULES} | {
            ":README.md": "README.md",
            ":exporter_wasm": "exporter.wasm",
            ":%s_package_json" % name: "package.json",
            ":%s_sbom" % name: "sbom.spdx.json",
            "//:LICENSE": "LICENSE",
        } | licences(WASM_PARTS),
        tags = ["manual"],
        tool = "//release/pack:archive.py",
        visibility = visibility,
    )

def page(name):
    """Declares `NAME`, the page as files for a server of static files.

    Args:
      name: of the target.
    """
    packed(
        name = name,
        out = "onnxport-page-%s.tar.gz" % VERSION,
        arguments = ["onnxport-page"],
        files = {"page/" + file: file for file in ["index.html", "page.css", "page.mjs"]} |
                {file: "onnxport/" + file for file in _MODULES} | {
            ":exporter_wasm": "onnxport/exporter.wasm",
            "//:LICENSE": "LICENSE",
        } | licences(WASM_PARTS),
        tags = ["manual"],
        tool = "//release/pack:archive.py",
    )

_MNIST = "//examples/mnist:mnist.pt2"
_NODE = "@nodejs_x86_64_source//:node"

def _node_test(name, files, models = []):
    """The test `NAME.sh`, which gets the paths of files and of the models' files, and calls Node.js with some of them."""
    sh_test(
        name = name,
        size = "large",
        srcs = [name + ".sh"],
        args = ["$(rootpath %s)" % file for file in files] + ["$(rootpaths %s)" % model for model in models],
        data = files + models,
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )

def tests(package, page, models):
    """Declares tests of the package and of the page, and the suite `all_tests`.

    Args:
      package: the target of npm_package.
      page: the target of `page`.
      models: targets with folders of archives, to be exported by the package and by the ordinary command.
    """
    _node_test(
        "package_test",
        [package, _NODE, "web_test.mjs", "browser_test.mjs", "//docs:c.md", "//:exporter", _MNIST],
        models,
    )
    _node_test(
        "page_test",
        [page, _NODE, "page_test.mjs", "//:exporter", _MNIST],
    )
    linked_sources(
        name = "linked",
        programs = [":exporter_wasm"],
        tags = ["manual"],
    )
    sh_test(
        name = "parts_test",
        size = "small",
        srcs = ["//release:parts_test.sh"],
        args = [
            "$(rootpath //third_party:sources.txt)",
            "$(rootpath //tools:env/onnx_source.txt)",
            "$(rootpath :linked)",
        ] + [source for source, _, _ in WASM_PARTS.values() if not source.startswith("zig_")],
        data = [
            ":linked",
            "//third_party:sources.txt",
            "//tools:env/onnx_source.txt",
        ],
        tags = ["manual"],
    )
    native.test_suite(
        name = "all_tests",
        tags = ["manual"],
        tests = ["package_test", "page_test", "parts_test"],
    )
