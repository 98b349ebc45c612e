"""runtime_golden(name, archive, opsets): archive -> IR -> ONNX, compared as text."""

def runtime_golden(name, archive, opsets):
    """Makes NAME_test, which compares with NAME.txt, and NAME_update, which rewrites it.

    Args:
      name: of the golden.
      archive: label of a .pt2 file.
      opsets: at which to export.
    """
    arguments = [
        "$(rootpath //:exporter)",
        native.package_name() + "/%s.txt" % name,
        "$(rootpath %s)" % archive,
    ] + [str(opset) for opset in opsets]
    data = [
        archive,
        "//:exporter",
    ]
    native.sh_test(
        name = name + "_test",
        size = "small",
        srcs = ["golden.sh"],
        args = ["check"] + arguments,
        data = data + [name + ".txt"],
    )
    native.sh_binary(
        name = name + "_update",
        testonly = True,
        srcs = ["update.sh"],
        args = arguments,
        data = data + ["golden.sh"],
    )
