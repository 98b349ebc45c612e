"""The npm package, the page, and tests of the former (of the latter: //web/browser)."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//release:linked.bzl", "linked_sources")
load("//release:parts.bzl", "PAGE_PARTS", "WASM_PARTS", "licences")
load("//release:sbom.bzl", "sbom")
load("//release:version.bzl", "VERSION")
load("//release/pack:defs.bzl", "packed")

# The modules that a user's program loads.
_MODULES = [
    "browser.mjs",
    "browser_files.mjs",
    "browser_worker.mjs",
    "bytes_file.mjs",
    "exporter.d.ts",
    "library.mjs",
    "memory_access.mjs",
    "node.mjs",
    "node_files.mjs",
    "node_worker.mjs",
    "options.d.ts",
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

# The files of the page, beside the exporter's modules.
_PAGE = [
    "array_files.mjs",
    "axes.mjs",
    "element_types.mjs",
    "elements.mjs",
    "fields.mjs",
    "index.html",
    "input_lines.mjs",
    "messages.mjs",
    "npy.mjs",
    "npz.mjs",
    "outputs.mjs",
    "page.css",
    "page.mjs",
    "run.mjs",
    "runner.mjs",
    "tensor_proto.mjs",
    "tensors.mjs",
]

# The programs that run models in the page, on the processor and on a GPU; each is loaded when it is needed.
_RUNTIME = [
    "ort-wasm-simd-threaded.asyncify.mjs",
    "ort-wasm-simd-threaded.asyncify.wasm",
    "ort-wasm-simd-threaded.mjs",
    "ort-wasm-simd-threaded.wasm",
    "ort.wasm.min.mjs",
    "ort.webgpu.min.mjs",
]

def page(name, visibility):
    """Declares `NAME`, the page as files for a server of static files.

    Args:
      name: of the target.
      visibility: of the target.
    """
    modules = [file for file in _MODULES if file.endswith(".mjs") and not file.startswith("node")]
    kept = {"page/" + file: file for file in _PAGE} | {file: "onnxport/" + file for file in modules} | {
        ":exporter_wasm": "onnxport/exporter.wasm",
    }
    sbom(
        name = name + "_sbom",
        parts = PAGE_PARTS,
        system = "wasm32",
        what = "onnxport-page",
    )
    runtime = {"@onnxruntime_web_source//:" + file: "onnxruntime/" + file for file in _RUNTIME}
    service_worker = "page/service_worker.js"
    native.genrule(
        name = name + "_service_worker",
        srcs = [service_worker] + kept.keys() + runtime.keys(),
        outs = ["service_worker.js"],
        cmd = "sed -e \"s|REVISION|$$(cat $(SRCS) | sha256sum | cut -c1-16)|\" -e 's|FILES_OF_THE_PAGE|%s|' $(location %s) > $@" % (
            ", ".join(['"%s"' % file for file in ["./"] + sorted(kept.values())]),
            service_worker,
        ),
        tags = ["manual"],
    )
    packed(
        name = name,
        out = "onnxport-page-%s.tar.gz" % VERSION,
        arguments = ["onnxport-page"],
        files = kept | runtime | {
            ":%s_sbom" % name: "sbom.spdx.json",
            ":%s_service_worker" % name: "service_worker.js",
            "//:LICENSE": "LICENSE",
        } | licences(PAGE_PARTS),
        tags = ["manual"],
        tool = "//release/pack:archive.py",
        visibility = visibility,
    )

# Pages with JavaScript.
_DOCUMENTS = ["README.md", "//:README.md", "//docs:web.md"]
_MNIST = "//examples/mnist:mnist.pt2"
_NODE = "@nodejs_x86_64_source//:node"

def tests(package, models):
    """Declares tests of the package, and the suite `all_tests`.

    Args:
      package: the target of npm_package.
      models: targets with folders of archives, to be exported by the package and by the ordinary command.
    """
    files = [package, _NODE, "web_test.mjs", "browser_test.mjs", "//:exporter", _MNIST]
    sh_test(
        name = "package_test",
        size = "large",
        srcs = ["package_test.sh"],
        args = ["$(rootpath %s)" % file for file in files] + ["$(rootpaths %s)" % model for model in models],
        data = files + models,
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )
    blocks = [package, _NODE, "blocks_test.mjs", "//:exporter", "//web/browser:models"] + _DOCUMENTS
    sh_test(
        name = "blocks_test",
        size = "medium",
        srcs = ["blocks_test.sh"],
        args = ["$(rootpath %s)" % file for file in blocks],
        data = blocks + ["blocks.mjs"],
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
    )
    sh_test(
        name = "modules_test",
        size = "small",
        srcs = ["modules_test.sh"],
        args = ["$(rootpath %s)" % _NODE, "$(rootpath page/modules_test.mjs)"],
        data = [_NODE, "page/modules_test.mjs"] + ["page/" + file for file in _PAGE if file.endswith(".mjs")],
        tags = ["manual"],
        target_compatible_with = ["@platforms//cpu:x86_64"],
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
        tests = ["blocks_test", "modules_test", "package_test", "parts_test"],
    )
