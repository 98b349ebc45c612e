"""The systems that a release is built for."""

# Name to what zig calls it, the folders of its headers in `lib/libc/include`, and how lld names its format.
TARGETS = {
    "linux_aarch64": struct(
        cpu = "aarch64",
        triple = "aarch64-linux-musl",
        header_folders = ["aarch64-linux-musl", "generic-musl", "aarch64-linux-any", "any-linux-any"],
    ),
    "linux_x86_64": struct(
        cpu = "x86_64",
        triple = "x86_64-linux-musl",
        header_folders = ["x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any"],
    ),
}
