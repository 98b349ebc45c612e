"""The C++ toolchains of a zig repository: its clang and lld, used as plain programs.

Not `zig c++`: that compiles the C library and libc++ when it links and keeps them in a cache, which a sandboxed action
has not. Here one action for each target (`zig_libraries`) has zig make them, and links name the archives.
"""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")
load(":targets.bzl", "TARGETS")
load(":zig_config.bzl", "zig_config")
load(":zig_libraries.bzl", "zig_libraries")

def zig_toolchains():
    """Declares, in zig's repository, for each target `NAME`, a cc_toolchain, and what it needs."""
    native.exports_files([
        "LICENSE",
        "lib/libc/musl/COPYRIGHT",
        "lib/libcxx/LICENSE.TXT",
        "lib/libcxxabi/LICENSE.TXT",
        "lib/libunwind/LICENSE.TXT",
    ])
    native.filegroup(
        name = "programs",
        srcs = ["ar", "clang", "ld.lld", "zig"],
    )
    for name, target in TARGETS.items():
        folders = [
            "lib/libcxx/include",
            "lib/libcxxabi/include",
            "lib/include",
        ] + ["lib/libc/include/" + folder for folder in target.header_folders]

        zig_libraries(
            name = name + "_libraries",
            triple = target.triple,
            zig = "zig",
            zig_lib = "lib",
        )

        native.filegroup(
            name = name + "_compile",
            srcs = [":programs"] + native.glob(
                [folder + "/**" for folder in folders],
                exclude = ["lib/libc/include/any-linux-any/*/*/**"],  # of the kernel's drivers
            ),
        )
        native.filegroup(
            name = name + "_all",
            srcs = [":{}_compile".format(name), ":{}_libraries".format(name)],
        )
        zig_config(
            name = name + "_config",
            cpu = target.cpu,
            header_folders = folders,
            libraries = ":{}_libraries".format(name),
            triple = target.triple,
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
