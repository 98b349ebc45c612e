#!/usr/bin/env -S python3 -B
"""Checks headers, specs and links on their way to the site; stage_test.py CONFIG FILE..."""

import os
import re
import sys
import tomllib
import unittest

sys.path.insert(0, os.getcwd())
from docs import markdown  # noqa: E402
from docs.site import entries, headers, pages, stage  # noqa: E402

CONFIG, *FILES = map(os.path.normpath, sys.argv[1:])  # `./README.md`
HEADERS = [path for path in FILES if path.endswith(".h")]
del sys.argv[1:]

HEADER = """\
// What it is.
//
//   int code = Of(it);
//
// More of `it` and of *that*.
#ifndef A_H_
#define A_H_

#include <string>

namespace onnxport {

class Later;

// One of these.
enum class Kind {
  kOne,  // the first; {
};

// Has a name.
class [[nodiscard]] Named {
 public:
  // Its name.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// Makes it.
template <typename T>
Result<Named> Of(const std::map<std::string, T>& all, int count = 3) {
  return all;
}
Result<Named> Of(int count);
inline constexpr char kText[] = "}";

}  // namespace onnxport

namespace onnxport::detail {

int Hidden();

}  // namespace onnxport::detail

#endif  // A_H_
"""


class Headers(unittest.TestCase):
    def test_page(self):
        page = headers.page("onnxport/a.h", HEADER)
        self.assertEqual(re.findall("^#+ .*", page, re.M)[:1], ["# `onnxport/a.h`"])
        self.assertEqual(re.findall("^## (.*)", page, re.M), ["Kind", "Named", "Of", "kText"])
        self.assertIn('What it is.\n\n```cpp\nint code = Of(it);\n```\n\nMore of `it` and of \\*that\\*.', page)
        self.assertIn("## Kind\n\nOne of these.\n\n```cpp\nenum class Kind {", page)
        self.assertIn("int count = 3);\n```", page)
        self.assertIn('#include "onnxport/a.h"', page)
        for hidden in ("private", "std::string name_;", "Hidden", "return all", "Later", "endif"):
            self.assertNotIn(hidden, page)

    def test_nothing_of_the_public_headers_is_lost(self):
        self.assertGreater(len(HEADERS), 20)
        for path in HEADERS:
            text = markdown.read(path)
            page = headers.page(path, text)
            titles = set(re.findall("^## (.*)", page, re.M))
            outside = "\n".join(headers._public(text))
            declared = re.findall(r"^(?:typedef )?(?:struct|class|enum class) (?:\[\[\w+\]\] )?(\w+)(?= [{:])", outside, re.M)
            declared += re.findall(r"^(?!//| |#|}|using|template|typedef|return|friend)\S.*?\b(\w+)\((?=.*[;,{(]$)", outside, re.M)
            self.assertEqual(set(declared) - titles, set(), path)
            self.assertTrue(titles, path)
            self.assertEqual(page.count("```") % 2, 0, path)


class Entries(unittest.TestCase):
    def test_page(self):
        text = "# A family.\nspec: 1\nfamily: a\n\nops:\n# Adds\n- def: plus(x, y)\n  emit: x + y\n\n#: aten::b(...)\n- op: [aten::b, aten::b.out]\n  emit: plus(x, 1)\n"
        text += "- op:\n    aten::c: {n: 1}\n    aten::d: {n: 2}\n  emit: x\n- schema: acme.Foo\n  inputs: {x: float32}\n"
        page = entries.page("spec/aten/a.yaml", text)
        self.assertEqual(re.findall("^## (.*)", page, re.M), ["`plus`", "`aten::b`, `aten::b.out`", "`aten::c`, `aten::d`", "`acme.Foo`"])
        self.assertIn('<a id="aten::b.out"></a>\n\n```yaml\n#: aten::b(...)\n- op: [aten::b, aten::b.out]\n  emit: plus(x, 1)\n```', page)
        self.assertIn("# spec/aten/a.yaml\n\n```yaml\n# A family.\nspec: 1\nfamily: a\n\nops:\n```", page)
        self.assertFalse(entries.is_entries("title: x\noperators:\n  MatMul:\n"))


class Links(unittest.TestCase):
    SOME = ["README.md", "docs/start.md", "docs/c.md", "spec/README.md", "onnxport/export.h", "examples/embed/README.md", "spec/lib/a.yaml"]

    def test_lead_to_pages(self):
        links = pages.Links(self.SOME)
        for path, link, target in [
            ("README.md", "docs/c.md#options", "c.md#options"),
            ("docs/c.md", "../README.md", "overview.md"),
            ("docs/c.md", "start.md", "index.md"),
            ("docs/c.md", "../onnxport/export.h", "api/export.md"),
            ("spec/README.md", "../docs/c.md", "../c.md"),
            ("docs/c.md", "../examples/embed", "examples/embed/index.md"),
            ("docs/c.md", "../spec/lib", "spec/lib/index.md"),
            ("docs/c.md", "#here", "#here"),
            ("docs/c.md", "https://x.y", "https://x.y"),
        ]:
            self.assertEqual(links.target(link, path), target, (path, link))
        with self.assertRaisesRegex(ValueError, "docs/c.md: no.md is no page"):
            links.target("no.md", "docs/c.md")

    def test_code_stays(self):
        text = "[a](c.md) `[b](c.md)`\n```text\n[c](c.md)\n```\n[d](../README.md)\n"
        self.assertEqual(pages.Links(self.SOME).rewritten(text, "docs/start.md"), text.replace("../README.md", "overview.md"))


def named(nav):
    """The pages that a list of the navigation names."""
    for entry in nav:
        for target in entry.values():
            yield from named(target) if isinstance(target, list) else [target]


class Pages(unittest.TestCase):
    def test_all_are_in_the_navigation(self):
        made = stage.made_of(FILES)
        with open(CONFIG, "rb") as file:
            shown = set(named(tomllib.load(file)["project"]["nav"]))
        self.assertEqual(shown - set(made), set())
        # Files of specs are in the lists of their folders.
        listed = {name for name in made if re.match("spec/[a-z]", name) and name != "spec/index.md"}
        self.assertGreater(len(listed), 60)
        self.assertEqual(set(made) - shown - listed, set())


if __name__ == "__main__":
    unittest.main()
