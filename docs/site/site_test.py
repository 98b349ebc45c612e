#!/usr/bin/env -S python3 -B
"""site_test.py FOLDER: the built site. No link in it is dead, no page loads anything from elsewhere, entries and headers
can be found."""

import html.parser
import json
import os
import posixpath
import re
import sys
import unittest
import urllib.parse

SITE = sys.argv.pop(1)

# A browser loads these by itself, by tag and attribute.
_LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("object", "data")}
_RELATIONS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
_CSS_LOADS = re.compile(r"""@import\s*["']?([^"';]+)|url\(\s*["']?([^"')]+)""")


class Page(html.parser.HTMLParser):
    """Names of places, links, and what is loaded."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loaded, self.classes, self.metas = set(), [], [], set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.names.update(filter(None, [attributes.get("id"), attributes.get("name") if tag == "a" else None]))
        self.classes.update((attributes.get("class") or "").split())
        if tag == "meta":
            self.metas.add(attributes.get("name"))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "link" and _RELATIONS & set((attributes.get("rel") or "").split()):
            self.loaded.append(attributes["href"])
        self.loaded += [value for name, value in attrs if (tag, name) in _LOADED and value]
        self.loaded += [part.split()[0] for part in (attributes.get("srcset") or "").split(",") if part.strip()]
        self.loaded += [one or two for one, two in _CSS_LOADS.findall(attributes.get("style") or "")]


def read(name):
    with open(os.path.join(SITE, name), encoding="utf-8") as file:
        return file.read()


def files(ending):
    found = []
    for folder, _, names in os.walk(SITE):
        found += [os.path.relpath(os.path.join(folder, name), SITE) for name in names if name.endswith(ending)]
    return sorted(found)


def is_elsewhere(link):
    return urllib.parse.urlsplit(link).scheme not in ("", "data") or link.startswith("//")


def dead(name, link, pages):
    """The fault of a link on the page `name`, or None."""
    parts = urllib.parse.urlsplit(link)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(parts.path))) if parts.path else name
    if target.startswith("..") or not os.path.isfile(os.path.join(SITE, target)):
        return f"{name}: {link}: there is no such page"
    anchor = urllib.parse.unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].names:
        return f"{name}: {link}: there is no such place"
    return None


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {name: Page(read(name)) for name in files(".html")}

    def test_has_what_a_reader_looks_for(self):
        for name in ("index", "torch-onnx", "cpp", "rules", "scale", "security", "operators", "operators_table", "api/export",
                     "api/c", "spec/index", "spec/aten/rnn", "examples/embed/index", "bench/index", "changelog"):  # fmt: skip
            self.assertIn(name + ".html", self.pages)
        self.assertGreater(len(self.pages), 120)
        for name, page in self.pages.items():
            self.assertIn("viewport", page.metas, name)

    def test_no_link_is_dead(self):
        found = []
        for name, page in self.pages.items():
            for link in page.links:
                if not is_elsewhere(link) and name != "404.html":
                    found.append(dead(name, link, self.pages))
        self.assertGreater(len(found), 5000)
        self.assertEqual(sorted(filter(None, found)), [])

    def test_nothing_is_loaded_from_elsewhere(self):
        loaded = [(name, link) for name, page in self.pages.items() for link in page.loaded]
        for name in files(".css"):
            loaded += [(name, one or two) for one, two in _CSS_LOADS.findall(read(name))]
        self.assertGreater(len(loaded), 500)
        self.assertEqual([one for one in loaded if is_elsewhere(one[1])], [])
        missing = [dead(*one, {}) for one in loaded if not one[1].startswith("data:") and one[0] != "404.html"]
        self.assertEqual(list(filter(None, missing)), [])
        # The theme's script would fetch something for these.
        for name, page in self.pages.items():
            self.assertEqual(page.classes & {"mermaid", "glightbox", "pyodide", "md-source"}, set(), name)

    def test_operators_lead_to_their_entries(self):
        text = read("operators_table.html")
        where = re.search('data-entries="([^"]*)"', text)[1]
        operators = json.loads(re.search(r"const DATA = (\{.*?\});$", text, re.S | re.M)[1])["operators"]
        self.assertGreater(len(operators), 1000)
        found = []
        for operator in operators:
            parts = {"page": operator["spec"].removesuffix(".yaml"), "name": urllib.parse.quote(operator["name"])}
            found.append(dead("operators_table.html", where.format(**parts), self.pages))
        self.assertEqual(list(filter(None, found)), [])

    def test_the_search_finds(self):
        # A script, so that it is there without a server.
        index = json.loads(re.search(r"\{.*\}", read("search.js"), re.S)[0])
        items = index.get("items") or index["docs"]
        found = {}
        for item in items:
            found.setdefault(item["title"], []).append(item["location"])
        for title, page in [("ExportOptions", "api/export.html"), ("onnxport_export_file", "api/c.html")]:
            self.assertTrue(any(place.startswith(page) for place in found.get(title, [])), title)
        self.assertTrue(any("weights_as_inputs" in item["text"] for item in items))
        self.assertTrue(any("aten::leaky_relu" in item["title"] for item in items))
        wrong = [dead("index.html", item["location"], self.pages) for item in items if item["location"]]
        self.assertEqual(list(filter(None, wrong)), [])


if __name__ == "__main__":
    unittest.main()
