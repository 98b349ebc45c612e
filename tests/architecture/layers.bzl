"""Tests of the layer rules: what a target may never depend on."""

def layer_test(name, target, forbidden):
    """Fails when `target` depends, however indirectly, on a label that matches one of `forbidden`.

    Args:
      name: of the test.
      target: the label whose dependencies are listed.
      forbidden: extended regular expressions over labels, like "^//codegen" or "^@libtorch//:torch$".
    """
    native.genquery(
        name = name + "_deps",
        expression = "deps(%s)" % target,
        opts = ["--notool_deps"],  # a generator that makes sources is no dependency of the program
        scope = [target],
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["layers_test.sh"],
        args = ["$(rootpath :%s_deps)" % name] + ["'%s'" % pattern for pattern in forbidden],
        data = [":%s_deps" % name],
    )
