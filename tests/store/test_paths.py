"""Where the database lies and who can read it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from store.helpers import open_store, raw
from waybook.base.errors import StoreError, UsageError
from waybook.store.paths import Location, locate

if TYPE_CHECKING:
    from pathlib import Path

posix_only = pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_settings_name_the_place(tmp_path: Path) -> None:
    """A store beats a data directory, a data directory the platform's default."""
    assert locate(f"sqlite:///{tmp_path}/x.db", "/elsewhere") == Location(f"{tmp_path}/x.db")
    assert locate(str(tmp_path / "x.db")) == Location(f"{tmp_path}/x.db")
    assert locate("", str(tmp_path)) == Location(f"{tmp_path}/waybook.db", owns_directory=True)
    assert locate().owns_directory
    assert locate().path.endswith(os.path.join("waybook", "waybook.db"))


@pytest.mark.parametrize(
    ("url", "error", "code"),
    [
        ("postgresql://me:hunter2@host/db", StoreError, "store-unsupported"),
        ("sqlite://", UsageError, "bad-store-url"),
        ("sqlite:///x.db?mode=memory", UsageError, "bad-store-url"),
        ("sqlite://host/x.db", UsageError, "bad-store-url"),
        (":memory:", UsageError, "bad-store-url"),
        ("a\0b", UsageError, "bad-path"),
    ],
)
def test_urls_that_cannot_be_meant(url: str, error: type, code: str) -> None:
    """They are refused without repeating a password."""
    with pytest.raises(error) as caught:
        locate(url)
    assert caught.value.code == code
    assert "hunter2" not in str(caught.value.to_json())


@posix_only
def test_everything_is_private_whatever_the_umask(tmp_path: Path, driver: str) -> None:
    """Directory 0700, database and side files 0600, from the first moment on."""
    before = os.umask(0)
    try:
        store = open_store("", data_dir=str(tmp_path / "a" / "data"))
    finally:
        os.umask(before)
    with store.write() as connection:
        connection.exec_driver_sql("INSERT INTO workspaces VALUES ('w', '/w', 'w', 'now')")
        files = sorted((tmp_path / "a" / "data").iterdir())
        assert len(files) >= 2, "a journal or log stands beside the database during a write"
        assert [mode(file) for file in files] == [0o600] * len(files)
    assert mode(tmp_path / "a" / "data") == 0o700
    store.close()


@posix_only
def test_modes_are_repaired(tmp_path: Path) -> None:
    """A data directory or database that others could read is closed to them at the next opening."""
    data = tmp_path / "data"
    open_store("", data_dir=str(data)).close()
    data.chmod(0o777)
    (data / "waybook.db").chmod(0o666)
    open_store("", data_dir=str(data)).close()
    assert (mode(data), mode(data / "waybook.db")) == (0o700, 0o600)


@posix_only
def test_a_directory_that_is_not_ours_keeps_its_mode(tmp_path: Path) -> None:
    """`--store PATH` may point anywhere: only the database file is made private there."""
    tmp_path.chmod(0o755)
    open_store(str(tmp_path / "x.db")).close()
    assert (mode(tmp_path), mode(tmp_path / "x.db")) == (0o755, 0o600)


@pytest.mark.parametrize("name", ["waybook.db", "waybook.db-wal", "waybook.db-journal"])
def test_a_linked_file_is_refused(tmp_path: Path, name: str) -> None:
    """What a link points to is never opened or changed."""
    data, victim = tmp_path / "data", tmp_path / "victim"
    data.mkdir()
    victim.write_text("precious")
    victim.chmod(0o644)
    (data / name).symlink_to(victim)
    with pytest.raises(StoreError) as caught:
        open_store("", data_dir=str(data))
    assert caught.value.code == "store-link"
    assert (victim.read_text(), mode(victim)) == ("precious", 0o644)


def test_a_linked_data_directory_is_refused(tmp_path: Path) -> None:
    """The hint says how to name the real one."""
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "real")
    with pytest.raises(StoreError) as caught:
        open_store("", data_dir=str(tmp_path / "data"))
    assert caught.value.code == "store-link"
    assert "WAYBOOK_DATA_DIR" in str(caught.value.hint)
    assert not list((tmp_path / "real").iterdir())


def test_a_directory_in_the_place_of_the_database(tmp_path: Path) -> None:
    """It is named as what it is."""
    (tmp_path / "x.db").mkdir()
    with pytest.raises(StoreError) as caught:
        open_store(str(tmp_path / "x.db"))
    assert caught.value.code == "store-not-a-file"


def test_a_file_in_the_place_of_the_directory(tmp_path: Path) -> None:
    """The error names the path."""
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError) as caught:
        open_store("", data_dir=str(tmp_path / "data"))
    assert str(tmp_path / "data") in caught.value.message


def test_odd_names(tmp_path: Path) -> None:
    """Blanks, per cent, question and number signs in a path are just characters."""
    path = tmp_path / "a b%41?c#d" / "x y.db"
    store = open_store(str(path))
    assert store.status().path == str(path)
    store.close()
    assert path.exists()
    assert raw(path, "SELECT count(*) FROM workspaces") == [(0,)]
