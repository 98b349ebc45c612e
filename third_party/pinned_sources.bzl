"""The repositories of pinned sources: what the libraries of the machine give way to when a release is built.

`@fmt//:fmt` and the like are aliases (installed_library.bzl): for a platform of `//toolchain` they are these.
"""

load("//toolchain:zig_repository.bzl", "zig_repository")
load(":pinned_source.bzl", "pinned_source")

# Wheels: what audits those of ours, and what makes the site (docs/site).
_PYTHON = [
    "auditwheel",
    "click",
    "deepmerge",
    "jinja2",
    "markdown",
    "packaging",
    "pathspec",
    "pyelftools",
    "pygments",
    "pymdown_extensions",
    "tomli",
    "zensical_x86_64",
]

# Repository to what the rule gets; the name without `_source` is that of sources.txt and, of a
# library of `libraries.bzl`, its name there.
_SOURCES = {
    "axe_core_source": dict(
        build = Label("//third_party/sources:axe_core.BUILD.bazel"),
        targets = ["axe"],
    ),
    "chromium_x86_64_source": dict(
        build = Label("//third_party/sources:chromium.BUILD.bazel"),
        targets = ["packed"],
    ),
    "cli11_source": dict(
        build = Label("//third_party/sources:cli11.BUILD.bazel"),
        targets = ["cli11"],
    ),
    "cmake_x86_64_source": dict(
        build = Label("//third_party/sources:cmake.BUILD.bazel"),
        targets = ["cmake"],
    ),
    "fmt_source": dict(
        build = Label("//third_party/sources:fmt.BUILD.bazel"),
        targets = ["fmt"],
    ),
    "libdeflate_source": dict(
        build = Label("//third_party/sources:libdeflate.BUILD.bazel"),
        targets = ["libdeflate"],
    ),
    "libonnx_source": dict(
        build = Label("//third_party:onnx_source.BUILD.bazel"),
        targets = ["onnx", "operator_sets"],
    ),
    "libstdcxx_aarch64_source": dict(
        build = Label("//third_party/sources:libstdcxx.BUILD.bazel"),
        targets = ["headers"],
    ),
    "libstdcxx_x86_64_source": dict(
        build = Label("//third_party/sources:libstdcxx.BUILD.bazel"),
        targets = ["headers"],
    ),
    "mimalloc_source": dict(
        build = Label("//third_party/sources:mimalloc.BUILD.bazel"),
        targets = ["mimalloc"],
    ),
    "netron_source": dict(
        build = Label("//third_party/sources:netron.BUILD.bazel"),
        targets = ["index", "page"],
    ),
    "nlohmann_json_source": dict(
        build = Label("//third_party/sources:nlohmann_json.BUILD.bazel"),
        targets = ["json"],
    ),
    "nodejs_x86_64_source": dict(
        build = Label("//third_party/sources:nodejs.BUILD.bazel"),
        targets = ["node"],
    ),
    "onnxruntime_source": dict(
        build = Label("//third_party/sources:onnxruntime.BUILD.bazel"),
        targets = ["loaded"],
    ),
    "onnxruntime_web_source": dict(
        build = Label("//third_party/sources:onnxruntime_web.BUILD.bazel"),
        targets = [
            "ort-wasm-simd-threaded.asyncify.mjs",
            "ort-wasm-simd-threaded.asyncify.wasm",
            "ort-wasm-simd-threaded.mjs",
            "ort-wasm-simd-threaded.wasm",
            "ort.wasm.min.mjs",
            "ort.webgpu.min.mjs",
        ],
    ),
    "protobuf_source": dict(
        build = Label("//third_party/sources:protobuf.BUILD.bazel"),
        targets = ["protobuf", "protoc"],
    ),
    "rapidjson_source": dict(
        build = Label("//third_party/sources:rapidjson.BUILD.bazel"),
        targets = ["rapidjson"],
    ),
    "xxhash_source": dict(
        build = Label("//third_party/sources:xxhash.BUILD.bazel"),
        targets = ["xxhash"],
    ),
    "yaml_cpp_source": dict(
        build = Label("//third_party/sources:yaml_cpp.BUILD.bazel"),
        targets = ["yaml-cpp"],
    ),
} | {
    name + "_source": dict(
        build = Label("//third_party/sources:python_tool.BUILD.bazel"),
        targets = ["files", "root"],
    )
    for name in _PYTHON
}

def _declare(rule, **kwargs):
    rule(**kwargs)

def pinned_sources(declare = _declare):
    """Declares them. Nothing is unpacked before a build asks for it.

    Args:
      declare: called with a rule and its attributes.
    """
    for name, source in _SOURCES.items():
        declare(pinned_source, name = name, source = name.removesuffix("_source"), **source)
    for name in ["zig_aarch64", "zig_x86_64"]:
        declare(zig_repository, name = name, source = name)
