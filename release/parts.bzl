"""The parts of the released programs besides their own code, and their licences."""

# The parts of the exporter, and of the library of the wheel. Part to (source of sources.txt, SPDX identifier, file with
# the licence). `zig_SYSTEM`: the compiler's wheel, which has the sources of the C and C++ libraries.
PARTS = {
    "cli11": ("cli11", "BSD-3-Clause", "@cli11_source//:LICENSE"),
    "fmt": ("fmt", "MIT", "@fmt_source//:LICENSE.rst"),
    "libc++": ("zig_x86_64", "Apache-2.0 WITH LLVM-exception", "@zig_x86_64//:lib/libcxx/LICENSE.TXT"),
    "libc++abi": ("zig_x86_64", "Apache-2.0 WITH LLVM-exception", "@zig_x86_64//:lib/libcxxabi/LICENSE.TXT"),
    "libdeflate": ("libdeflate", "MIT", "@libdeflate_source//:COPYING"),
    "libunwind": ("zig_x86_64", "Apache-2.0 WITH LLVM-exception", "@zig_x86_64//:lib/libunwind/LICENSE.TXT"),
    "mimalloc": ("mimalloc", "MIT", "@mimalloc_source//:mimalloc/LICENSE"),
    "musl": ("zig_x86_64", "MIT", "@zig_x86_64//:lib/libc/musl/COPYRIGHT"),
    "nlohmann-json": ("nlohmann_json", "MIT", "@nlohmann_json_source//:LICENSE.MIT"),
    "onnx": ("libonnx", "Apache-2.0", "@libonnx_source//:LICENSE"),
    "protobuf": ("protobuf", "BSD-3-Clause", "@protobuf_source//:LICENSE"),
    "xxhash": ("xxhash", "BSD-2-Clause", "@xxhash_source//:LICENSE"),
    "zig": ("zig_x86_64", "MIT", "@zig_x86_64//:LICENSE"),
}

# The parts of the archive and the Debian package, which have exporter-onnxruntime, too: functions in headers.
ARCHIVE_PARTS = PARTS | {
    "onnxruntime": ("onnxruntime", "MIT", "@onnxruntime_source//:share/doc/libonnxruntime-dev/copyright"),
}

# The parts of the exporter as WebAssembly: no command line, and another C library.
WASM_PARTS = {part: PARTS[part] for part in PARTS if part not in ["cli11", "mimalloc"]} | {
    "cloudlibc": ("zig_x86_64", "BSD-2-Clause", "@zig_x86_64//:lib/libc/wasi/libc-bottom-half/cloudlibc/LICENSE"),
    "musl": ("zig_x86_64", "MIT", "@zig_x86_64//:lib/libc/wasi/libc-top-half/musl/COPYRIGHT"),
    "wasi-libc": ("zig_x86_64", "MIT", "@zig_x86_64//:lib/libc/wasi/LICENSE-MIT"),
}

# The parts of the page in the browser, which runs models.
PAGE_PARTS = WASM_PARTS | {
    "onnxruntime-web": ("onnxruntime_web", "MIT", "@onnxruntime_source//:share/doc/libonnxruntime-dev/copyright"),
}

# The parts of the package for C++, which has the generator besides.
CXX_PARTS = ARCHIVE_PARTS | {
    "yaml-cpp": ("yaml_cpp", "MIT", "@yaml_cpp_source//:LICENSE"),
}

def licences(parts):
    """Each part's licence to the name that it has in what is packed."""
    return {file: "licences/" + part for part, (_, _, file) in parts.items()}
