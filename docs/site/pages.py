"""Which page of the site a file of the repository becomes, and where links then lead."""

import posixpath
import re

from docs import markdown

# Files that have another name on the site than in the repository.
_NAMED = {
    "docs/start.md": "index.md",
    "README.md": "overview.md",
    "LICENSE": "license.md",
    "docs/page/operators.html": "operators_table.html",
}


def page_of(path):
    """The file of the site's sources that `path`, a file of the repository or made of it by Bazel, becomes."""
    path = re.sub("^bazel-out/[^/]+/bin/", "", path)
    folder, name = posixpath.split(path)
    if path in _NAMED:
        return _NAMED[path]
    if folder == "docs":
        return name
    if folder == "onnxport":
        return f"api/{name.removesuffix('.h')}.md"
    if name == "README.md":
        return f"{folder}/index.md"
    return posixpath.splitext(path)[0] + ".md" if folder else name.lower()


class Links:
    """Links between files of the repository as links between pages."""

    def __init__(self, files):
        self._files = set(files)

    def rewritten(self, text, path):
        """The text of the file `path` with links to pages."""
        made = []
        for piece in markdown.split(text, path):
            if isinstance(piece, str):
                made.append(markdown.map_links(piece, lambda link: self.target(link, path)))
            else:
                made.append(f"```{piece.language}\n{piece.text}```\n")
        return "".join(made)

    def target(self, link, path):
        """Where `link`, in the file `path`, leads on the site."""
        if "://" in link or link.startswith("#"):
            return link
        place, hash_, anchor = link.partition("#")
        page = self._page(posixpath.normpath(posixpath.join(posixpath.dirname(path), place)))
        if not page:
            raise ValueError(f"{path}: {link} is no page: add it to docs/site/BUILD.bazel")
        here = posixpath.dirname(page_of(path)) or "."
        return posixpath.relpath(page, here) + hash_ + anchor

    def _page(self, place):
        if place in self._files:
            return page_of(place)
        # A folder leads to its README, or to the list of its files (stage.py).
        below = any(file.startswith(place + "/") for file in self._files)
        return f"{place}/index.md" if below else None
