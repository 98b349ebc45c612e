"""Makes a .pt2 with GIGABYTES of weights, all zeros: `make_large.py PATH GIGABYTES`.

The file is sparse: it takes no space on the disk, and no memory here. One weight has a third of the bytes, so it needs
ZIP's long sizes. The others are matrices, and the model transposes every fourth.
"""

import json
import math
import os
import struct
import sys
import zipfile
import zlib

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

WIDTH = 4096
FLOAT = 4  # bytes
POLYNOMIAL = 0xEDB88320  # of CRC-32, with its bits reversed
LONG = 0xFFFFFFFF  # the size is in the extra field


class Net(torch.nn.Module):
    def __init__(self, gigabytes):
        super().__init__()
        rows = gigabytes * 1_000_000_000 // (3 * WIDTH * FLOAT)
        layers = max(2 * rows // WIDTH, 1)
        self.table = torch.nn.Parameter(torch.zeros(rows, WIDTH))
        self.plain = torch.nn.ParameterList([torch.zeros(WIDTH, WIDTH) for i in range(layers) if i % 4])
        self.linear = torch.nn.ModuleList([torch.nn.Linear(WIDTH, WIDTH) for i in range(layers) if i % 4 == 0])

    def forward(self, tokens):
        x = torch.nn.functional.embedding(tokens, self.table)
        for weight in self.plain:
            x = x @ weight
        for linear in self.linear:
            x = linear(x)
        return x


def times(a, b):
    """Returns the product of two polynomials modulo that of CRC-32."""
    product = 0
    for bit in range(31, -1, -1):
        if a >> bit & 1:
            product ^= b
        b = b >> 1 ^ (POLYNOMIAL if b & 1 else 0)
    return product


def crc_of_zeros(count):
    # A zero byte multiplies the polynomial of the bytes so far by x^8, so `count` zero bytes do it by x^(8 count).
    power, square, bits = 1 << 31, 1 << 30, 8 * count  # x^0 and x^1
    while bits:
        if bits & 1:
            power = times(power, square)
        square, bits = times(square, square), bits >> 1
    return times(power, LONG) ^ LONG


def write_zip(path, records):
    """Records are pairs of a name and its bytes, or its number of zeros."""
    with open(path, "wb") as file:
        directory = b""
        for name, contents in records:
            zeros = isinstance(contents, int)
            size = contents if zeros else len(contents)
            crc = crc_of_zeros(contents) if zeros else zlib.crc32(contents)
            at, name = file.tell(), name.encode()
            sizes = struct.pack("<HHQQ", 1, 16, size, size)
            gap = -(at + 30 + len(name) + len(sizes) + 4) % 64  # elements begin at a cache line, as in PyTorch
            extra = sizes + struct.pack("<HH", 0x4246, gap) + bytes(gap)
            file.write(struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 45, 0, 0, 0, 0, crc, LONG, LONG, len(name), len(extra)))
            file.write(name + extra)
            file.seek(size, os.SEEK_CUR) if zeros else file.write(contents)
            extra = struct.pack("<HHQQQ", 1, 24, size, size, at)
            directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 45, 45, 0, 0, 0, 0, crc, LONG, LONG, len(name),
                                     len(extra), 0, 0, 0, 0, LONG) + name + extra
        begin, count = file.tell(), len(records)
        file.write(directory)
        end = file.tell()
        file.write(struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(directory), begin))
        file.write(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        file.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, min(count, 0xFFFF), min(count, 0xFFFF), LONG, LONG, 0))


def make(path, gigabytes):
    with FakeTensorMode():
        program = torch.export.export(Net(gigabytes).eval(), (torch.zeros(1, 8, dtype=torch.int64),))
    torch.export.save(program, path)
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    table = next(name for name in contents if name.endswith("_weights_config.json"))
    weights = json.loads(contents[table])
    # For PyTorch all fake tensors share one storage; here each gets its own record.
    for number, weight in enumerate(weights["config"].values()):
        weight["path_name"] = f"weight_{number}"
        sizes = [size["as_int"] for size in weight["tensor_meta"]["sizes"]]
        contents[f"{os.path.dirname(table)}/weight_{number}"] = FLOAT * math.prod(sizes)
    contents[table] = json.dumps(weights).encode()
    write_zip(path, list(contents.items()))


if __name__ == "__main__":
    make(sys.argv[1], int(sys.argv[2]))
