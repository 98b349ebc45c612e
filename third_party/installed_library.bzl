"""The repository rule behind every external library: finds an installed one and describes it to Bazel.

The places, in this order:
  0. what the workspace names: a folder `path`, or an archive (`urls`), which holds `include/` and `lib/`.
  1. the folder in the library's environment variable (`LIBTORCH_ROOT`, `ONNX_ROOT`, ...). It holds `include/` and `lib/`.
     A folder without the library, of these two, is an error: what was asked for by name is never replaced in silence.
  2. the attribute `places`, then `/usr/local` and `/usr`.
  3. for a library that a Python package carries (LibTorch in `torch`): the usual folders of Python packages.
     They are only looked at; no Python runs.

Builds for a platform of `//toolchain`, which are releases, take the repository `pinned` instead (pinned_sources.bzl).

A library of which only a shared file is installed is compiled from `code` instead, if it has that (fmt): a static program
needs the functions, too.

A library with `source_build` (ONNX) is built from its sources when the variable `source_variable` (`ONNX_SOURCE`) names
their folder.
"""

load(":libraries.bzl", "LIBRARIES")

_SYSTEM_PLACES = ["/usr/local", "/usr"]
_LIB_DIRS = ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"]

# Compiler, linker and loader search it already. As `-isystem`, its `include` would even hide the C++ library's own
# wrappers (`#include_next`).
_BUILT_IN_PLACE = "/usr"

def _exists(rctx, path):
    return rctx.path(path).exists

def _find_lib_dir(rctx, prefix, library):
    """Returns the folder below `prefix` that holds `library`, or None."""
    for lib_dir in _LIB_DIRS:
        for suffix in [".so", ".a", ".dylib"]:
            if _exists(rctx, "%s/%s/lib%s%s" % (prefix, lib_dir, library, suffix)):
                return "%s/%s" % (prefix, lib_dir)
    return None

def _is_shared_only(rctx, found, libraries):
    """Returns whether one of the libraries has no static archive."""
    archives = [
        "%s/lib%s.a" % (lib_dir, library)
        for lib_dir in found.lib_dirs
        for library in libraries
    ]
    return len([archive for archive in archives if _exists(rctx, archive)]) < len(libraries)

def _look_into(rctx, prefix):
    """Returns struct(prefix, include_dirs, probe, lib_dirs) if the whole library lies below `prefix`, else None."""
    include_dirs = [d for d in rctx.attr.include_dirs if _exists(rctx, prefix + "/" + d)]
    probes = ["%s/%s/%s" % (prefix, d, rctx.attr.probe) for d in include_dirs]
    probes = [probe for probe in probes if _exists(rctx, probe)]
    if not probes:
        return None
    lib_dirs = {}
    for libraries in rctx.attr.targets.values():
        for library in libraries:
            lib_dir = _find_lib_dir(rctx, prefix, library)
            if not lib_dir:
                return None
            lib_dirs[lib_dir] = True
    return struct(prefix = prefix, include_dirs = include_dirs, probe = probes[0], lib_dirs = lib_dirs.keys())

def _python_places(rctx):
    """The folders of the Python package `python_package` in the environments that are active or usual."""
    if not rctx.attr.python_package:
        return []
    roots = []
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"]:
        if rctx.os.environ.get(variable):
            roots.append(rctx.os.environ[variable])
    if rctx.os.environ.get("HOME"):
        roots.append(rctx.os.environ["HOME"] + "/.local")
    places = []
    for root in roots + _SYSTEM_PLACES:
        lib = rctx.path(root + "/lib")
        if not lib.exists:
            continue
        for python in lib.readdir():
            if python.basename.startswith("python3"):
                for kind in ["site-packages", "dist-packages"]:
                    places.append("%s/%s/%s" % (python, kind, rctx.attr.python_package))
    return places

def _wanted(rctx):
    """Describes the files that a place must hold."""
    names = [name for libraries in rctx.attr.targets.values() for name in libraries]
    return " and ".join(["the header `%s`" % rctx.attr.probe] + ["the library `lib%s`" % name for name in names])

