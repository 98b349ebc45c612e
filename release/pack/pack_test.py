"""Tests the packing with a few files."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import tempfile
import unittest
import zipfile

import deb
import debian_copyright
import image
import reproducible
import sbom
import wheel

BILL = b'{"packages":[{"name":"exporter","licenseDeclared":"Apache-2.0"},{"name":"musl","licenseDeclared":"A WITH B"}]}'
FILES = {
    "bin/exporter": b"program",
    "share/doc/onnxport/CHANGELOG.md": b"news",
    "share/doc/onnxport/LICENSE": b"   The licence\n",
    "share/doc/onnxport/licences/musl": "Copyright \xa9 2005 Rich\n\nPermission\n".encode(),
    "share/doc/onnxport/sbom.spdx.json": BILL,
    "share/man/man1/exporter.1": b".TH",
    "share/zsh/site-functions/_exporter": b"#compdef",
}


def members(data):
    """Name to (contents or None, mode) of a tar file."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {
            info.name: (archive.extractfile(info).read() if info.isfile() else None, info.mode, info.mtime, info.uid)
            for info in archive
        }


def ar_members(data):
    """Name to contents of an `ar` archive."""
    found = {}
    at = 8
    while at < len(data):
        name, size = data[at:at + 16].decode().strip(), int(data[at + 48:at + 58])
        found[name] = data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    return found


class Reproducible(unittest.TestCase):

    def test_only_names_and_contents_count(self):
        made = []
        for times in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                for name in ("b", "a"):
                    path = os.path.join(folder, name)
                    with open(path, "wb") as file:
                        file.write(name.encode())
                    os.utime(path, (times, times))
                    os.chmod(path, 0o600 + times)
                manifest = os.path.join(folder, "manifest")
                with open(manifest, "w", encoding="utf-8") as file:
                    file.writelines(f"dir/{name}\t{folder}/{name}\n" for name in (("a", "b"), ("b", "a"))[times - 1])
                made.append(reproducible.gz(reproducible.tar(reproducible.files_of(manifest))))
        self.assertEqual(made[0], made[1])

    def test_folders_are_walked(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/share/man")
            with open(folder + "/share/man/page", "wb") as file:
                file.write(b"page")
            manifest = folder + "/manifest"
            with open(manifest, "w", encoding="utf-8") as file:
                file.write(f"share\t{folder}/share\n")
            self.assertEqual(reproducible.files_of(manifest), {"share/man/page": b"page"})

    def test_programs_and_others(self):
        found = members(reproducible.tar(FILES))
        self.assertEqual(found["bin/exporter"], (b"program", 0o755, reproducible.TIME, 0))
        self.assertEqual(found["share/man/man1/exporter.1"], (b".TH", 0o644, reproducible.TIME, 0))
        self.assertEqual(found["share/man"], (None, 0o755, reproducible.TIME, 0))
        self.assertEqual(list(found), sorted(found))


class Deb(unittest.TestCase):

    def test_members(self):
        parts = ar_members(deb.deb(FILES, "1.2.3", "amd64", "Somebody"))
        self.assertEqual(list(parts), ["debian-binary", "control.tar.gz", "data.tar.gz"])
        self.assertEqual(parts["debian-binary"], b"2.0\n")
        data = members(gzip.decompress(parts["data.tar.gz"]))
        self.assertEqual(gzip.decompress(data["./usr/share/man/man1/exporter.1.gz"][0]), b".TH")
        self.assertEqual(data["./usr/bin/exporter"][:2], (b"program", 0o755))
        self.assertEqual(gzip.decompress(data["./usr/share/doc/onnxport/changelog.gz"][0]), b"news")
        self.assertIn("./usr/share/zsh/vendor-completions/_exporter", data)
        control = members(gzip.decompress(parts["control.tar.gz"]))
        self.assertIn(b"Version: 1.2.3\nArchitecture: amd64\nMaintainer: Somebody\n", control["./control"][0])
        sums = dict(reversed(line.split("  ")) for line in control["./md5sums"][0].decode().splitlines())
        self.assertEqual(sums["usr/bin/exporter"], hashlib.md5(b"program").hexdigest())
        self.assertEqual({"./" + name for name in sums}, {name for name, (file, *_) in data.items() if file is not None})


    def test_copyright(self):
        parts = ar_members(deb.deb(FILES, "1.2.3", "amd64", "Somebody"))
        data = members(gzip.decompress(parts["data.tar.gz"]))
        folder = "./usr/share/doc/onnxport/"
        self.assertIn(
            "\n\nFiles: *\nCopyright: The onnxport authors\nLicense: Apache-2.0\n"
            " The text is in /usr/share/common-licenses/Apache-2.0.\n"
            "\nFiles: musl/*\nCopyright: 2005 Rich\nLicense: A with B\n Copyright \xa9 2005 Rich\n .\n Permission\n",
            data[folder + "copyright"][0].decode())
        self.assertNotIn(folder + "LICENSE", data)
        self.assertNotIn(folder + "licences/musl", data)

    def test_holders(self):
        text = "Copyright (c) 1 A\nCopyright (c) 1 A\nthat is Copyright \xa9 2 B\nCopyright 3 C\nCopyright License\nCopyright [y]"
        self.assertEqual(debian_copyright.holders_of("x", text).split("\n           "), ["1 A", "2 B", "3 C"])
        self.assertEqual(debian_copyright.holders_of("x", "Copyright License"), "The x authors")
        self.assertEqual(debian_copyright.debian_name("MIT"), "Expat")


class Image(unittest.TestCase):

    def test_digests_and_sizes(self):
        files = {"arm64/exporter": b"arm", "amd64/exporter": b"amd", "all/licences/x": b"licence"}
        found = members(image.image(files, "1.2.3"))
        blobs = {name: data for name, (data, *_) in found.items() if name.startswith("blobs/sha256/") and data}
        for name, data in blobs.items():
            self.assertEqual(name, "blobs/sha256/" + hashlib.sha256(data).hexdigest())

        def blob(entry):
            data = blobs["blobs/" + entry["digest"].replace(":", "/")]
            self.assertEqual(entry["size"], len(data))
            return data

        (named,) = json.loads(found["index.json"][0])["manifests"]
        self.assertEqual(named["annotations"]["io.containerd.image.name"], "docker.io/library/onnxport:1.2.3")
        docker = json.loads(found["manifest.json"][0])
        self.assertEqual([entry["RepoTags"] for entry in docker], [["onnxport:1.2.3-amd64"], ["onnxport:1.2.3-arm64"]])
        machines = json.loads(blob(named))["manifests"]
        self.assertEqual([entry["platform"]["architecture"] for entry in machines], ["amd64", "arm64"])
        for entry, dockers, program in zip(machines, docker, (b"amd", b"arm")):
            manifest = json.loads(blob(entry))
            config = json.loads(blob(manifest["config"]))
            layer = gzip.decompress(blob(manifest["layers"][0]))
            self.assertEqual(config["architecture"], entry["platform"]["architecture"])
            self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest()])
            self.assertEqual(config["config"]["Entrypoint"], ["/exporter"])
            self.assertEqual(members(layer)["exporter"][:2], (program, 0o755))
            self.assertEqual(members(layer)["licences/x"][:2], (b"licence", 0o644))
            self.assertEqual(json.loads(blobs[dockers["Config"]]), config)
            self.assertEqual([gzip.decompress(blobs[name]) for name in dockers["Layers"]], [layer])


