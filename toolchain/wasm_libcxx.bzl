"""libc++ for WebAssembly, with exceptions: zig has the sources, but compiles them without."""

load(":zig_flags.bzl", "LIBCXX_DEFINES", "WASM_FLAGS")

# Folders of `lib` of zig, the C++ library's first.
_HEADERS = ["libcxx/include", "libcxxabi/include", "include", "libc/include/wasm-wasi-musl", "libc/include/generic-musl"]

_COMPILE_FLAGS = [
    "--no-default-config",
    "--target=wasm32-wasip1",
    "-nostdinc",
    "-nostdinc++",
    "-O2",
    "-DNDEBUG",
    "-fdata-sections",
    "-ffunction-sections",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-w",
] + WASM_FLAGS

_CXX_FLAGS = [
    "-std=c++23",
    "-DLIBCXX_BUILDING_LIBCXXABI",
    "-D_LIBCPP_BUILDING_LIBRARY",
    "-D_LIBCPP_LINK_PTHREAD_LIB=0",
    "-D_LIBCXXABI_BUILDING_LIBRARY",
]

# One after another. Two things no source of these libraries defines: the tag of what is thrown, and what happens when a thread
# ends, which is here when the program does.
_COMMAND = """
    set -eu
    zig=$1 out=$2 lib=${1%/*}/lib work=$2.work
    shift 2
    mkdir -p "$work"
    # compile NAME SOURCE OPTION...
    compile() {
      name=$1 source=$2
      shift 2
      "$zig" clang "$@" -c "$source" -o "$work/$name.o"
    }
    for source in "$lib"/libcxx/src/*.cpp "$lib"/libcxx/src/filesystem/*.cpp "$lib"/libcxx/src/ryu/*.cpp; do
      name=${source##*/}
      # As of musl, libc++ would copy files by a function of Linux, which WASI has not.
      case $name in operations.cpp) other="-U_LIBCPP_HAS_MUSL_LIBC -D_LIBCPP_HAS_MUSL_LIBC=0" ;; *) other= ;; esac
      compile "cxx_$name" "$source" "$@" CXX_FLAGS -I"$lib/libcxx/src" -I"$lib/libcxx/libc" $other
    done
    for source in "$lib"/libcxxabi/src/*.cpp; do
      compile "abi_${source##*/}" "$source" "$@" CXX_FLAGS -I"$lib/libcxx/src"
    done
    compile unwind "$lib/libunwind/src/Unwind-wasm.c" "$@" -D_LIBUNWIND_HIDE_SYMBOLS -I"$lib/libunwind/include"
    printf '%s\\n' '.globl __cpp_exception' '.tagtype __cpp_exception i32' '__cpp_exception:' > "$work/tag.s"
    compile tag "$work/tag.s" "$@"
    printf '%s\\n' 'int __cxa_atexit(void (*)(void *), void *, void *);' \
      'int __cxa_thread_atexit(void (*end)(void *), void *object, void *dso) { return __cxa_atexit(end, object, dso); }' \
      > "$work/thread.c"
    compile thread "$work/thread.c" "$@"
    "$zig" ar rcsD "$out" "$work"/*.o
    rm -rf "$work"
""".replace("CXX_FLAGS", " ".join(_CXX_FLAGS))

def wasm_libcxx(ctx, folder, name):
    """Declares and makes libc++, libc++abi and what unwinds, in one archive.

    Args:
      ctx: of a zig_libraries target.
      folder: where the archive goes.
      name: of the archive.

    Returns:
      Its File.
    """
    out = ctx.actions.declare_file("{}/{}".format(folder, name))
    lib = ctx.file.zig_lib.path
    arguments = [ctx.file.zig.path, out.path] + _COMPILE_FLAGS
    for header_folder in _HEADERS:
        arguments += ["-isystem", "{}/{}".format(lib, header_folder)]

    # Only the part of a path that is the same on every machine stays.
    arguments.append("-ffile-prefix-map={}/=".format(lib))
    ctx.actions.run_shell(
        command = _COMMAND,
        arguments = arguments + ["-D" + define.format(musl = 1) for define in LIBCXX_DEFINES],
        inputs = [ctx.file.zig, ctx.file.zig_lib],
        outputs = [out],
        mnemonic = "WasmLibcxx",
        progress_message = "Making the C++ library of WebAssembly",
    )
    return out
