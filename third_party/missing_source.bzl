"""Stands for the targets of a library whose sources were not fetched (pinned_source.bzl)."""

def _missing_source_impl(ctx):
    fail(ctx.attr.message)

missing_source = rule(
    implementation = _missing_source_impl,
    doc = "Cannot be built, and says why.",
    attrs = {"message": attr.string(mandatory = True)},
)
