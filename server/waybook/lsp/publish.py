"""What the client has been told about each file: nothing twice, no version backwards, empty when nothing is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from waybook.base.canonical import sha256_hex
from waybook.base.uris import uri_key

if TYPE_CHECKING:
    from cattrs import Converter

Send = Callable[[types.PublishDiagnosticsParams], None]


@dataclass(frozen=True, slots=True)
class Told:
    """The last state of one file: `version` is the editor's, None for a file that is not open."""

    uri: str
    version: int | None
    digest: str
    items: Sequence[types.Diagnostic]


class Publisher:
    """Holds the newest diagnostics of every file, for pushing and for pulling. Touched by the event loop only."""

    def __init__(self, send: Send, converter: Converter) -> None:
        self._send = send
        self._converter = converter
        self._current: dict[str, Told] = {}
        self._sent: dict[str, Told] = {}

    def set(self, uri: str, version: int | None, items: Sequence[types.Diagnostic]) -> bool:
        """The newest diagnostics of a file; False when an older version's come late, or nothing changed."""
        key = uri_key(uri)
        known = self._current.get(key)
        if known is not None and known.version is not None and version is not None and version < known.version:
            return False
        told = Told(uri, version, self.digest(items), items)
        self._current[key] = told
        return known is None or (known.digest, known.version) != (told.digest, version)

    def push(self, uri: str) -> None:
        """Send the newest diagnostics of a file, unless the client has them."""
        key = uri_key(uri)
        told = self._current.get(key)
        last = self._sent.get(key)
        if told is None or (last is not None and (last.digest, last.version) == (told.digest, told.version)):
            return
        if last is None and not told.items and told.version is None:
            return
        self._sent[key] = told
        self._send(types.PublishDiagnosticsParams(told.uri, list(told.items), told.version))

    def clear(self, uri: str) -> None:
        """A document was closed: what was said about the buffer is gone, versions begin anew."""
        key = uri_key(uri)
        self._current.pop(key, None)
        if self._sent.pop(key, None) is not None:
            self._send(types.PublishDiagnosticsParams(uri, []))

    def retract(self, uri: str) -> None:
        """The client pulls this file now: what was pushed would show twice."""
        last = self._sent.pop(uri_key(uri), None)
        if last is not None and last.items:
            self._send(types.PublishDiagnosticsParams(last.uri, [], last.version))

    def current(self, uri: str) -> Told | None:
        """The newest state of a file."""
        return self._current.get(uri_key(uri))

    def all(self) -> list[Told]:
        """The newest state of every file ever spoken of."""
        return list(self._current.values())

    def digest(self, items: Sequence[types.Diagnostic]) -> str:
        """A digest of diagnostics: the `resultId` of pulling."""
        plain: Any = [self._converter.unstructure(item) for item in items]
        return sha256_hex(json.dumps(plain, sort_keys=True))
