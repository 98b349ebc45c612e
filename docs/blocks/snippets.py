"""snippets.py LIST LANGUAGE PAGE...: prints one source with all blocks of C or C++ of the pages, to be compiled.

A block that is a whole file stays one: its names are in a namespace, its `main` has another name. Statements become the body
of a function, which sees what given.h declares. Errors name the page and its line.
"""

import re
import sys

from docs import markdown
from docs.blocks import listed

_FILE = re.compile(r"^(int main\(|TORCH_LIBRARY\()", re.M)


def source_of(block, number):
    """Includes, and the rest."""
    lines = block.text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = "\n".join("" if line.startswith("#include") else line for line in lines)
    body = f'#line {block.line + 1} "{block.path}"\n{body}\n'
    if _FILE.search(block.text):
        body = re.sub(r"^int main\(", f"int main_{number}(", body, flags=re.M)
    else:
        body = f"int Statements{number}(void) {{\n{body}return 0;\n}}\n"
    return includes, body


def source(blocks, language):
    """One source of all the blocks."""
    includes, bodies = ['#include "docs/blocks/given.h"'], []
    for number, block in enumerate(blocks):
        wanted, body = source_of(block, number)
        includes += [line for line in wanted if line not in includes]
        bodies.append(f"namespace block_{number} {{\n{body}}}  // namespace\n" if language == "cpp" else body)
    return "\n".join([*includes, *bodies])


def main():
    """See the file's comment."""
    list_path, language, *pages = sys.argv[1:]
    skipped = {(one.page, one.text) for one in listed.read(list_path)}
    blocks = [block for page in pages for block in markdown.blocks(markdown.read(page), page) if block.language == language]
    blocks = [block for block in blocks if (block.path, listed.pieces(block)[0]) not in skipped]
    if not blocks:
        sys.exit(f"the pages have no block of {language}")
    print(source(blocks, language))


if __name__ == "__main__":
    main()
