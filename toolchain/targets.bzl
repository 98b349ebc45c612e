"""The systems that a release is built for."""

def _system(cpu, libc, cxx_library, headers):
    return struct(
        cpu = cpu,
        os = "linux",
        libc = libc,
        cxx_library = cxx_library,
        triple = "{}-linux-{}".format(cpu, libc),
        # In `lib/libc/include` of zig.
        header_folders = headers + ["{}-linux-any".format("x86" if cpu == "x86_64" else cpu), "any-linux-any"],
    )

def _systems(cpu, gnu_headers):
    """A kind of machine, in three ways: programs that need nothing, libraries that need glibc, and what others link."""
    gnu = [gnu_headers, "generic-glibc"]
    return {
        "linux_" + cpu: _system(cpu, "musl", "libcxx", ["{}-linux-musl".format(cpu), "generic-musl"]),
        "linux_{}_gnu".format(cpu): _system(cpu, "gnu", "libstdcxx", gnu),
        "linux_{}_shared".format(cpu): _system(cpu, "gnu", "libcxx", gnu),
    }

# WebAssembly for JavaScript, which does what WASI's functions for files ask for (web/wasi.mjs).
_WASM = struct(
    cpu = "wasm32",
    os = "wasi",
    libc = "wasi",
    cxx_library = "libcxx",
    triple = "wasm32-wasip1",
    header_folders = ["wasm-wasi-musl", "generic-musl"],
)

# Name to system. `linux_CPU`: programs, static. `_shared`: shared libraries for any Linux with glibc, and programs that load
# some, with a C++ library of their own. `_gnu`: what users' programs are linked with, compiled as those are, against libstdc++.
TARGETS = _systems("aarch64", "aarch64-linux-gnu") | _systems("x86_64", "x86-linux-gnu") | {"wasm32": _WASM}
