"""Tests of the layer rules: what a target may never depend on."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

# Sources that programs of codegen/ make.
_MADE = [
    "//generated:aten",
    "//runtime/model/target:profiles",
]

def layer_test(name, target, forbidden, generated = True):
    """Fails when `target` depends, however indirectly, on a label that matches one of `forbidden`.

    Args:
      name: of the test.
      target: the label whose dependencies are listed.
      generated: the target holds generated code; the generator itself is left out.
      forbidden: extended regular expressions over labels, like "^//codegen" or "^@libtorch//:torch$".
    """
    native.genquery(
        name = name + "_deps",
        # The generator that makes sources is no part of the program.
        expression = " except ".join(["deps(%s)" % label for label in [target] + (_MADE if generated else [])]),
        scope = [target] + (_MADE if generated else []),
    )
    sh_test(
        name = name,
        size = "small",
        srcs = ["layers_test.sh"],
        args = ["$(rootpath :%s_deps)" % name] + ["'%s'" % pattern.replace("$", "$$") for pattern in forbidden],
        data = [":%s_deps" % name],
    )
