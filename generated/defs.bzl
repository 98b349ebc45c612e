"""Runs the generator over the operator specs.

One action per spec file, one that merges their rows into the dispatch table, and one that makes the table of traits: an
edit to a family runs the generator for that family and the two tables, nothing else.
"""

def _spec_name(file):
    """The file's path in its repository: what generated comments and messages call it."""
    return "{}/{}".format(file.owner.package, file.owner.name)

def _generate(ctx, arguments, inputs, outputs, mnemonic, message):
    args = ctx.actions.args()
    args.add_all(arguments)
    args.add("--templates", ctx.files.templates[0].dirname)
    args.add("--out-dir", outputs[0].dirname)
    args.add_all(ctx.attr.domains, before_each = "--domain")
    ctx.actions.run(
        executable = ctx.executable.generator,
        arguments = [args],
        inputs = inputs + ctx.files.templates,
        outputs = outputs,
        mnemonic = mnemonic,
        progress_message = message,
    )

def _family(ctx, spec):
    """Declares what one spec file becomes; returns (code, cases, rows)."""
    family = spec.basename[:-len("." + spec.extension)]
    outputs = [
        ctx.actions.declare_file("{}/{}.{}".format(ctx.label.name, family, suffix))
        for suffix in ["gen.cc", "cases.gen.cc", "rows.json"]
    ]
    _generate(
        ctx,
        arguments = ["--spec", spec.path, "--spec-name", _spec_name(spec), "--prelude", ctx.file.prelude.path] +
                    (["--coverage"] if ctx.attr.coverage else []),
        inputs = [spec, ctx.file.prelude],
        outputs = outputs,
        mnemonic = "OperatorFamily",
        message = "Generating operators of " + _spec_name(spec),
    )
    return outputs

def _operators_impl(ctx):
    families = [_family(ctx, spec) for spec in ctx.files.specs]
    rows = [family[2] for family in families]
    table, family_list, operators = [
        ctx.actions.declare_file("{}/{}".format(ctx.label.name, name))
        for name in ["dispatch_table.gen.cc", "families.gen.cc", "operators.md"]
    ]
    _generate(
        ctx,
        arguments = ["--merge"] + [file.path for file in rows],
        inputs = rows,
        outputs = [table, family_list, operators],
        mnemonic = "OperatorTable",
        message = "Generating the dispatch table",
    )
    traits = ctx.actions.declare_file(ctx.label.name + "/op_traits.gen.cc")
    _generate(
        ctx,
        arguments = ["--prelude", ctx.file.prelude.path, "--traits"] + [spec.path for spec in ctx.files.specs],
        inputs = ctx.files.specs + [ctx.file.prelude],
        outputs = [traits],
        mnemonic = "OperatorTraits",
        message = "Generating the table of operator traits",
    )
    code = depset([family[0] for family in families] + [table])
    cases = depset([family[1] for family in families] + [family_list])
    return [
        DefaultInfo(files = depset([operators, traits], transitive = [code, cases])),
        OutputGroupInfo(code = code, cases = cases, docs = depset([operators]), traits = depset([traits])),
    ]

operators = rule(
    implementation = _operators_impl,
    doc = """Generates C++ from operator specs.

Output groups: `code` (functions and dispatch table), `cases` (conformance tests as data), `docs` (the support table), `traits` (what
the runtime must know of operators besides their mapping).""",
    attrs = {
        "specs": attr.label_list(
            doc = "Spec files, one family each.",
            allow_files = [".yaml"],
            mandatory = True,
        ),
        "prelude": attr.label(
            doc = "Definitions that every family may call.",
            allow_single_file = [".yaml"],
            default = "//spec:prelude.yaml",
        ),
        "coverage": attr.bool(
            doc = "Whether `code` tells //tests/conformance:arms which arms of the specs it takes.",
        ),
        "domains": attr.string_list(
            doc = "Operator domains that the targets of exports offer besides ONNX's own.",
        ),
        "templates": attr.label(
            doc = "Templates of generated files, all in one folder.",
            allow_files = [".tpl"],
            default = "//templates",
        ),
        "generator": attr.label(
            doc = "The generator.",
            cfg = "target",  # Bazel 7 shares nothing between configurations: "exec" would compile the generator twice
            default = "//codegen",
            executable = True,
        ),
    },
)
