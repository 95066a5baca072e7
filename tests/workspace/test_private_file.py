"""Files in the cache directory: private, whole, bounded, and nobody's trouble when they fail."""

from __future__ import annotations

import os
import stat

from waybook.workspace import private_file
from waybook.workspace.private_file import read_private, write_private


def test_what_is_written_is_read_and_is_the_owners_alone(tmp_path):
    path = tmp_path / "a/b/x"
    assert write_private(str(path), b"data")
    assert read_private(str(path)) == b"data"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["x"]


def test_a_place_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    assert not write_private(str(tmp_path / "file/x"), b"data")
    (tmp_path / "taken").mkdir()
    assert not write_private(str(tmp_path / "taken"), b"data")
    assert sorted(os.listdir(tmp_path)) == ["file", "taken"]


def test_what_others_may_write_is_not_read(tmp_path):
    path = tmp_path / "x"
    write_private(str(path), b"data")
    path.chmod(0o620)
    assert read_private(str(path)) is None


def test_pipes_links_and_giants_are_not_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe", 0o600)
    write_private(str(tmp_path / "x"), b"data")
    (tmp_path / "link").symlink_to("x")
    assert read_private(str(tmp_path / "pipe")) is None
    assert read_private(str(tmp_path / "link")) is None
    monkeypatch.setattr(private_file, "MAX_BYTES", 3)
    assert read_private(str(tmp_path / "x")) is None


def test_the_oldest_files_go(tmp_path, monkeypatch):
    monkeypatch.setattr(private_file, "MOST_FILES", 2)
    for age, name in enumerate(("new", "old", "older")):
        write_private(str(tmp_path / name), b"")
        os.utime(tmp_path / name, (1_000_000 - age, 1_000_000 - age))
    write_private(str(tmp_path / "newest"), b"")
    assert sorted(os.listdir(tmp_path)) == ["new", "newest"]
