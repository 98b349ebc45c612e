"""How programs for users are linked."""

# A release is static anyway (zig_config.bzl).
MOVABLE_LINKOPTS = select({
    Label("//toolchain:is_pinned_and_static"): [],
    Label("//toolchain:is_static"): ["-static"],
    "//conditions:default": [],
})
