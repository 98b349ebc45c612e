"""The C and C++ libraries of a target, as zig makes them from its sources."""

# In the order of a link.
LIBRARIES = ["libc++abi.a", "libc++.a", "libunwind.a", "libc.a", "libzigc.a", "libcompiler_rt.a"]
START = "crt1.o"

def _zig_libraries_impl(ctx):
    files = [ctx.actions.declare_file("{}/{}".format(ctx.label.name, name)) for name in [START] + LIBRARIES]
    ctx.actions.run_shell(
        # zig makes them when it links a program, and says where; without debug information (`-s`), which would name the
        # sandbox. Its cache is of no use afterwards.
        command = """
            set -eu
            out=$1 zig=$2 triple=$3
            work=$PWD/$out.work
            mkdir -p "$work"
            export ZIG_GLOBAL_CACHE_DIR=$work/cache ZIG_LOCAL_CACHE_DIR=$work/cache ZIG_VERBOSE_LINK=1
            echo 'int main() {}' > "$work/main.cc"
            "$zig" c++ -target "$triple" -O2 -s "$work/main.cc" -o "$work/main" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
            shift 3
            for name; do
              cp "$(tr ' ' '\\n' < "$work/log" | grep "/$name$" | tail -n 1)" "$out/$name"
            done
            rm -rf "$work"
        """,
        arguments = [files[0].dirname, ctx.file.zig.path, ctx.attr.triple] + [file.basename for file in files],
        inputs = [ctx.file.zig, ctx.file.zig_lib],
        outputs = files,
        mnemonic = "ZigLibraries",
        progress_message = "Making the C and C++ libraries of " + ctx.attr.triple,
    )
    return [DefaultInfo(files = depset(files))]

zig_libraries = rule(
    implementation = _zig_libraries_impl,
    doc = "libc (musl), libc++, libunwind and the compiler's own library of `triple`: START and LIBRARIES.",
    attrs = {
        "triple": attr.string(mandatory = True, doc = "The target as zig writes it."),
        "zig": attr.label(mandatory = True, allow_single_file = True, doc = "The program."),
        "zig_lib": attr.label(mandatory = True, allow_single_file = True, doc = "The folder of its sources."),
    },
)
