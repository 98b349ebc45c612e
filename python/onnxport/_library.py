"""The C API of onnxport (onnxport/c.h) through ctypes, which releases the GIL during a call."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import signal
import threading
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_longlong, c_size_t, c_void_p
from typing import Any

from ._archive import Pieces
from ._errors import error_from_report

Progress = Callable[[str, int, int], Any]  # stage, done, total


class _Buffer(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t), ("owner", c_void_p)]

    def take(self) -> bytes:
        try:
            return ctypes.string_at(self.data, self.size) if self.size else b""
        finally:
            _library().onnxport_buffer_free(ctypes.byref(self))


class _Piece(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


_PROGRESS = CFUNCTYPE(c_int, c_void_p, c_char_p, c_longlong, c_longlong)
_READ = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_size_t, c_void_p)


class _Request(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("model", c_char_p),
        ("pieces", POINTER(_Piece)),
        ("piece_count", c_size_t),
        ("name", c_char_p),
        ("output", c_char_p),
        ("options_json", c_char_p),
        ("progress", _PROGRESS),
        ("read", _READ),
        ("context", c_void_p),
    ]


@functools.cache
def _library() -> ctypes.CDLL:
    here = os.path.dirname(os.path.abspath(__file__))
    library = ctypes.CDLL(os.environ.get("ONNXPORT_LIBRARY") or os.path.join(here, "libonnxport.so"))
    library.onnxport_version.restype = c_char_p
    library.onnxport_export.argtypes = [POINTER(_Request), POINTER(_Buffer), POINTER(_Buffer)]
    library.onnxport_write_file.argtypes = [c_char_p, c_char_p, c_size_t, POINTER(c_char_p), c_size_t, POINTER(_Buffer)]
    library.onnxport_buffer_free.argtypes = [POINTER(_Buffer)]
    library.onnxport_buffer_free.restype = None
    return library


def version() -> str:
    """That of the library."""
    return _library().onnxport_version().decode()


class _Interrupts:
    """Ctrl-C during a call of C: its handler would raise where nothing can catch it, in the middle of a callback."""

    def __init__(self) -> None:
        self.came = False
        self._before: Any = None

    def __enter__(self) -> _Interrupts:
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_: Any) -> None:
        self.came = True

    def __exit__(self, *_: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def handle(self) -> None:
        """Does now what would have happened at once."""
        if self.came and self._before is not None:
            self._before(signal.SIGINT, None)


class _Call:
    """The callbacks of one call; what they raise ends it and comes out of it."""

    def __init__(self, pieces: Pieces | None, progress: Progress | None, interrupts: _Interrupts):
        self.raised: BaseException | None = None
        self._pieces = pieces
        self._progress = progress
        self._interrupts = interrupts

    def progress(self, _context: Any, stage: bytes, done: int, total: int) -> int:
        try:
            if self._progress is not None:
                self._progress(stage.decode(), done, total)
        except BaseException as error:
            self.raised = error
        return int(self.raised is not None or self._interrupts.came)

    def read(self, _context: Any, piece: int, offset: int, size: int, out: int) -> int:
        try:
            assert self._pieces is not None
            self._pieces.read(piece, offset, size, out)
        except BaseException as error:
            self.raised = error
        return int(self.raised is not None)


def _encode(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def export(
    source: str | Pieces,
    options: dict[str, Any],
    *,
    name: str | None = None,
    output: str | None = None,
    to_bytes: bool = False,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], bytes]:
    """One call of onnxport_export: the report, and the model if `to_bytes`. ExportError where it fails."""
    library = _library()
    onnx, told = _Buffer(), _Buffer()
    pieces = None if isinstance(source, str) else source
    with _Interrupts() as interrupts:
        call = _Call(pieces, progress, interrupts)
        request = _Request(
            size=ctypes.sizeof(_Request),
            name=_encode(name),
            output=_encode(output),
            options_json=json.dumps(options).encode(),
            progress=_PROGRESS(call.progress),
            read=_READ(call.read),
        )
        if pieces is None:
            request.model = _encode(source)  # type: ignore[arg-type]
        else:
            array = (_Piece * max(1, len(pieces.parts)))(*((part.address, part.size) for part in pieces.parts))
            request.pieces = ctypes.cast(array, POINTER(_Piece))
            request.piece_count = len(pieces.parts)
        status = library.onnxport_export(
            ctypes.byref(request), ctypes.byref(onnx) if to_bytes else None, ctypes.byref(told)
        )
        report = json.loads(told.take() or b"{}")
        model = onnx.take()
        if pieces is not None:
            pieces.forget()
    interrupts.handle()
    if call.raised is not None:
        raise call.raised
    if status != 0:
        raise error_from_report(report)
    return report, model


def write_file(path: str, data: bytes, others: Sequence[str]) -> None:
    """A file beside the model: complete or not at all, through no link, and none of `others`, which the export reads or
    writes. ExportError where it fails."""
    told = _Buffer()
    names = (c_char_p * max(1, len(others)))(*(_encode(other) for other in others))
    status = _library().onnxport_write_file(_encode(path), data, len(data), names, len(others), ctypes.byref(told))
    report = json.loads(told.take() or b"{}")
    if status != 0:
        raise error_from_report(report)
