"""wheel.py MANIFEST OUT VERSION TAG...: a wheel of the package onnxport (PEP 427; metadata 2.4).

The files have the names that they have in the wheel, but for README.md, which becomes the description. TAGs are all that it
is for, as `py3-none-manylinux_2_17_x86_64`.
"""

import base64
import hashlib
import io
import sys
import zipfile

from reproducible import files_of, write

METADATA = """\
Metadata-Version: 2.4
Name: onnxport
Version: {version}
Summary: ONNX export for PyTorch models, in milliseconds
License-Expression: Apache-2.0
{licence_files}Requires-Python: >=3.10
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Keywords: onnx,pytorch,export,torchscript
Description-Content-Type: text/markdown

"""

WHEEL = """\
Wheel-Version: 1.0
Generator: onnxport ({version})
Root-Is-Purelib: false
{tags}"""


def metadata(info, files, version, readme):
    """The text of METADATA. Licences are those of the parts that are linked, too."""
    folder = info + "licenses/"
    licences = sorted(name.removeprefix(folder) for name in files if name.startswith(folder))
    lines = "".join(f"License-File: {name}\n" for name in licences)
    return METADATA.format(version=version, licence_files=lines).encode() + readme


def record(info, files):
    """The text of RECORD: each file with its hash."""
    rows = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join([*rows, f"{info}RECORD,,\n"]).encode()


def zipped(files):
    """The bytes of a zip file, in the order of the names given."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix: the modes count
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return out.getvalue()


def wheel(files, version, tags):
    """The bytes of the wheel."""
    info = f"onnxport-{version}.dist-info/"
    others = {name: data for name, data in sorted(files.items()) if name != "README.md"}
    others[info + "METADATA"] = metadata(info, others, version, files["README.md"])
    others[info + "WHEEL"] = WHEEL.format(version=version, tags="".join(f"Tag: {tag}\n" for tag in tags)).encode()
    # Installers look for the metadata at the end.
    others[info + "RECORD"] = record(info, others)
    return zipped(others)


if __name__ == "__main__":
    manifest, out_path, version_text, *all_tags = sys.argv[1:]
    write(out_path, wheel(files_of(manifest), version_text, all_tags))
