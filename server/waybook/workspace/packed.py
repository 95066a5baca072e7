"""Zstandard files as streams; loaded only where one is met."""

from __future__ import annotations

import io
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Plain(io.RawIOBase):
    """What a packed file holds; a damaged or torn one raises `OSError` where its damage begins."""

    def __init__(self, packed: Any, error: type[Exception]) -> None:
        self._packed = packed
        self._error = error

    def readable(self) -> bool:
        """True: this is for reading."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """The next unpacked bytes."""
        try:
            return bytes(self._packed.read(size))
        except (self._error, EOFError) as error:
            raise OSError(5, f"the packed data is damaged ({error})") from error


@contextmanager
def unpacked(file: BinaryIO) -> Iterator[BinaryIO]:
    """The unpacked bytes of a Zstandard file."""
    zstd = _library()
    with zstd.ZstdFile(file, "rb") as packed:
        yield cast("BinaryIO", _Plain(packed, zstd.ZstdError))


def _library() -> Any:
    try:
        return import_module("compression.zstd")  # part of Python from 3.14 on
    except ImportError:
        return import_module("backports.zstd")
