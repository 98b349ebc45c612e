"""labels.py: prints the targets of this workspace that commands on the pages name, `./bazelw build //:exporter`."""

import subprocess

from docs import markdown
from docs.blocks import listed


def main():
    """See the file's comment."""
    skipped = {(one.page, one.text) for one in listed.read("docs/blocks/not_run.txt")}
    files = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "*.md"], capture_output=True, check=True, text=True
    ).stdout.split()
    found = set()
    for path in files:
        for block in markdown.blocks(markdown.read(path), path):
            for piece in listed.pieces(block) if block.language == "bash" else []:
                words = piece.split()
                if "./bazelw" in words and (path, piece) not in skipped:
                    words = words[: words.index("--")] if "--" in words else words
                    found.update(word for word in words if word.startswith("//") and "..." not in word)
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main()
