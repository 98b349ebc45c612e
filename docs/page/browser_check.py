#!/usr/bin/env python3
"""Opens the project's pages in a real browser, wide and narrow, light and dark, and works the page of operators by keys.

usage: browser_check.py [--browser PROGRAM] [--model PAGE]

The page of operators is the one that `./bazelw build //docs/page:operators_html` makes. PAGE is one that `exporter inspect model.onnx --html PAGE` wrote. Not among the tests: the build environment has no
browser.
"""

import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
from docs import browser  # noqa: E402

OPERATORS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "bazel-bin", "docs", "page", "operators.html")
SIZES = [(1400, 900), (420, 900)]

ALWAYS = """
found.background = getComputedStyle(document.documentElement).colorScheme;
found.tables = document.querySelectorAll("table tr, .row").length;
"""

# Keys go to what has the focus, as a user's do.
KEYS = """
const key = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const visible = () => [...document.querySelectorAll(".row")].filter((row) => row.offsetParent && row.querySelector("button"));
found.rows = visible().length;
key("/");
found.searching = document.activeElement.id;
document.activeElement.value = "layer_norm";
document.activeElement.dispatchEvent(new Event("input"));
found.matches = visible().length;
found.address = location.hash;
key("ArrowDown");
found.first = document.activeElement.textContent;
key("ArrowDown");
key("ArrowUp");
found.back = document.activeElement.textContent;
document.activeElement.click();
found.open = document.activeElement.getAttribute("aria-expanded");
found.details = document.querySelectorAll(".more td").length;
found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
key("Escape");
found.closed = document.activeElement.getAttribute("aria-expanded");
const opset = document.getElementById("opset");
document.getElementById("query").value = "";
opset.value = "7";
opset.dispatchEvent(new Event("input"));
found.at7 = visible().length;
"""


def faults(found, dark, keys):
    wanted = {"errors": [], "dark": dark, "background": "light dark"}
    if keys:
        wanted |= {"searching": "query", "open": "true", "closed": "false", "address": "#q=layer_norm"}
        wanted["back"] = found["first"]
    for name, value in wanted.items():
        if found[name] != value:
            yield f"{name} is {found[name]!r}, not {value!r}"
    for name in ("overflow", "wide"):
        if found.get(name, 0) > 0:
            yield f"{name}: {found[name]} pixels wider than the window"
    if found["tables"] == 0:
        yield "there are no rows"
    if keys and not 0 < found["matches"] < found["at7"] < found["rows"]:
        yield f"filters: {found['matches']} by name, {found['at7']} at opset 7, of {found['rows']}"
    if keys and found["details"] == 0:
        yield "an open operator shows no dtypes"


def main():
    parser = browser.parser(__doc__)
    parser.add_argument("--model")
    options = parser.parse_args()
    failed = 0
    for page, keys in [(OPERATORS, True)] + ([(options.model, False)] if options.model else []):
        for size in SIZES:
            for dark in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    copy = shutil.copy(page, folder)
                    found = browser.look(options.browser, copy, size, dark, ALWAYS + (KEYS if keys else ""))
                wrong = list(faults(found, dark, keys))
                failed += bool(wrong)
                name = f"{os.path.basename(page)} {size[0]}x{size[1]} {'dark' if dark else 'light'}"
                print(f"{name}: {'; '.join(wrong) if wrong else 'as it should be'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
