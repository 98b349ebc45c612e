"""Libraries as modules of clang, so that it can tell whose header an include is.

No module is compiled: a module map only says which headers a library has and which libraries it may use (clang's option
`-fmodules-decluse`). Headers that are in no map, those of installed libraries, may be included by all.
"""

def module_of(label, headers, private_headers, deps):
    """A library as a module.

    Args:
      label: of the library.
      headers: files that its users may include.
      private_headers: files that only its own sources may include.
      deps: the modules of what is in its `deps`. One that has no headers stands for those of its own `deps`.

    Returns:
      A struct, for `write_module_map`.
    """
    uses = {name: True for dep in deps for name in dep.provides}
    return struct(
        name = str(label),
        headers = tuple(headers),
        private_headers = tuple(private_headers),
        provides = (str(label),) if headers else tuple(uses),
        uses = tuple(uses),
    )

def _text_with(module, sources):
    return "\n".join(
        ['module "%s" {' % module.name, "  export *"] +
        # A file that is no header on its own may be included anywhere.
        ['  %sheader "%s"' % ("" if file.extension == "h" else "textual ", file.path) for file in module.headers] +
        ['  private header "%s"' % file.path for file in module.private_headers] +
        # A file that another source includes belongs to a module only if the module's map says so.
        ['  private textual header "%s"' % file.path for file in sources] +
        ['  use "%s"' % name for name in module.uses] +
        ["}"],
    )

def _text(module):
    return _text_with(module, [])

def write_module_map(ctx, path, module, sources, others):
    """Makes the file that clang reads with the sources of a module.

    Args:
      ctx: of the rule or aspect.
      path: of the file, in the package.
      module: whose sources they are.
      sources: files that are no headers, but are included by what clang reads (joined.bzl).
      others: depset of all modules that it depends on: clang must know them to refuse their headers.

    Returns:
      The file.
    """
    out = ctx.actions.declare_file(path)
    content = ctx.actions.args()
    content.set_param_file_format("multiline")
    content.add(_text_with(module, sources))
    content.add_all(others, map_each = _text)
    ctx.actions.write(out, content)
    return out
