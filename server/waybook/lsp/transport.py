"""Bytes in, bytes out: one thread reads messages, the event loop handles them, the loop alone writes.

A reader thread of its own costs one hop per message (not one per header line), cannot be starved by busy workers, and,
being a daemon, never keeps a process alive whose client is gone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from io import FileIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import RawIOBase

log = logging.getLogger(__name__)

CHUNK_BYTES = 64 * 1024
MAX_HEADER_BYTES = 64 * 1024
MAX_MESSAGE_BYTES = 256 * 1024 * 1024
"""Longer messages are no editor's: the connection is closed rather than the memory filled."""


def claim_stdio() -> tuple[FileIO, FileIO]:
    """The real standard input and output for the protocol; whatever else prints goes to standard error from now on."""
    requests = FileIO(os.dup(sys.stdin.fileno()), "rb")
    answers = FileIO(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return requests, answers


class MessageReader:
    """Reads whole messages from an unbuffered byte stream.

    Unbuffered, because a buffered one holds a lock while it waits, and a process cannot end with that lock taken.
    """

    def __init__(self, stream: RawIOBase) -> None:
        self._stream = stream
        self._buffer = bytearray()

    def read(self) -> bytes | None:
        """The next message's body; None when the stream ended or is not the protocol's any more."""
        length = -1
        while (line := self._line()) is not None:
            header = line.strip()
            if not header:
                if length < 0:
                    continue
                return self._take(length)
            name, _, value = header.partition(b":")
            if name.strip().lower() == b"content-length":
                if not value.strip().isdigit() or int(value) > MAX_MESSAGE_BYTES:
                    log.error("A message announces a length of %r; closing.", value)
                    return None
                length = int(value)
        return None

    def _line(self) -> bytes | None:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > MAX_HEADER_BYTES or not self._fill():
                return None
        return self._cut(end + 1)

    def _take(self, length: int) -> bytes | None:
        while len(self._buffer) < length:
            if not self._fill():
                return None
        return self._cut(length)

    def _cut(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _fill(self) -> bool:
        """Wait for more bytes; False at the end of the stream."""
        part = self._stream.read(CHUNK_BYTES)
        self._buffer += part or b""
        return bool(part)


class StreamWriter:
    """Writes whole messages to a byte stream; a client that went away is not an error."""

    def __init__(self, stream: RawIOBase) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write everything, then hand it to the system."""
        view = memoryview(data)
        try:
            while view:
                view = view[self._stream.write(view) or 0 :]
            self._stream.flush()
        except (BrokenPipeError, ConnectionResetError, ValueError):
            log.info("The client no longer listens.")

    def close(self) -> None:
        """Nothing: the stream closes with the process, after the last answer."""


async def serve(stream: RawIOBase, handle: Callable[[Any], None], refuse: Callable[[str], None]) -> None:
    """Feed `handle` with each decoded message until the stream ends; `refuse` hears of bodies that are no JSON."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def deliver(body: bytes | None) -> None:
        if body is None and not ended.done():
            ended.set_result(None)
        if body is None or ended.done():
            return
        try:
            _decode(body, handle, refuse)
        except SystemExit as leaving:
            ended.set_exception(Leaving(leaving.code))

    reader = MessageReader(stream)

    def pump() -> None:
        body: bytes | None = b""
        while body is not None:
            try:
                body = reader.read()
            except (OSError, ValueError):
                body = None
            try:
                loop.call_soon_threadsafe(deliver, body)
            except RuntimeError:  # the loop is closed: the server is leaving
                return

    threading.Thread(target=pump, name="waybook-reader", daemon=True).start()
    await ended


def _decode(body: bytes, handle: Callable[[Any], None], refuse: Callable[[str], None]) -> None:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        refuse(str(error))
    else:
        handle(message)


class Leaving(Exception):  # noqa: N818 - not an error: the client said goodbye
    """The `exit` notification came; `code` is the process's exit status."""

    def __init__(self, code: Any) -> None:
        super().__init__(code)
        self.code = code if isinstance(code, int) else 0
