"""Flags for clang and its linker, by the C library of a target."""

# How zig builds libc++: code that includes its headers needs the same flags.
LIBCXX_DEFINES = [
    "_LIBCPP_ABI_NAMESPACE=__1",
    "_LIBCPP_ABI_VERSION=1",
    "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
    "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_HAS_FILESYSTEM=1",
    "_LIBCPP_HAS_LOCALIZATION",
    "_LIBCPP_HAS_MONOTONIC_CLOCK",
    "_LIBCPP_HAS_MUSL_LIBC={musl}",
    "_LIBCPP_HAS_NO_STD_MODULES",
    "_LIBCPP_HAS_RANDOM_DEVICE",
    "_LIBCPP_HAS_TERMINAL",
    "_LIBCPP_HAS_THREADS=1",
    "_LIBCPP_HAS_TIME_ZONE_DATABASE",
    "_LIBCPP_HAS_UNICODE",
    "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
    "_LIBCPP_HAS_WIDE_CHARACTERS",
    "_LIBCPP_PSTL_BACKEND_SERIAL",
    "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
]

# Features that every browser of 2022 knows. Exceptions have two forms of instructions: the later one is unknown to
# those, and to Node.js 20.
WASM_FLAGS = [
    "-mcpu=lime1",
    "-mexception-handling",
    "-fwasm-exceptions",
    "-mllvm",
    "-wasm-use-legacy-eh=true",
]

# {repository}: of zig. (For WebAssembly, clang takes the wasm-ld beside itself.)
_OF_ELF = [
    "--ld-path={repository}/ld.lld",
    "-Wl,--build-id=none",
    # Functions that are the same are in the program once, unless somebody compares their addresses.
    "-Wl,--icf=safe",
]

# By the C library: of libraries for programs with glibc, of 2012 or newer; of programs of a static one; of WebAssembly.
OF_LIBC = {
    "gnu": struct(
        defines = ["__GLIBC_MINOR__=17"],
        compile_flags = ["-fPIC"],
        link_flags = _OF_ELF + ["-Wl,--no-undefined"],
        program_link_flags = ["-pie", "-Wl,-z,relro,-z,now"],
        last_link_flags = [],
    ),
    "musl": struct(
        defines = [],
        compile_flags = ["-fno-pic", "-fno-pie"],
        link_flags = _OF_ELF + [
            "-static",
            # musl gives threads what the program's header says: as much as glibc does.
            "-Wl,-z,stack-size=8388608",
        ],
        program_link_flags = [],
        # A last word on what the ordinary build's options say of a loader.
        last_link_flags = ["-Wl,--no-dynamic-linker"],
    ),
    "wasi": struct(
        defines = [],
        compile_flags = WASM_FLAGS,
        link_flags = [
            # A linked file is the same whatever else is on PATH.
            "--no-wasm-opt",
            # As much stack as a program of Linux has; a call too many then traps, and writes over nothing.
            "-Wl,-z,stack-size=8388608,--stack-first",
        ],
        program_link_flags = [],
        last_link_flags = [],
    ),
}
