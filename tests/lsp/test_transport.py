"""Framing: messages come out whole however the bytes arrive, and bad framing ends the stream instead of hanging."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from waybook.lsp.transport import MAX_MESSAGE_BYTES, MessageReader, StreamWriter


class Slow(io.RawIOBase):
    """A stream that gives its bytes in pieces of given sizes."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data = data
        self.sizes = sizes

    def read(self, size: int = -1) -> bytes:
        """The next piece."""
        step = self.sizes.pop(0) if self.sizes else len(self.data)
        part, self.data = self.data[:step], self.data[step:]
        return part


def framed(*bodies: bytes) -> bytes:
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


@given(bodies=st.lists(st.binary(max_size=40), max_size=5), sizes=st.lists(st.integers(1, 9), max_size=60))
def test_messages_survive_any_cutting(bodies: list[bytes], sizes: list[int]) -> None:
    """The same bodies in the same order, whatever the pieces; then the end."""
    reader = MessageReader(Slow(framed(*bodies), sizes))
    assert [reader.read() for _ in bodies] == bodies
    assert reader.read() is None


def test_other_headers_and_any_case_are_accepted() -> None:
    """Content-Type may stand before or after, header names have no case, bare newlines end lines."""
    data = b"content-type: x\r\ncontent-length: 2\r\n\r\n{}" + b"Content-Length: 2\nX-Other: 1\n\n[]"
    reader = MessageReader(io.BytesIO(data))  # type: ignore[arg-type]  # read(n) is all it uses
    assert [reader.read(), reader.read()] == [b"{}", b"[]"]


def test_bad_framing_ends_the_stream() -> None:
    """A length that is no number, an absurd one, endless headers and a body cut short are the end."""
    cut = b"Content-Length: 5\r\n\r\nab"
    for data in (
        b"Content-Length: x\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n" % (MAX_MESSAGE_BYTES + 1),
        b"x" * 200_000,
        cut,
    ):
        assert MessageReader(io.BytesIO(data)).read() is None  # type: ignore[arg-type]  # as above


def test_a_client_that_went_away_is_no_error() -> None:
    """Writing to a closed pipe is logged, nothing is raised."""

    class Broken(io.RawIOBase):
        def write(self, data: object) -> int:
            raise BrokenPipeError

    StreamWriter(Broken()).write(b"x")
