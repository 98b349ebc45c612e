"""A ZIP archive of stored entries whose contents stay where they are in memory."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_WIDE = 0xFFFFFFFF  # the real number is in the zip64 field
_VERSION = 45  # of ZIP: has zip64


@dataclass
class Part:
    """Bytes at an address, or those that `load` gives: (address, owner) of all of them."""

    address: int | None
    size: int
    owner: Any = None
    load: Callable[[], tuple[int, Any]] | None = None


class Pieces:
    """Bytes of an archive, in order."""

    def __init__(self, parts: list[Part]):
        self.parts = parts
        self._loaded: tuple[int, int, Any] | None = None  # the part that is in memory, its address and owner

    @classmethod
    def of_bytes(cls, data: bytes) -> Pieces:
        return cls([_bytes_part(data)])

    def read(self, piece: int, offset: int, size: int, out: int) -> None:
        """Copies bytes of a part that has to be loaded; one is in memory at a time."""
        if self._loaded is None or self._loaded[0] != piece:
            self._loaded = None
            load = self.parts[piece].load
            assert load is not None
            self._loaded = (piece, *load())
        ctypes.memmove(out, self._loaded[1] + offset, size)

    def forget(self) -> None:
        """Gives the memory of the loaded part back."""
        self._loaded = None


def _bytes_part(data: bytes) -> Part:
    return Part(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value, len(data), owner=data)


class ArchiveWriter:
    """Makes Pieces of entries. Every size and offset is in a zip64 field, so that there is one form for all sizes."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._directory = bytearray()
        self._count = 0
        self._offset = 0

    def add_bytes(self, name: str, data: bytes) -> None:
        self._add(name, _bytes_part(data), zlib.crc32(data))

    def add(self, name: str, part: Part) -> None:
        """Without a checksum, which would take a pass over the weights; the library does not look at it."""
        self._add(name, part, 0)

    def finish(self) -> Pieces:
        end = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, _VERSION, _VERSION, 0, 0, self._count, self._count,
                          len(self._directory), self._offset)  # fmt: skip
        locator = struct.pack("<IIQI", 0x07064B50, 0, self._offset + len(self._directory), 1)
        last = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, _WIDE, _WIDE, 0)
        self._append(_bytes_part(bytes(self._directory) + end + locator + last))
        return Pieces(self._parts)

    def _add(self, name: str, part: Part, crc: int) -> None:
        text = name.encode()
        begin = self._offset
        common = struct.pack("<HHHHHIIIH", _VERSION, 0x0800, 0, 0, 0, crc, _WIDE, _WIDE, len(text))
        sizes = struct.pack("<QQ", part.size, part.size)
        local = struct.pack("<HHH", 20, 1, 16)  # sizes of the extra field, of its name
        self._append(_bytes_part(struct.pack("<I", 0x04034B50) + common + local[:2] + text + local[2:] + sizes))
        self._append(part)
        self._directory += (
            struct.pack("<IH", 0x02014B50, _VERSION) + common
            + struct.pack("<HHHHII", 28, 0, 0, 0, 0, _WIDE) + text
            + struct.pack("<HH", 1, 24) + sizes + struct.pack("<Q", begin)
        )  # fmt: skip
        self._count += 1

    def _append(self, part: Part) -> None:
        self._parts.append(part)
        self._offset += part.size
