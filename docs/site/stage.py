"""stage.py OUT FILE...: the site's sources, made of the repository's files.

Markdown is taken as it is, with links rewritten. A header or a file of specs becomes a page of its declarations or
entries, the page of operators stays HTML, and other texts become blocks of code.
"""

import collections
import os
import posixpath
import sys

from docs.markdown import read
from docs.site import entries, headers, pages

_LANGUAGES = {
    ".bazel": "starlark",
    ".bazelrc": "text",
    ".c": "c",
    ".cc": "cpp",
    ".py": "python",
    ".sh": "bash",
    ".yaml": "yaml",
}


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _code(path):
    name = posixpath.basename(path)
    language = {"CMakeLists.txt": "cmake", "WORKSPACE": "starlark"}.get(name) or _LANGUAGES.get(posixpath.splitext(path)[1])
    if language is None and name.startswith("."):
        language = _LANGUAGES.get(name)
    return f"```{language or 'text'}\n{read(path).rstrip()}\n```"


def _example(readme, files):
    """The README of an example, and its files."""
    folder = posixpath.dirname(readme) + "/"
    made = [read(readme).rstrip(), "## Files"]
    for path in sorted(file for file in files if file.startswith(folder) and file != readme):
        made += [f"### {path.removeprefix(folder)}", _code(path)]
    return "\n\n".join(made) + "\n"


def _operators_table(path):
    """The page that looks up operators, whose links to specs lead to their entries here."""
    here = 'data-entries=""'
    text = read(path)
    if text.count(here) != 1:
        raise ValueError(f"{path} does not say where entries are: {here}")
    text = text.replace(here, 'data-entries="{page}.html#{name}"')
    return text.replace("<h1>", '<p><a href="index.html">onnxport</a></p>\n<h1>', 1)


def _page(path, files, links):
    """The page that the file becomes."""
    if path.endswith(".md"):
        is_example = path.startswith("examples/")
        return links.rewritten(_example(path, files) if is_example else read(path), path)
    if path.endswith(".html"):
        return _operators_table(path)
    if path.endswith(".h"):
        return headers.page(path, read(path))
    if path.endswith(".yaml") and entries.is_entries(read(path)):
        return entries.page(path, read(path))
    return f"# {path}\n\n{_code(path)}\n"


def _title(text):
    return next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "")


def _lists(files, made):
    """For each folder without a page of its own, one that lists its pages."""
    folders = collections.defaultdict(list)
    for path in files:
        folders[posixpath.dirname(pages.page_of(path))].append(pages.page_of(path))
    for folder, names in sorted(folders.items()):
        if folder and f"{folder}/index.md" not in names:
            lines = [f"* [{_title(made[name])}]({posixpath.basename(name)})" for name in sorted(names)]
            title = {"api": "C++ and C API"}.get(folder, folder)
            yield f"{folder}/index.md", f"# {title}\n\n" + "\n".join(lines) + "\n"


def made_of(files):
    """The site's sources: name of each page to its text."""
    shown = [path for path in files if not path.startswith("examples/") or path.endswith("README.md")]
    links = pages.Links(shown)
    made = {pages.page_of(path): _page(path, files, links) for path in shown}
    return made | dict(_lists(shown, made))


def main():
    """See the file's comment."""
    out, *files = sys.argv[1:]
    for name, text in made_of(files).items():
        _write(os.path.join(out, name), text)


if __name__ == "__main__":
    main()
