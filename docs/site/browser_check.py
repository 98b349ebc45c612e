#!/usr/bin/env python3
"""Opens the built site from the disk in a real browser: wide and as narrow as a phone, light and dark. Nothing is wider
than the window, nothing is loaded from elsewhere, and the search finds.

usage: browser_check.py [--browser PROGRAM] [FOLDER]      by default bazel-bin/docs/site/site
"""

import os
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, ROOT)
from docs import browser  # noqa: E402

SIZES = [(1400, 900), (500, 900), (360, 740)]
PAGES = ["index", "overview", "python", "operators", "spec/index", "spec/aten/rnn", "api/export", "examples/embed/index", "bench/index"]

LOOK = """
await wait(500);
found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
found.scheme = document.body.dataset.mdColorScheme;
found.loaded = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => !/^(file|data):/.test(name));
"""

# The theme's search is in a tree of its own.
SEARCH = """
await wait(3000);
document.querySelector(".md-search__button").click();
await wait(3000);
const tree = [...document.querySelectorAll("*")].map((one) => one.shadowRoot).find(Boolean);
const input = tree.querySelector("input[role=combobox]");
input.value = "weights_as_inputs";
input.dispatchEvent(new Event("input", { bubbles: true }));
await wait(3000);
found.results = [...tree.querySelectorAll("a")].map((one) => one.href).filter((link) => link.includes("api/export.html"));
"""


def faults(found, dark, searched):
    """Messages about faults that a page has shown."""
    for error in found["errors"]:
        yield error
    if found.get("scheme") != ("slate" if dark else "default"):
        yield f"its colours are those of {found.get('scheme')!r}"
    if found.get("wide", 0) > 0:
        yield f"{found['wide']} pixels wider than the window"
    if found.get("loaded"):
        yield f"it loads {', '.join(found['loaded'])}"
    if searched and not found.get("results"):
        yield "the search does not find an option of the API"


def main():
    """See the file's comment."""
    parser = browser.parser(__doc__)
    parser.add_argument("folder", nargs="?", default=os.path.join(ROOT, "bazel-bin/docs/site/site"))
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "site")
        shutil.copytree(options.folder, copy, copy_function=shutil.copyfile)
        os.system(f"chmod -R u+w {copy}")
        for page in PAGES:
            for size in SIZES:
                for dark in (False, True):
                    searched = page == "index" and size == SIZES[0]
                    found = browser.look(options.browser, f"{copy}/{page}.html", size, dark, LOOK + (SEARCH if searched else ""))
                    wrong = list(faults(found, dark, searched))
                    failed += bool(wrong)
                    name = f"{page} {size[0]}x{size[1]} {'dark' if dark else 'light'}"
                    print(f"{name}: {'; '.join(wrong) if wrong else 'as it should be'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
