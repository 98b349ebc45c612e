"""A file of specs as a page: each entry under the names of its operators, to which other pages link."""

import html
import re

import yaml


def _items(text):
    """The file's head, and then each item with the comments in front of it."""
    parts = [[]]
    pending = []
    started = False
    for line in text.splitlines():
        if line.startswith("#") and started:
            pending.append(line)
        elif line.startswith("- "):
            parts.append([*pending, line])
            pending = []
            started = True
        else:
            parts[-1] += [*pending, line]
            pending = []
            started = started or line == "ops:"
    parts[-1] += pending
    return ["\n".join(part).strip("\n") for part in parts]


def names(item):
    """The names that the item defines: operators, a definition or a schema."""
    (read,) = yaml.safe_load(item)
    about = read.get("op") or read.get("def") or read.get("schema")
    return [about.partition("(")[0]] if isinstance(about, str) else list(about)


def _block(text):
    return f"```yaml\n{text}\n```"


def page(path, text):
    """The Markdown of the spec file `path` with that text."""
    head, *items = _items(text)
    made = [f"# {path}", _block(head)]
    for item in items:
        found = names(item)
        anchors = "".join(f'<a id="{html.escape(name)}"></a>' for name in found)
        title = ", ".join(f"`{name}`" for name in found[:3]) + (" ..." if len(found) > 3 else "")
        made += [f"## {title}", anchors, _block(item)]
    return "\n\n".join(made) + "\n"


def is_entries(text):
    """A profile of a target is YAML as well, but has no items."""
    return re.search(r"^ops:$", text, re.M) is not None
