"""Agents' files are read in lines and pieces, copied where they are databases, and never changed."""

from __future__ import annotations

import io
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from waybook.store import foreign
from waybook.workspace import transcript_files as files

if TYPE_CHECKING:
    from pathlib import Path

PIECES = st.lists(st.sampled_from([b"\n", b"a", b"bc", "\u2028".encode(), b"\r", b"\x85", b"x" * 9]), max_size=30)


@given(PIECES, st.integers(1, 7))
def test_lines_end_at_line_feeds_only(pieces: list[bytes], chunk: int) -> None:
    """Whatever the size of what is read at once: the same lines, numbers and offsets."""
    data = b"".join(pieces)
    before, files.CHUNK = files.CHUNK, chunk
    try:
        found = list(files.lines(io.BytesIO(data)))  # type: ignore[arg-type]  # a stream of bytes
    finally:
        files.CHUNK = before
    ended = data.split(b"\n")
    assert [line.data for line in found] == ended[:-1] + ([ended[-1]] if ended[-1] else [])
    assert [line.number for line in found] == list(range(1, len(found) + 1))
    assert [line.whole for line in found] == [True] * (len(ended) - 1) + [False] * bool(ended[-1])
    assert found == [] or found[-1].end == len(data)
    for line in found[:-1]:
        assert data[: line.end].count(b"\n") == line.number


@given(st.lists(st.integers(0, 30), max_size=8), st.integers(1, 9))
def test_long_lines_are_passed_over_and_counted(sizes: list[int], chunk: int) -> None:
    """A line beyond the limit holds no bytes; those after it are whole."""
    data = b"".join(b"x" * size + b"\n" for size in sizes)
    before, files.CHUNK = files.CHUNK, chunk
    try:
        found = list(files.lines(io.BytesIO(data), limit=10))  # type: ignore[arg-type]  # a stream of bytes
    finally:
        files.CHUNK = before
    assert [line.too_long for line in found] == [size > 10 for size in sizes]
    assert [len(line.data) for line in found] == [size if size <= 10 else 0 for size in sizes]


def test_reading_on_from_an_offset(tmp_path: Path) -> None:
    """Numbers and offsets continue; the digest tells a longer file from another one."""
    path = tmp_path / "log"
    path.write_bytes(b"one\ntwo\n")
    digest = files.edges(str(path), 8)
    path.write_bytes(b"one\ntwo\nthree\n")
    assert files.edges(str(path), 8) == digest
    with files.stream(str(path)) as file:
        assert [(line.number, line.data, line.end) for line in files.lines(file, 8, 2)] == [(3, b"three", 14)]
    path.write_bytes(b"One\ntwo\nthree\n")
    assert files.edges(str(path), 8) != digest
    assert files.edges(str(path), 1000) == ""


def test_packed_files_are_unpacked_and_their_damage_is_an_error(tmp_path: Path) -> None:
    """As far as they go."""
    path = tmp_path / "log.zst"
    path.write_bytes(zstd.compress(b"one\ntwo\n"))
    with files.stream(str(path)) as file:
        assert [line.data for line in files.lines(file)] == [b"one", b"two"]
    path.write_bytes(b"never packed")
    with files.stream(str(path)) as file, pytest.raises(OSError, match="damaged"):
        list(files.lines(file))


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    """A pipe does not block, a directory is refused; both count as nothing."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        assert files.mark(str(path)) is None
        with pytest.raises(OSError, match=r"regular file|directory"):
            files.opened(str(path))
    assert files.names(str(tmp_path / "gone")) == ()


def test_a_database_is_copied_with_its_log(tmp_path: Path) -> None:
    """What is only in the write-ahead log is in the copy; the copy is private and goes away; the original stays as it is."""
    path = tmp_path / "agent" / "x.db"
    path.parent.mkdir()
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE message(id TEXT, data TEXT)")
    writer.execute("INSERT INTO message VALUES ('a', 'in the log')")
    writer.commit()
    before = {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in path.parent.iterdir()}
    with files.copied_database(str(path)) as copy:
        assert os.stat(os.path.dirname(copy)).st_mode & 0o077 == 0
        with foreign.opened(copy) as database:
            assert database.columns("message") == {"id", "data"}
            assert database.columns("nothing") == frozenset()
            assert list(database.rows("message", ("data",), equal={"id": "a"})) == [("in the log",)]
            assert list(database.rows("message", ("id",), least={"id": "b"}, order=("id",))) == []
            with pytest.raises(OSError, match="cannot be read"):
                list(database.rows("message", ('no such column" --',)))
    assert not os.path.exists(copy)
    assert {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in path.parent.iterdir()} == before
    writer.close()