def _find_named(rctx):
    """Returns the place that the workspace names, or None."""
    place = rctx.attr.path.rstrip("/")
    if rctx.attr.urls:
        rctx.download_and_extract(
            output = "archive",
            sha256 = rctx.attr.sha256,
            stripPrefix = rctx.attr.strip_prefix,
            url = rctx.attr.urls,
        )
        place = str(rctx.path("archive"))
    if not place:
        return None
    found = _look_into(rctx, place)
    if not found:
        fail("\n%s, which is named for %s, does not have it.\nlooked for: %s, below its `include` and `lib` folders." %
             (" or ".join(rctx.attr.urls) or place, rctx.attr.title, _wanted(rctx)))
    return found

def _places(rctx):
    """Where it is looked for, unless it is named."""
    return rctx.attr.places + _SYSTEM_PLACES + _python_places(rctx)

def _find(rctx):
    """Where the library is, or None."""
    named = _find_named(rctx)
    if named:
        return named
    variable = rctx.attr.variable
    given = rctx.os.environ.get(variable)
    if given:
        found = _look_into(rctx, given.rstrip("/"))
        if not found:
            fail("\n%s=%s holds no %s.\nlooked for: %s, below its `include` and `lib` folders.\nCorrect %s, or unset it to use the system's own." %
                 (variable, given, rctx.attr.title, _wanted(rctx), variable))
        return found
    for place in _places(rctx):
        found = _look_into(rctx, place)
        if found:
            return found
    return None

def _absence(rctx):
    """Why there is no library, and what would help."""
    return "\n%s is not on this machine.\nlooked for: %s\nlooked in:  %s\nto give it: set %s to the folder with its `include` and `lib`, or install `%s` (Debian), or build with ./bazelw, which brings everything along." % (
        rctx.attr.title,
        _wanted(rctx),
        ", ".join(_places(rctx)),
        rctx.attr.variable,
        rctx.attr.package,
    )

def _include_dirs(found):
    """Returns the values of `-isystem`.

    They are folders of the symlink `include`, or absolute ones where the compiler looks anyway."""
    if found.prefix != _BUILT_IN_PLACE:
        return found.include_dirs
    return ["%s/%s" % (found.prefix, d) for d in found.include_dirs if d != "include"]

def _link_flags(found, libraries):
    flags = []
    if libraries and found.prefix != _BUILT_IN_PLACE:
        for lib_dir in found.lib_dirs:
            flags += ["-L" + lib_dir, "-Wl,-rpath," + lib_dir]
    return flags + ["-l" + library for library in libraries]

def _loaded_define(define, found, libraries):
    """Tells a program that loads the library while it runs which file the build has found."""
    return '%s="%s/lib%s.so"' % (define, found.lib_dirs[0], libraries[0])

def _target(name, libraries, deps, found, defines, code = None):
    return """
installed_cc_library(
    name = {name},
    stamp = "stamp.h",
    link_stamp = "link_stamp.txt",
    include_tree = {include_tree},
    include_dirs = {include_dirs},
    defines = {defines},
    link_flags = {link_flags},
    code = {code},
    deps = {deps},
)
""".format(
        name = repr(name),
        include_tree = repr([] if found.prefix == _BUILT_IN_PLACE else ["include"]),
        include_dirs = repr(_include_dirs(found)),
        defines = repr(defines),
        link_flags = repr(_link_flags(found, libraries)),
        code = repr(code),
        deps = repr(deps),
    )

def _code(rctx, found):
    """The target `code`: the library's functions, compiled here."""
    return _target("headers", [], [], found, rctx.attr.defines) + """
cc_library(
    name = "code",
    srcs = [{code}],
    deps = [":headers"],
)
""".format(code = repr(str(rctx.attr.code)))

def _alternatives(rctx, name, installed):
    """The target `name`: what is installed, or for a platform of //toolchain the same target of the pinned sources."""
    if not rctx.attr.pinned:
        return ["alias(name = %s, actual = %s)" % (repr(name), repr(installed))]
    return ["alias(name = %s, actual = select({%s: %s, \"//conditions:default\": %s}))" % (
        repr(name),
        repr(str(Label("//toolchain:is_pinned"))),
        repr("@%s//:%s" % (rctx.attr.pinned, name)),
        repr(installed),
    )]

