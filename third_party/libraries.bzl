"""The table of libraries that come from the machine, one repository each, with a target per entry of `targets`.

How each one is found is said in `installed_library.bzl`.
"""

_LIBTORCH = dict(
    title = "LibTorch",
    package = "libtorch-dev",
    probe = "torch/script.h",
    include_dirs = ["include", "include/torch/csrc/api/include"],
    python_package = "torch",
    # The Python package has the headers of fmt and protobuf beside its own, of other versions than ours.
    header_folders = ["ATen", "c10", "caffe2", "torch"],
    # Without libtorch: an empty library which, of a build with CUDA, asks for all of CUDA.
    targets = {"torch": ["torch_cpu", "c10"]},
)

# name: what the repository rule gets. `targets` maps a target to the libraries it links, in link order.
LIBRARIES = {
    "benchmark": dict(
        title = "Google Benchmark",
        package = "libbenchmark-dev",
        variable = "BENCHMARK_ROOT",
        probe = "benchmark/benchmark.h",
        targets = {"benchmark": ["benchmark"]},
    ),
    "cli11": dict(
        title = "CLI11",
        package = "libcli11-dev",
        variable = "CLI11_ROOT",
        pinned = "cli11_source",
        probe = "CLI/CLI.hpp",
        targets = {"cli11": []},
    ),
    "fmt": dict(
        title = "fmt",
        package = "libfmt-dev",
        variable = "FMT_ROOT",
        pinned = "fmt_source",
        probe = "fmt/core.h",
        code = Label("//third_party:fmt.cc"),
        targets = {"fmt": ["fmt"]},
    ),
    "googletest": dict(
        title = "GoogleTest",
        package = "libgtest-dev libgmock-dev",
        variable = "GOOGLETEST_ROOT",
        probe = "gtest/gtest.h",
        header_folders = ["gmock", "gtest"],
        targets = {
            "gmock": ["gmock"],
            "gtest": ["gtest"],
            "gtest_main": ["gtest_main"],
        },
        target_deps = {
            "gmock": [":gtest"],
            "gtest_main": [":gtest"],
        },
    ),
    "libdeflate": dict(
        title = "libdeflate",
        package = "libdeflate-dev",
        variable = "LIBDEFLATE_ROOT",
        pinned = "libdeflate_source",
        probe = "libdeflate.h",
        targets = {"libdeflate": ["deflate"]},
    ),
    "libonnx": dict(
        title = "ONNX",
        package = "libonnx-dev",
        variable = "ONNX_ROOT",
        pinned = "libonnx_source",
        probe = "onnx/onnx_pb.h",
        defines = ["ONNX_ML=1", "ONNX_NAMESPACE=onnx"],
        files = {"operator_sets": "onnx/defs/operator_sets.h"},
        targets = {"onnx": ["onnx", "onnx_proto"]},
        target_deps = {"onnx": ["@protobuf//:protobuf"]},
        source_variable = "ONNX_SOURCE",
        source_paths = ["onnx", "VERSION_NUMBER"],
        # A Label: read in this file, not in the WORKSPACE of whoever calls deps.bzl.
        source_build = Label("//third_party:onnx_source.BUILD.bazel"),
    ),
    # Exporting files needs none.
    "libtorch": dict(variable = "LIBTORCH_ROOT", may_be_absent = True, **_LIBTORCH),
    "minizip": dict(
        title = "minizip",
        package = "libminizip-dev zlib1g-dev",
        variable = "MINIZIP_ROOT",
        probe = "minizip/unzip.h",
        targets = {"minizip": ["minizip", "z"]},
    ),
    "nlohmann_json": dict(
        title = "nlohmann/json",
        package = "nlohmann-json3-dev",
        variable = "NLOHMANN_JSON_ROOT",
        pinned = "nlohmann_json_source",
        probe = "nlohmann/json.hpp",
        targets = {"json": []},
    ),
    "onnxruntime": dict(
        title = "ONNX Runtime",
        package = "libonnxruntime-dev",
        variable = "ONNXRUNTIME_ROOT",
        probe = "onnxruntime_cxx_api.h",
        include_dirs = ["include/onnxruntime", "include"],
        targets = {
            "loaded": ["onnxruntime"],
            "onnxruntime": ["onnxruntime"],
        },
        loaded = {"loaded": "ONNXRUNTIME_LIBRARY"},
    ),
    # A newer ONNX Runtime, for tests of the newest opsets. Where there is none it is the system's own one:
    # a test asks the library for its version and skips what that one cannot run.
    "onnxruntime_new": dict(
        title = "a newer ONNX Runtime",
        package = "libonnxruntime-dev",
        variable = "ONNXRUNTIME_NEW_ROOT",
        pinned = "onnxruntime_source",
        probe = "onnxruntime_cxx_api.h",
        include_dirs = ["include/onnxruntime", "include"],
        places = ["/usr/local/lib/onnxport/onnxruntime"],
        targets = {
            "loaded": ["onnxruntime"],
            "onnxruntime": ["onnxruntime"],
        },
        loaded = {"loaded": "ONNXRUNTIME_LIBRARY"},
    ),
    "protobuf": dict(
        title = "protobuf",
        package = "libprotobuf-dev",
        variable = "PROTOBUF_ROOT",
        pinned = "protobuf_source",
        probe = "google/protobuf/message.h",
        programs = ["protoc"],
        targets = {"protobuf": ["protobuf"]},
    ),
    "rapidjson": dict(
        title = "RapidJSON",
        package = "rapidjson-dev",
        variable = "RAPIDJSON_ROOT",
        pinned = "rapidjson_source",
        probe = "rapidjson/reader.h",
        targets = {"rapidjson": []},
    ),
    # Used as a header alone, with XXH_INLINE_ALL.
    "xxhash": dict(
        title = "xxHash",
        package = "libxxhash-dev",
        variable = "XXHASH_ROOT",
        pinned = "xxhash_source",
        probe = "xxhash.h",
        targets = {"xxhash": []},
    ),
    "yaml_cpp": dict(
        title = "yaml-cpp",
        package = "libyaml-cpp-dev",
        variable = "YAML_CPP_ROOT",
        pinned = "yaml_cpp_source",
        probe = "yaml-cpp/yaml.h",
        targets = {"yaml-cpp": ["yaml-cpp"]},
    ),
}

# Releases of LibTorch beside `libtorch`, for the tests that //tests/torch runs with each (other_libtorchs.bzl): the
# repository `libtorch_2_15` is what LIBTORCH_2_15_ROOT names, and without that variable fits no platform.
OTHER_LIBTORCHS = ["2_13", "2_15"]

LIBRARIES.update({
    "libtorch_" + release: dict(variable = "LIBTORCH_%s_ROOT" % release, only_if_given = True, **_LIBTORCH)
    for release in OTHER_LIBTORCHS
})
