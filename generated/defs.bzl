"""Runs the generator over the specs of a set of operators: onnxport's own, or a user's on top of it.

There is one action per spec file, one that merges their rows into the dispatch table, and one that makes the table of
traits. A user's set has one more for its declarations. So an edit to a family runs the generator only for that family
and the tables.
"""

load("//toolchain:tools.bzl", "tool")

OperatorsInfo = provider(
    doc = "A set of operators, for sets on top of it.",
    fields = {
        "rows": "Files with the rows of its dispatch table.",
        "specs": "Its spec files.",
    },
)

def _spec_name(file):
    """The file's path in its repository: what generated comments and messages call it."""
    return "/".join([part for part in [file.owner.package, file.owner.name] if part])

def _generate(ctx, arguments, inputs, outputs, mnemonic, message):
    args = ctx.actions.args()
    args.add_all(arguments)
    args.add("--templates", ctx.files._templates[0].dirname)
    args.add("--out-dir", outputs[0].dirname)
    args.add("--owner", ctx.attr.owner)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [args],
        inputs = inputs + ctx.files._templates,
        outputs = outputs,
        mnemonic = mnemonic,
        progress_message = message,
    )

def _named(flag, files):
    """The flag before each file, with what messages call the file."""
    return [
        argument
        for file in files
        for argument in [flag, "{}={}".format(_spec_name(file), file.path)]
    ]

def _declares(specs, aten_schemas = None):
    """Returns (arguments, inputs)."""
    arguments = _named("--declares", specs)
    if aten_schemas:
        arguments += ["--aten-schemas", aten_schemas.path]
    return arguments, specs + ([aten_schemas] if aten_schemas else [])

def _declared(ctx):
    """Declares the set's own operators; returns (arguments, inputs)."""
    if ctx.attr.owner:
        return _declares(ctx.files.specs, ctx.file.aten_schemas)
    return _declares(ctx.files.domains)

def _known(ctx):
    """The same, and what sets below it declare."""
    if ctx.attr.owner:
        return _declares(ctx.files.domains + ctx.files.specs, ctx.file.aten_schemas)
    return _declares(ctx.files.domains)

def _family(ctx, spec, known):
    """Declares what one spec file becomes; returns (code, cases, rows)."""
    family = spec.basename[:-len("." + spec.extension)]
    outputs = [
        ctx.actions.declare_file("{}/{}.{}".format(ctx.label.name, family, suffix))
        for suffix in ["gen.cc", "cases.gen.cc", "rows.json"]
    ]
    _generate(
        ctx,
        arguments = ["--spec", spec.path, "--spec-name", _spec_name(spec)] +
                    _named("--library", ctx.files.libraries) +
                    (["--coverage"] if ctx.attr.coverage else []) + known[0],
        # All of them, as only the spec says which it imports. An edit of one runs the generator for each family, and
        # compiles those that become something else.
        inputs = [spec] + ctx.files.libraries + known[1],
        outputs = outputs,
        mnemonic = "OperatorFamily",
        message = "Generating operators of " + _spec_name(spec),
    )
    return outputs

def _each(flag, files):
    """The flag before each file."""
    return [argument for file in files for argument in [flag, file.path]]

def _operators_impl(ctx):
    base = ctx.attr.base[OperatorsInfo] if ctx.attr.base else OperatorsInfo(rows = [], specs = [])
    known = _known(ctx)
    families = [_family(ctx, spec, known) for spec in ctx.files.specs]
    rows = [family[2] for family in families]
    table, family_list, operators = [
        ctx.actions.declare_file("{}/{}".format(ctx.label.name, name))
        for name in ["dispatch_table.gen.cc", "families.gen.cc", "operators.md"]
    ]
    _generate(
        ctx,
        arguments = _each("--merge", rows) + _each("--merge-base", base.rows),
        inputs = rows + base.rows,
        outputs = [table, family_list, operators],
        mnemonic = "OperatorTable",
        message = "Generating the dispatch table",
    )
    traits = ctx.actions.declare_file(ctx.label.name + "/op_traits.gen.cc")
    _generate(
        ctx,
        arguments = _each("--traits", ctx.files.specs) + _each("--traits-base", base.specs) + known[0],
        inputs = ctx.files.specs + base.specs + known[1],
        outputs = [traits],
        mnemonic = "OperatorTraits",
        message = "Generating the table of operator traits",
    )
    declarations = [
        ctx.actions.declare_file("{}/{}.gen.cc".format(ctx.label.name, name))
        for name in ["declarations"] + (["aten_declarations"] if ctx.attr.owner else [])
    ]
    declared = _declared(ctx)
    _generate(
        ctx,
        arguments = ["--declarations"] + declared[0],
        inputs = declared[1],
        outputs = declarations,
        mnemonic = "OperatorDeclarations",
        message = "Generating the declarations of operators",
    )
    functions = [family[0] for family in families]
    code = depset(functions + [table] + declarations)
    cases = depset([family[1] for family in families] + [family_list])
    return [
        DefaultInfo(files = depset([operators, traits], transitive = [code, cases])),
        OperatorsInfo(rows = rows, specs = ctx.files.specs),
        OutputGroupInfo(
            cases = cases,
            code = code,
            docs = depset([operators]),
            rows = depset(rows),
            traits = depset([traits]),
        ),
    ]

operators = rule(
    implementation = _operators_impl,
    doc = """Generates C++ from operator specs.

Output groups: `code` (what is compiled: one file a family, dispatch table, declarations), `cases` (conformance tests as data), `docs`
(the support table), `rows` (the same as data, by family), `traits` (what the runtime must know of operators besides their mapping).""",
    attrs = {
        "specs": attr.label_list(
            doc = "Spec files, one family each.",
            allow_files = [".yaml"],
            mandatory = True,
        ),
        "owner": attr.string(
            doc = "Of a user's set: its name, by which it is told from others in one program.",
        ),
        "base": attr.label(
            doc = "The set that this one comes on top of: entries for its operators say `override: true`.",
            providers = [OperatorsInfo],
        ),
        "aten_schemas": attr.label(
            doc = "Schemas of the operators that the set adds to PyTorch's, one a line.",
            allow_single_file = True,
        ),
        "libraries": attr.label_list(
            doc = "Definitions that spec files may import.",
            allow_files = [".yaml"],
            default = ["//spec:lib"],
        ),
        "coverage": attr.bool(
            doc = "Whether `code` tells //tests/conformance:arms which arms of the specs it takes.",
        ),
        "domains": attr.label_list(
            doc = "Spec files with the schemas of nodes that every set may use.",
            allow_files = [".yaml"],
            default = ["//spec:domains"],
        ),
        "_templates": attr.label(
            doc = "Templates of generated files, all in one folder.",
            allow_files = [".tpl"],
            default = "//templates",
        ),
        "_generator": attr.label(
            doc = "The generator.",
            cfg = tool,
            default = "//codegen",
            executable = True,
        ),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
