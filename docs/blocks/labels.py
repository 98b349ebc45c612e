"""labels.py: prints the targets of this workspace that commands on the pages name, `./bazelw build //:exporter`."""

from docs import markdown
from docs.blocks import listed


def main():
    """See the file's comment."""
    skipped = {(one.page, one.text) for one in listed.read("docs/blocks/not_run.txt")}
    found = set()
    for path in markdown.pages("."):
        for block in markdown.blocks(markdown.read(path), path):
            for piece in listed.pieces(block) if block.language == "bash" else []:
                words = piece.split()
                if "./bazelw" in words and (path, piece) not in skipped:
                    words = words[: words.index("--")] if "--" in words else words
                    found.update(word for word in words if word.startswith("//") and "..." not in word)
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main()
