"""Tests that run the command as a user does."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def exporter_test(name, src, exporter = "//:exporter", data = [":models"], size = "small"):
    """A script that is run with the paths of the exporter and of each of `data`, in this order.

    Args:
      name: of the test.
      src: the script, executable: .sh or .py.
      exporter: the command, or one that `onnx_exporter` makes.
      data: targets of one file or folder each.
      size: of the test.
    """
    files = [exporter] + data
    sh_test(
        name = name,
        size = size,
        srcs = [src],
        args = ["$(rootpath %s)" % file for file in files],
        data = files,
    )
