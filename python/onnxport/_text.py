"""Names that come from a program or a file, as they are shown."""

from __future__ import annotations


def visible(text: str) -> str:
    """Escapes characters that would steer a terminal, end a line or look like other text, as the library does."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def visible_lines(text: str) -> str:
    """The same of a text that is made of lines, as PyTorch's own messages are."""
    return "\n".join(visible(line) for line in text.split("\n"))
