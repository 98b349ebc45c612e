#!/usr/bin/env python3
"""Opens the project's pages in a real browser, wide and narrow, light and dark, and works the page of operators by keys.

usage: browser_check.py [--browser PROGRAM] [--model PAGE]

PAGE is one that `exporter inspect model.onnx --html PAGE` wrote. Not among the tests: the build environment has no
browser. Needs Chromium (chromium, chromium-headless-shell or google-chrome).
"""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPERATORS = os.path.join(os.path.dirname(HERE), "operators.html")
SIZES = [(1400, 900), (420, 900)]

# Runs after the page's own script; what it finds stands in an element that the dump of the page shows.
HARNESS = """
<script>
const found = { errors };
found.overflow = document.documentElement.scrollWidth - window.innerWidth;
found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
found.background = getComputedStyle(document.documentElement).colorScheme;
found.tables = document.querySelectorAll("table tr, .row").length;
%s
document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
</script>
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
found.wide = document.documentElement.scrollWidth - window.innerWidth;
key("Escape");
found.closed = document.activeElement.getAttribute("aria-expanded");
const opset = document.getElementById("opset");
document.getElementById("query").value = "";
opset.value = "7";
opset.dispatchEvent(new Event("input"));
found.at7 = visible().length;
"""


def look(browser, page, size, dark, keys):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    first = '<script>const errors = []; addEventListener("error", (event) => errors.push(event.message));</script>'
    text = text.replace("<head>", "<head>" + first, 1)
    text = text.replace("</body>", HARNESS % (KEYS if keys else "") + "</body>", 1)
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder]
        command += ["--window-size=%d,%d" % size, "--blink-settings=preferredColorScheme=%d" % (0 if dark else 1)]
        dump = subprocess.run(command + ["--dump-dom", copy], capture_output=True, text=True, timeout=120)
    match = re.search(r'<pre id="found">(.*?)</pre>', dump.stdout, re.S)
    if not match:
        sys.exit("the page did not come to its end:\n" + dump.stderr)
    return json.loads(html.unescape(match.group(1)))


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
    parser = argparse.ArgumentParser()
    known = ["chromium", "chromium-headless-shell", "google-chrome"]
    parser.add_argument("--browser", default=next(filter(None, map(shutil.which, known)), None))
    parser.add_argument("--model")
    options = parser.parse_args()
    if options.browser is None:
        sys.exit("no browser is installed; --browser names one")
    failed = 0
    for page, keys in [(OPERATORS, True)] + ([(options.model, False)] if options.model else []):
        for size in SIZES:
            for dark in (False, True):
                found = look(options.browser, page, size, dark, keys)
                wrong = list(faults(found, dark, keys))
                failed += bool(wrong)
                name = f"{os.path.basename(page)} {size[0]}x{size[1]} {'dark' if dark else 'light'}"
                print(f"{name}: {'; '.join(wrong) if wrong else 'as it should be'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
