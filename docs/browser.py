"""Opens a page in a real browser, runs a script in it, and gives what the script found. For the checks of pages that the
tests cannot do, as the build environment has no browser: Chromium, under one of the names below."""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

_KNOWN = ["chromium", "chromium-headless-shell", "google-chrome"]

# Runs after the page's own script; what it finds stands in an element that the dump of the page shows.
_HARNESS = """
<script>
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
(async () => {
const found = { errors };
found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
%s
document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
})().catch((error) => document.body.replaceChildren(Object.assign(document.createElement("pre"),
  { id: "found", textContent: JSON.stringify({ errors: [String(error)] }) })));
</script>
"""


def parser(description):
    """Makes a parser of the arguments, with `--browser`."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--browser", default=next(filter(None, map(shutil.which, _KNOWN)), None))
    return made


def look(browser, page, size, dark, script):
    """Runs `script` in the file `page` and returns its `found`. A copy of the page lies beside it meanwhile."""
    if browser is None:
        sys.exit("no browser is installed; --browser names one")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    first = '<script>const errors = []; addEventListener("error", (event) => errors.push(event.message));</script>'
    text = text.replace("<head>", "<head>" + first, 1)
    text = text.replace("</body>", _HARNESS % script + "</body>", 1)
    copy = os.path.join(os.path.dirname(page), "looked_at.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text)
    with tempfile.TemporaryDirectory() as folder:
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder]
        command += ["--window-size=%d,%d" % size, "--blink-settings=preferredColorScheme=%d" % (0 if dark else 1)]
        command += ["--virtual-time-budget=30000", "--dump-dom", "file://" + os.path.abspath(copy)]
        dump = subprocess.run(command, capture_output=True, text=True, timeout=180)
    os.remove(copy)
    match = re.search(r'<pre id="found">(.*?)</pre>', dump.stdout, re.S)
    if not match:
        sys.exit("the page did not come to its end:\n" + dump.stderr)
    return json.loads(html.unescape(match.group(1)))
