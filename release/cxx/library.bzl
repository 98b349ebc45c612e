"""The static library of a C++ package: everything that its targets link, in two archives."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("//release:transition.bzl", "RELEASED_ATTRS", "released")

def _sorted_out(ctx):
    """All objects, as struct(main, first, rest)."""
    entry = [target.label for target in ctx.attr.entry]
    main, first, rest = [], [], []
    for linked in depset(transitive = [dep[CcInfo].linking_context.linker_inputs for dep in ctx.attr.deps]).to_list():
        for library in linked.libraries:
            if linked.owner == ctx.attr.main.label:
                main.extend(library.objects)
            elif library.alwayslink or linked.owner in entry:
                first.extend(library.objects)
            else:
                rest.extend(library.objects)
    return struct(main = main, first = first, rest = rest)

def _archive(ctx, toolchain, name, objects):
    out = ctx.actions.declare_file("{}/{}".format(ctx.label.name, name))
    args = ctx.actions.args()
    args.add("qcD")  # several may have one name; no times, no users
    args.add(out)
    args.add_all(objects)
    args.use_param_file("@%s", use_always = True)
    ctx.actions.run_shell(
        command = 'rm -f "$2" && "$1" "$3"',  # it would add to one that is there
        arguments = [toolchain.ar_executable, out.path, args],
        inputs = objects,
        tools = toolchain.all_files,
        outputs = [out],
        mnemonic = "PackageArchive",
        progress_message = "Archiving %{output}",
    )
    return out

def _static_library_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    objects = _sorted_out(ctx)

    # A linker takes of an archive the members that something names. Nothing names the tables, which add themselves: they are
    # one member with the library's functions, that a program gets when it calls one of them.
    first = ctx.actions.declare_file(ctx.label.name + "/onnxport.o")
    args = ctx.actions.args()
    args.add("-r")
    args.add("-o", first)
    args.add_all(objects.first)
    ctx.actions.run(
        executable = toolchain.ld_executable,
        arguments = [args],
        inputs = objects.first,
        tools = toolchain.all_files,
        outputs = [first],
        mnemonic = "PackageObject",
        progress_message = "Linking %{output}",
    )
    library = _archive(ctx, toolchain, "libonnxport.a", [first] + objects.rest)
    main = _archive(ctx, toolchain, "libonnxport_main.a", objects.main)
    return [
        DefaultInfo(files = depset([library, main])),
        OutputGroupInfo(library = depset([library]), main = depset([main])),
    ]

static_library = rule(
    implementation = _static_library_impl,
    doc = "`libonnxport.a` with everything that `deps` link; `main` apart, in `libonnxport_main.a`. Output groups: `library`, `main`.",
    attrs = RELEASED_ATTRS | {
        "deps": attr.label_list(mandatory = True, providers = [CcInfo]),
        "entry": attr.label_list(doc = "Libraries with the functions that programs call.", mandatory = True),
        "main": attr.label(doc = "The library with the command's `main`.", mandatory = True),
    },
    cfg = released,
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)

def _headers_impl(ctx):
    found = depset(transitive = [dep[CcInfo].compilation_context.headers for dep in ctx.attr.deps]).to_list()
    roots = tuple(ctx.attr.roots)
    return [DefaultInfo(files = depset([file for file in found if file.short_path.startswith(roots)]))]

headers = rule(
    implementation = _headers_impl,
    doc = "The headers that `deps` and what they depend on give to their users.",
    attrs = RELEASED_ATTRS | {
        "deps": attr.label_list(mandatory = True, providers = [CcInfo]),
        "roots": attr.string_list(doc = "Only those below these folders (`../` and its name for that of a repository).", mandatory = True),
    },
    cfg = released,
)
