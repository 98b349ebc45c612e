"""The repository of the pinned compiler: the programs of zig's wheel for one kind of machine that builds."""

load("//third_party:pinned_source.bzl", "SOURCE_ATTRS", "unpack_source")

# Files of zig that no C++ needs.
_UNUSED = ["__init__.py", "__main__.py", "lib/build-web", "lib/docs", "lib/init", "lib/libtsan", "lib/lldb"]

# A header of glibc 2.32 that stops a compilation for an older one, while libstdc++ asks only whether it is there.
_TOO_NEW = ["lib/libc/include/generic-glibc/sys/single_threaded.h"]

def _zig_repository_impl(rctx):
    missing = unpack_source(rctx)
    if missing:
        fail(missing)
    for path in _UNUSED + _TOO_NEW:
        rctx.delete(path)
    rctx.execute(["chmod", "+x", "zig"])

    # zig is clang, lld and llvm-ar in one, told apart by the first argument.
    for name in ["ar", "clang", "ld.lld", "wasm-ld"]:
        rctx.file(name, '#!/bin/sh\nexec "${0%%/*}/zig" %s "$@"\n' % name, executable = True)
    rctx.file("BUILD.bazel", "\n".join([
        "load(%s, \"zig_toolchains\")" % repr(str(Label("//toolchain:zig_toolchains.bzl"))),
        "zig_toolchains()",
        "",
    ]))

zig_repository = repository_rule(
    implementation = _zig_repository_impl,
    doc = "zig from its wheel, with a cc_toolchain for each target of zig_toolchains.bzl.",
    attrs = SOURCE_ATTRS,
    environ = ["ONNXPORT_SOURCES", "XDG_CACHE_HOME"],
)
