#!/usr/bin/env -S python3 -B
"""Tests of count.py and texts.py: which sentences of which file count."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import count

LONG = " ".join(["word"] * 31)
SHORT = " ".join(["word"] * 30)


def lines(path, source):
    return [(kind, line) for kind, line, _ in count.findings(path, source)]


class CountTest(unittest.TestCase):
    def test_first_words(self):
        first = count.OBJECT_FIRST
        cases = [
            ("a.cc", "// Of a list, the end.\n", [(first, 1)]),
            ("a.h", "int x;  // What it holds.\n", [(first, 1)]),
            ("a.h", "int x;  // It is new. Whether it is\n        // known. What else? Whatever. Often\n", [(first, 1)]),
            ("a.cc", "/* It is.\n * What it is. */\n", [(first, 2)]),
            ("a.mjs", "const a = `// What`;\n// What it is\n", [(first, 2)]),
            ("a.cc", 'f("// Of", R"(// Of "a)", \'"\');  // (Of it)\n', [(first, 1)]),
            ("a.py", '"""Whether it is."""\nx = "# Of"\n\ndef f():\n    """X.\n\n    Of it.\n    """\n    # What.\n',
             [(first, 9), (first, 1), (first, 7)]),
            ("a.bzl", "load('a', 'b')  # Of b.\n", [(first, 1)]),
            ("BUILD.bazel", "# What it is.\n", [(first, 1)]),
            ("a.yaml", "a: '# Of'  # Of a\nb: c#Of\n# What\n", [(first, 1), (first, 3)]),
            ("a.sh", "#!/bin/sh\n# Whether it is\n", [(first, 2)]),
            ("a.sh", "#!/bin/sh\n#> What it prints\n#>\n", []),
            ("a.yaml", "# What is it\n#: a(Tensor? x) -> Tensor\n", [(first, 1)]),
            ("script", "#!/usr/bin/env bash\n# Whether it is\n", [(first, 2)]),
            ("script", "#!/usr/bin/env -S python3 -B\n# Whether it is\n", [(first, 2)]),
            ("a.md", "# What it is\n\nA. *Of* b\n\n* What it is\n\n| What | b |\n|---|---|\n| c | Of d |\n\n```\nOf it\n```\n",
             [(first, 3), (first, 5), (first, 9)]),
            ("a.md", "<!-- Do not edit. -->\n\nOf it\n", []),
            ("a.txt", "# Of it\n", []),
        ]
        for path, source, expected in cases:
            with self.subTest(path=path, source=source):
                self.assertEqual(lines(path, source), expected)

    def test_long_ones(self):
        long = count.LONG
        cases = [
            ("a.cc", f"// {SHORT}\n", []),
            ("a.cc", f"// {LONG}\n", [(long, 1)]),
            ("a.cc", f"// A.\n// {SHORT}; b: c, e.g. d ... e\n", [(long, 2)]),
            ("a.cc", f"// {SHORT}. b\n", []),
            ("a.cc", f"// {SHORT}\n//\n// b\n", []),
            ("a.cc", f"// {SHORT}\nint x;  // b\nint y;  // c\n", []),
            ("a.cc", f"int x;  // {SHORT}\n        // b\n", [(long, 1)]),
            ("a.cc", f"// {SHORT} `a.b. c d` [e](f.g h)\n", [(long, 1)]),
            ("a.cc", f"// {SHORT}\n//   key  value\n//      f(x);\n", []),
            ("a.sh", f"#> {LONG}\n# {LONG}\n#> {LONG}\n", [(long, 2)]),
            ("a.md", f"{SHORT}\nb\n", [(long, 1)]),
            ("a.md", f"* {SHORT}\n* b\n1. c\n", []),
        ]
        for path, source, expected in cases:
            with self.subTest(path=path, source=source):
                self.assertEqual(lines(path, source), expected)

    def test_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*arguments):
                command = [sys.executable, "-B", count.__file__, "--root", folder, *arguments]
                return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)

            subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
            Path(folder, "a/testdata").mkdir(parents=True)
            Path(folder, "a/b.cc").write_text(f"// Of it.\n// What.\n// {LONG}\n")
            Path(folder, "a/testdata/c.cc").write_text("// Of it.\n")
            Path(folder, "d.md").write_text("Of it.\n")
            most = Path(folder, "most.txt")

            self.assertIn("a/b.cc:2: object first: What.\n", run("--list").stdout)
            self.assertNotIn("a/b.cc", run("--list", "d").stdout)
            most.write_text("# By folder.\n. 1 0\na 2 0\n")
            failed = run("--at-most", str(most))
            self.assertEqual(failed.returncode, 1)
            self.assertEqual(failed.stdout, "a: 1 sentences are counted as 'long', 0 may be\n")
            most.write_text("# By folder.\n. 1 0\na 3 1\nb 1 1\n")
            self.assertEqual(run("--at-most", str(most)).returncode, 0)
            run("--lower", str(most))
            self.assertEqual(most.read_text(), "# By folder.\n. 1 0\na 2 1\n")
            Path(folder, "a/b.cc").write_text("// Of it.\n" * 4)
            run("--lower", str(most))
            self.assertEqual(most.read_text(), "# By folder.\n. 1 0\na 2 0\n")


if __name__ == "__main__":
    unittest.main()