def _absent_library(rctx):
    """Targets that no platform can build: what depends on them is skipped. Bazel's message names the constraint."""
    reason = "%s_is_absent__set_%s" % (rctx.attr.title.replace(" ", "_"), rctx.attr.variable)
    rctx.file("BUILD.bazel", "\n".join([
        'load("@rules_cc//cc:defs.bzl", "cc_library")',
        'package(default_visibility = ["//visibility:public"])',
        'constraint_setting(name = "presence")',
        'constraint_value(name = %s, constraint_setting = ":presence")' % repr(reason),
    ] + [
        "cc_library(name = %s, target_compatible_with = [%s])" % (repr(name), repr(":" + reason))
        for name in rctx.attr.targets
    ]))

def _link_headers(rctx, found):
    """Makes `include` the place's own, or of it only the folders of `header_folders`."""
    if not rctx.attr.header_folders:
        rctx.symlink(found.prefix + "/include", "include")
    for folder in rctx.attr.header_folders:
        rctx.symlink("%s/include/%s" % (found.prefix, folder), "include/" + folder)

_SUM = """
cd "$1" && shift && find -L "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum | cut -d ' ' -f 1
"""

def _sum(rctx, folder, paths):
    """One hash of the files below some paths of a folder, and of their names."""
    result = rctx.execute(["/bin/sh", "-c", _SUM, "sh", folder] + paths)
    if result.return_code:
        fail("\ncannot read the files of {}: {}".format(rctx.attr.title, result.stderr))
    return result.stdout.strip()

def _write_stamps(rctx, found):
    """Users of the library depend on this, in place of each of its files (installed_cc_library.bzl)."""
    headers = rctx.attr.header_folders or [rctx.attr.probe.split("/")[0]]
    include = found.probe.removesuffix("/" + rctx.attr.probe)
    headers = [path for path in headers if _exists(rctx, include + "/" + path)]
    rctx.file("stamp.h", "// {}\n".format(_sum(rctx, include, headers)))

    # A program holds only the name of a shared library.
    archives = [
        "%s/lib%s.a" % (lib_dir, library)
        for lib_dir in found.lib_dirs
        for libraries in rctx.attr.targets.values()
        for library in libraries
    ]
    archives = [archive for archive in archives if _exists(rctx, archive)]
    rctx.file("link_stamp.txt", (_sum(rctx, "/", archives) if archives else "") + "\n")

def _source_folder(rctx):
    """The folder of the library's sources, or None when an installed library is meant."""
    folder = rctx.os.environ.get(rctx.attr.source_variable) if rctx.attr.source_build else None
    missing = [path for path in rctx.attr.source_paths if folder and not _exists(rctx, folder + "/" + path)]
    if missing:
        fail("\n%s=%s holds no sources of %s.\nlooked for: `%s`\nCorrect %s, or unset it." %
             (rctx.attr.source_variable, folder, rctx.attr.title, "`, `".join(missing), rctx.attr.source_variable))
    return folder

