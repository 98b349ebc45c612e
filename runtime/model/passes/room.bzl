"""A room of the passes: a library of its folder, and its tests."""

load("//tools:joined.bzl", "joined_cc_library", "joined_cc_test")

# No product is added without being rounded: what is computed of weights must be the same on every machine.
_EXACT_FLOATS = ["-ffp-contract=off"]

def pass_room(name, deps, test_deps):
    """A library of all sources of the folder, and `NAME_test`, a program of all its tests.

    Args:
      name: of the library, as the folder.
      deps: libraries that the passes use.
      test_deps: libraries that the tests use, beside the room and GoogleTest.
    """
    joined_cc_library(
        name = name,
        copts = _EXACT_FLOATS,
        deps = deps,
    )
    joined_cc_test(
        name = name + "_test",
        size = "small",
        deps = [
            ":" + name,
            "@googletest//:gtest_main",
        ] + test_deps,
    )
