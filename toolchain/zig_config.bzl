"""How Bazel calls clang and lld of a zig repository."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set", "tool_path")
load("@rules_cc//cc:defs.bzl", "cc_common")
load("@rules_cc//cc/toolchains:cc_toolchain_config_info.bzl", "CcToolchainConfigInfo")
load(":zig_flags.bzl", "LIBCXX_DEFINES", "OF_LIBC")
load(":zig_libraries.bzl", "LIBRARIES", "START")

_COMPILE = [ACTION_NAMES.assemble, ACTION_NAMES.c_compile, ACTION_NAMES.cpp_compile, ACTION_NAMES.preprocess_assemble]
_LINK = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

# Namespaces of what a library of ours is built from: a program that links it may have other versions of the same.
_PRIVATE_NAMES = ["%s=onnxport_%s" % (name, name) for name in ["fmt", "google", "onnx"]]

def _defines(ctx):
    if ctx.attr.libstdcxx:
        return OF_LIBC[ctx.attr.libc].defines + _PRIVATE_NAMES
    musl = 0 if ctx.attr.libc == "gnu" else 1
    return OF_LIBC[ctx.attr.libc].defines + [define.format(musl = musl) for define in LIBCXX_DEFINES]

def _header_folders(ctx):
    """Paths of what is included, the C++ library's first."""
    root = ctx.label.workspace_root + "/"
    libstdcxx = ctx.attr.libstdcxx.label.workspace_root + "/" if ctx.attr.libstdcxx else None
    return [libstdcxx + folder for folder in ctx.attr.libstdcxx_folders] + [root + folder for folder in ctx.attr.header_folders]

def _compile_flags(ctx):
    return [
        "--no-default-config",
        "--target=" + ctx.attr.triple,
        "-nostdinc",
        "-nostdinc++",
    ] + [
        flag
        for folder in _header_folders(ctx)
        for flag in ["-isystem", folder]
    ] + ["-D" + define for define in _defines(ctx)] + [
        # The linker leaves out parts that nothing refers to.
        "-fdata-sections",
        "-ffunction-sections",
        "-fvisibility=hidden",
    ] + OF_LIBC[ctx.attr.libc].compile_flags + [
        # No product is added without being rounded: models are the same on every machine.
        "-ffp-contract=off",
        # Nothing of this machine or moment is in the program.
        "-Wno-builtin-macro-redefined",
        '-D__DATE__="redacted"',
        '-D__TIME__="redacted"',
        '-D__TIMESTAMP__="redacted"',
        "-ffile-prefix-map=%s/=" % ctx.bin_dir.path,
        # The ordinary build's compiler takes these without a word.
        "-Wno-deprecated-declarations",
        "-Wno-unknown-warning-option",
    ]

def _linking(ctx):
    """The features of links. A target without libraries has none: its programs are linked by others."""
    if not ctx.attr.libraries:
        return []
    libraries = {file.basename: file.path for file in ctx.files.libraries}
    return [
        _flags("default_link_flags", _LINK, _link_flags(ctx)),
        _flags(
            "program_link_flags",
            [ACTION_NAMES.cpp_link_executable],
            OF_LIBC[ctx.attr.libc].program_link_flags + [libraries[START[ctx.attr.libc]]],
        ),
        # After everything else: the libraries.
        _flags("last_link_flags", _LINK, OF_LIBC[ctx.attr.libc].last_link_flags + [
            libraries[name]
            for name in LIBRARIES[ctx.attr.libc]
        ]),
    ]

def _link_flags(ctx):
    return [
        "--no-default-config",
        "--target=" + ctx.attr.triple,
        "-nostdlib",
        # Libraries of this machine are not looked for.
        "--sysroot=/nonexistent",
        "-Wl,--gc-sections",
        "-Wl,--strip-all",
    ] + [flag.format(repository = ctx.label.workspace_root) for flag in OF_LIBC[ctx.attr.libc].link_flags]

def _flags(name, actions, flags, enabled = True):
    """The feature `name`: such actions have the flags, always or where a target asks for it."""
    return feature(
        name = name,
        enabled = enabled,
        flag_sets = [flag_set(actions = actions, flag_groups = [flag_group(flags = flags)])],
    )

def _user_compile_flags():
    """The feature of Bazel's own that has --copt and copts: it is named where others must come after it."""
    return feature(
        name = "user_compile_flags",
        enabled = True,
        flag_sets = [flag_set(
            actions = _COMPILE,
            flag_groups = [flag_group(
                expand_if_available = "user_compile_flags",
                flags = ["%{user_compile_flags}"],
                iterate_over = "user_compile_flags",
            )],
        )],
    )

def _zig_config_impl(ctx):
    features = [
        _flags("default_compile_flags", _COMPILE, _compile_flags(ctx)),
        _user_compile_flags(),
        # After -O2, which every target has. Packages that are not hot ask for it (REPO.bazel, packages).
        _flags("onnxport_small", _COMPILE, ["-Os"], enabled = False),
        feature(name = "supports_dynamic_linker", enabled = False),
        feature(name = "static_linking_mode", enabled = True),
    ] + _linking(ctx)
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = ctx.attr.libc,
        abi_version = "unknown",
        compiler = "clang",
        cxx_builtin_include_directories = _header_folders(ctx),
        features = features,
        target_cpu = ctx.attr.cpu,
        target_libc = ctx.attr.libc,
        target_system_name = ctx.attr.triple,
        tool_paths = [
            tool_path(name = name, path = path)
            for name, path in {
                "ar": "ar",
                "cpp": "clang",
                "gcc": "clang",
                "ld": "ld.lld",
                "nm": "/bin/false",
                "objdump": "/bin/false",
                "strip": "/bin/false",
            }.items()
        ],
        toolchain_identifier = "zig-" + ctx.attr.triple,
    )

zig_config = rule(
    implementation = _zig_config_impl,
    attrs = {
        "cpu": attr.string(mandatory = True),
        "header_folders": attr.string_list(mandatory = True, doc = "Folders of the repository, the C++ library's first."),
        "libc": attr.string(mandatory = True, values = OF_LIBC.keys()),
        "libraries": attr.label(
            cfg = "exec",  # as cc_toolchain has its files: links name what they get
            doc = "A zig_libraries target; none where nothing is linked.",
        ),
        "libstdcxx": attr.label(doc = "The headers of libstdc++, if it is the C++ library."),
        "libstdcxx_folders": attr.string_list(doc = "Folders of its repository."),
        "triple": attr.string(mandatory = True),
    },
    provides = [CcToolchainConfigInfo],
)