def _installed_library_impl(rctx):
    named = rctx.attr.path or rctx.attr.urls
    sources = None if named else _source_folder(rctx)
    if sources:
        for path in rctx.attr.source_paths:
            rctx.symlink(sources + "/" + path, path)
        rctx.symlink(rctx.attr.source_build, "BUILD.bazel")
        return
    if rctx.attr.only_if_given and not named and not rctx.os.environ.get(rctx.attr.variable):
        _absent_library(rctx)
        return
    found = _find(rctx)
    if not found and rctx.attr.may_be_absent:
        # buildifier: disable=print
        print(_absence(rctx) + "\nWhat needs it is skipped.")
        _absent_library(rctx)
        return
    if not found:
        fail(_absence(rctx))
    _write_stamps(rctx, found)
    if found.prefix != _BUILT_IN_PLACE:
        _link_headers(rctx, found)
    build = [
        "# %s, found in %s" % (rctx.attr.title, found.prefix),
        'load("@rules_cc//cc:defs.bzl", "cc_library")',
        "load(%s, \"installed_cc_library\")" % repr(str(Label("//third_party:installed_cc_library.bzl"))),
        'package(default_visibility = ["//visibility:public"])',
    ]
    for name, libraries in rctx.attr.targets.items():
        code, defines = None, rctx.attr.defines
        if name in rctx.attr.loaded:
            libraries, defines = [], defines + [_loaded_define(rctx.attr.loaded[name], found, libraries)]
        elif rctx.attr.code and _is_shared_only(rctx, found, libraries):
            build.append(_code(rctx, found))
            libraries, code = [], ":code"
        pinned = rctx.attr.pinned and (name in rctx.attr.loaded or not rctx.attr.loaded)
        installed = "installed_" + name if pinned else name
        build.append(_target(installed, libraries, rctx.attr.target_deps.get(name, []), found, defines, code))
        if pinned:
            build += _alternatives(rctx, name, installed)
    for name, header in rctx.attr.files.items():
        rctx.symlink("%s/%s/%s" % (found.prefix, found.include_dirs[0], header), "files/" + name)
        build += _alternatives(rctx, name, "files/" + name)
    for name in rctx.attr.programs:
        program = "%s/bin/%s" % (found.prefix, name)
        rctx.symlink(program if _exists(rctx, program) else rctx.which(name) or program, "bin/" + name)
        build += _alternatives(rctx, name, "bin/" + name)
    rctx.file("BUILD.bazel", "\n".join(build))

installed_library = repository_rule(
    implementation = _installed_library_impl,
    doc = "A repository for a C++ library that is installed on the machine. See the comment of this file.",
    attrs = {
        "code": attr.label(doc = "A C++ file of ours with the library's functions, out of its headers."),
        "defines": attr.string_list(doc = "Preprocessor definitions for users of the library."),
        "files": attr.string_dict(doc = "Target to a header that is wanted as a file."),
        "header_folders": attr.string_list(doc = "The folders of `include` that are the library's own; empty: all of it is shown to the compiler, and that of the probe is watched."),
        "include_dirs": attr.string_list(default = ["include"], doc = "Header folders below the place, the first one found decides."),
        "loaded": attr.string_dict(doc = "Which of the targets are for programs that load the library, and link nothing, to the definition that says its file. If there are any, only they are built from pinned sources."),
        "may_be_absent": attr.bool(doc = "Where it is not found, what depends on it is skipped, instead of an error."),
        "only_if_given": attr.bool(doc = "Without its environment variable the library is not looked for: see `_absent_library`."),
        "package": attr.string(doc = "The Debian package, for the error message."),
        "path": attr.string(doc = "The folder with the library's `include` and `lib`; nothing else is looked at."),
        "pinned": attr.string(doc = "The repository with the same targets from pinned sources (pinned_sources.bzl), if any."),
        "places": attr.string_list(doc = "Folders to look into before the system's."),
        "probe": attr.string(mandatory = True, doc = "A header that tells whether the library is there."),
        "programs": attr.string_list(doc = "Programs of the library that the build runs, in `bin`."),
        "python_package": attr.string(doc = "Python package that carries the library in `include` and `lib`."),
        "sha256": attr.string(doc = "Of the archive."),
        "source_build": attr.label(doc = "The BUILD file for the library's sources, for one that can be built from them."),
        "source_paths": attr.string_list(doc = "The files and folders of the sources that `source_build` speaks of."),
        "source_variable": attr.string(doc = "The environment variable that names the folder of the sources."),
        "strip_prefix": attr.string(doc = "The folder of the archive that has `include` and `lib`."),
        "target_deps": attr.string_list_dict(doc = "Target to the targets it needs."),
        "targets": attr.string_list_dict(mandatory = True, doc = "Target to the libraries it links, in link order."),
        "title": attr.string(mandatory = True, doc = "The library's name, for people."),
        "urls": attr.string_list(doc = "Instead of `path`: an archive."),
        "variable": attr.string(mandatory = True, doc = "The environment variable that names its folder."),
    },
    environ = [
        library[key]
        for library in LIBRARIES.values()
        for key in ["variable", "source_variable"]
        if key in library
    ] + ["CONDA_PREFIX", "VIRTUAL_ENV"],
    local = True,
    configure = True,
)
