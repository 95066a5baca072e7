"""Unsaved buffers: what an editor shows instead of the disk's text."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Buffer:
    """An open document: its text as the editor has it and the editor's version of it."""

    text: str
    version: int


class Overlay:
    """Open buffers by path: workspace-relative slash path, or absolute for a file outside any workspace.

    Safe from several threads; `snapshot` is immutable and costs nothing while no buffer changes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buffers: dict[str, Buffer] = {}
        self._frozen: Mapping[str, Buffer] | None = None

    def put(self, path: str, text: str, version: int) -> bool:
        """Open or change a buffer; False (and nothing changes) when a newer version is already known."""
        with self._lock:
            known = self._buffers.get(path)
            if known is not None and known.version > version:
                return False
            self._buffers[path] = Buffer(text, version)
            self._frozen = None
            return True

    def drop(self, path: str) -> bool:
        """Close a buffer: the disk counts again. False when none was open."""
        with self._lock:
            if self._buffers.pop(path, None) is None:
                return False
            self._frozen = None
            return True

    def get(self, path: str) -> Buffer | None:
        """The buffer of a path, None when the disk counts."""
        return self.snapshot().get(path)

    def snapshot(self) -> Mapping[str, Buffer]:
        """All buffers at this moment; later changes do not show in it."""
        with self._lock:
            if self._frozen is None:
                self._frozen = MappingProxyType(dict(self._buffers))
            return self._frozen
