"""The C++ toolchains of a zig repository: its clang and lld, used as plain programs.

Not `zig c++`: that compiles the C library and libc++ when it links and keeps them in a cache, which a sandboxed action
has not. Here one action for each target (`zig_libraries`) has zig make them, and links name the archives.
"""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load(":targets.bzl", "TARGETS")
load(":zig_config.bzl", "zig_config")
load(":zig_libraries.bzl", "zig_libraries")

# Headers of the kernel that no C library includes: musl includes none, glibc those of drivers.
_UNUSED_HEADERS = {
    "gnu": "lib/libc/include/any-linux-any/*/*/*/**",
    "musl": "lib/libc/include/any-linux-any/*/*/**",
    "wasi": "lib/libc/include/any-linux-any/**",
}

def zig_toolchains():
    """Declares, in zig's repository, for each target `NAME`, a cc_toolchain, and what it needs."""
    native.exports_files([
        "LICENSE",
        "lib/libc/musl/COPYRIGHT",
        "lib/libc/wasi/LICENSE-MIT",
        "lib/libc/wasi/libc-bottom-half/cloudlibc/LICENSE",
        "lib/libc/wasi/libc-top-half/musl/COPYRIGHT",
        "lib/libcxx/LICENSE.TXT",
        "lib/libcxxabi/LICENSE.TXT",
        "lib/libunwind/LICENSE.TXT",
    ])
    native.filegroup(
        name = "programs",
        srcs = ["ar", "clang", "ld.lld", "wasm-ld", "zig"],
    )
    for name, target in TARGETS.items():
        _zig_toolchain(name, target)

def _libcxx(name, target):
    """libc++ and the C library, headers and archives; attributes of zig_config."""
    zig_libraries(
        name = name + "_libraries",
        triple = target.triple,
        zig = "zig",
        zig_lib = "lib",
    )
    return dict(
        header_folders = ["lib/libcxx/include", "lib/libcxxabi/include"],
        libraries = ":{}_libraries".format(name),
    )

def _libstdcxx(target):
    """Headers of libstdc++; attributes of zig_config."""
    return dict(
        header_folders = [],
        libstdcxx = str(Label("@libstdcxx_{}_source//:headers".format(target.cpu))),
        libstdcxx_folders = [
            "include/c++/12",
            "include/{}-linux-gnu/c++/12".format(target.cpu),
            "include/c++/12/backward",
        ],
    )

def _zig_toolchain(name, target):
    """The cc_toolchain `name`, and what it needs."""
    library = _libcxx(name, target) if target.cxx_library == "libcxx" else _libstdcxx(target)
    folders = library["header_folders"] + ["lib/include"] + ["lib/libc/include/" + folder for folder in target.header_folders]
    native.filegroup(
        name = name + "_compile",
        srcs = [":programs"] + native.glob(
            [folder + "/**" for folder in folders],
            exclude = [_UNUSED_HEADERS[target.libc]],
        ) + [library[key] for key in ["libstdcxx"] if key in library],
    )
    native.filegroup(
        name = name + "_all",
        srcs = [":{}_compile".format(name)] + [library[key] for key in ["libraries"] if key in library],
    )
    zig_config(
        name = name + "_config",
        cpu = target.cpu,
        libc = target.libc,
        triple = target.triple,
        **(library | dict(header_folders = folders))
    )
    cc_toolchain(
        name = name,
        all_files = ":{}_all".format(name),
        ar_files = ":programs",
        as_files = ":{}_compile".format(name),
        compiler_files = ":{}_compile".format(name),
        dwp_files = ":programs",
        linker_files = ":{}_all".format(name),
        objcopy_files = ":programs",
        strip_files = ":programs",
        supports_param_files = 1,
        toolchain_config = ":{}_config".format(name),
        visibility = ["//visibility:public"],
    )