class Sbom(unittest.TestCase):

    def test_every_reference_is_there(self):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as table:
            table.write("# a comment\nfmt debian pool/f/fmtlib_10.1.1+ds1.orig.tar.gz fmtlib 12ab\n"
                        "zig wheel ziglang==0.17.1:any ziglang 34cd\n")
            table.flush()
            sources = sbom.sources_of(table.name)
        self.assertEqual(sources, {"fmt": ("10.1.1", "12ab"), "zig": ("0.17.1", "34cd")})
        parts = [("fmt", "fmt", "MIT"), ("libc++", "zig", "Apache-2.0")]
        made = sbom.document("onnxport", sources, parts, {"libc++": "22.1.8"}, "1.2.3", "linux-x")
        names = {package["SPDXID"]: package for package in made["packages"]}
        self.assertEqual([names[link["relatedSpdxElement"]]["name"] for link in made["relationships"]],
                         ["onnxport", "fmt", "libc++"])
        self.assertEqual(len(names), 3)
        self.assertEqual(names["SPDXRef-fmt"]["checksums"], [{"algorithm": "SHA256", "checksumValue": "12ab"}])
        self.assertEqual(names["SPDXRef-libc--"]["versionInfo"], "22.1.8")
        self.assertNotIn("checksums", names["SPDXRef-libc--"])
        with self.assertRaises(KeyError):
            sbom.document("onnxport", sources, [("musl", "nowhere", "MIT")], {}, "1", "linux-x")

    def test_versions_in_the_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, data in (("__config", b"#  define _LIBCPP_VERSION 220108\n"), ("libc.a", b"\0\0x1.2.5\0\0")):
                paths.append(f"{folder}/{name}")
                with open(paths[-1], "wb") as file:
                    file.write(data)
            versions = sbom.library_versions(paths)
        self.assertEqual((versions["libc++"], versions["libunwind"], versions["musl"]), ("22.1.8", "22.1.8", "1.2.5"))


class Wheel(unittest.TestCase):

    def setUp(self):
        files = {
            "README.md": b"# Read\n",
            "onnxport/__init__.py": b"pass\n",
            "onnxport-1.2.dist-info/licenses/LICENSE": b"The licence",
            "onnxport-1.2.data/scripts/onnxport": b"program",
        }
        self.wheel = zipfile.ZipFile(io.BytesIO(wheel.wheel(files, "1.2", ["py3-none-one", "py3-none-two"])))

    def test_record_has_every_file(self):
        # Written out once, as pip hashes: urlsafe base64 without `=`.
        record = self.wheel.read("onnxport-1.2.dist-info/RECORD").decode().splitlines()
        self.assertEqual(sorted(row.split(",")[0] for row in record), sorted(self.wheel.namelist()))
        self.assertIn("onnxport/__init__.py,sha256=n1bnYdeb_bNDBKASWGywTRa0Ne9hMAkal3AuVZJgovI,5", record)
        self.assertEqual(record[-1], "onnxport-1.2.dist-info/RECORD,,")

    def test_only_commands_can_be_run(self):
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in self.wheel.infolist()}
        self.assertEqual({name for name, mode in modes.items() if mode & 0o111}, {"onnxport-1.2.data/scripts/onnxport"})

    def test_metadata(self):
        text = self.wheel.read("onnxport-1.2.dist-info/METADATA").decode()
        self.assertIn("\nVersion: 1.2\n", text)
        self.assertIn("\nLicense-File: LICENSE\n", text)
        self.assertTrue(text.endswith("\n\n# Read\n"))
        tags = self.wheel.read("onnxport-1.2.dist-info/WHEEL").decode()
        self.assertTrue(tags.endswith("\nTag: py3-none-one\nTag: py3-none-two\n"))
        self.assertIn("\nRoot-Is-Purelib: false\n", tags)


if __name__ == "__main__":
    unittest.main()
