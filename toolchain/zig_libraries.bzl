"""The C and C++ libraries of a target, as zig makes them from its sources."""

load(":wasm_libcxx.bzl", "wasm_libcxx")

# By the C library, in the order of a link. For glibc there are only lists of its functions, as shared libraries.
LIBRARIES = {
    "gnu": [
        "libc++abi.a",
        "libc++.a",
        "libunwind.a",
        "libm.so.6",
        "libc.so.6",
        "libpthread.so.0",
        "libdl.so.2",
        "libld.so.2",
        "libc_nonshared.a",
        "libcompiler_rt.a",
    ],
    "musl": ["libc++abi.a", "libc++.a", "libunwind.a", "libc.a", "libzigc.a", "libcompiler_rt.a"],
    "wasi": ["libc++.a", "libc.a", "libzigc.a", "libcompiler_rt.a"],
}

# The start files of programs, by the C library.
START = {"gnu": "Scrt1.o", "musl": "crt1.o", "wasi": "crt1-command.o"}

# As zig calls it: the version is part of the name.
_ZIG_LIBC = {"gnu": "gnu.2.17", "musl": "musl", "wasip1": "wasi"}

def _linked(ctx, folder, names, option):
    """Declares and makes the files that zig links, with an option, into a program or a library."""
    libc = ctx.attr.triple.split("-")[-1]
    files = [ctx.actions.declare_file("{}/{}".format(folder, name)) for name in names]
    ctx.actions.run_shell(
        # zig makes them when it links a program, and says where; without debug information (`-s`), which would name the
        # sandbox. Its cache is of no use afterwards.
        command = """
            set -eu
            out=$1 zig=$2 triple=$3 kind=$4
            work=$PWD/$out.work
            mkdir -p "$work"
            export ZIG_GLOBAL_CACHE_DIR=$work/cache ZIG_LOCAL_CACHE_DIR=$work/cache ZIG_VERBOSE_LINK=1
            echo 'int main() {}' > "$work/main.cc"
            "$zig" c++ -target "$triple" -O2 -s $kind "$work/main.cc" -o "$work/main" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
            shift 4
            for name; do
              cp "$(tr ' ' '\\n' < "$work/log" | grep "/$name$" | tail -n 1)" "$out/$name"
            done
            rm -rf "$work"
        """,
        arguments = [
            files[0].dirname,
            ctx.file.zig.path,
            ctx.attr.triple.removesuffix(libc) + _ZIG_LIBC[libc],
            option,
        ] + names,
        inputs = [ctx.file.zig, ctx.file.zig_lib],
        outputs = files,
        mnemonic = "ZigLibraries",
        progress_message = "Making the C and C++ libraries of " + ctx.attr.triple,
    )
    return files

def _zig_libraries_impl(ctx):
    folder = ctx.label.name
    if ctx.attr.triple.endswith("-wasip1"):
        # zig's libc++ for it has no exceptions.
        libcxx = wasm_libcxx(ctx, folder, LIBRARIES["wasi"][0])
        files = [libcxx] + _linked(ctx, folder, [START["wasi"]] + LIBRARIES["wasi"][1:], "-nostdlib++")
    elif ctx.attr.triple.endswith("-musl"):
        files = _linked(ctx, folder, [START["musl"]] + LIBRARIES["musl"], "")
    else:
        # Libraries that fit into shared ones, and so into programs.
        files = _linked(ctx, folder, LIBRARIES["gnu"], "-shared") + _linked(ctx, folder + "/start", [START["gnu"]], "-pie")
    return [DefaultInfo(files = depset(files))]

zig_libraries = rule(
    implementation = _zig_libraries_impl,
    doc = "libc, libc++, libunwind and the compiler's own library of `triple`: LIBRARIES, and START.",
    attrs = {
        "triple": attr.string(mandatory = True, doc = "The target as clang writes it."),
        "zig": attr.label(mandatory = True, allow_single_file = True, doc = "The program."),
        "zig_lib": attr.label(mandatory = True, allow_single_file = True, doc = "The folder of its sources."),
    },
)
