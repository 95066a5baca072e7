"""Transactions, journals, change tokens, damage and physical deletion."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import DBAPIError

from store.helpers import open_store, raw, use_driver
from waybook.base.errors import StoreError
from waybook.store import engine
from waybook.store.tables import metadata
from waybook.store.upgrade import CURRENT

if TYPE_CHECKING:
    from waybook.store.store import Store

INSERT = "INSERT INTO workspaces VALUES ('{0}', '/{0}', '{0}', 'now')"


def insert(store: Store, name: str) -> None:
    with store.write() as connection:
        connection.exec_driver_sql(INSERT.format(name))


def names(store: Store) -> list[str]:
    with store.read() as connection:
        return list(connection.exec_driver_sql("SELECT name FROM workspaces ORDER BY name").scalars())


def test_a_write_is_kept_and_a_failed_one_is_not(store: Store) -> None:
    """An exception inside the block rolls everything back."""
    insert(store, "kept")

    def fail() -> None:
        with store.write() as connection:
            connection.exec_driver_sql(INSERT.format("lost"))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names(store) == ["kept"]


def test_a_read_cannot_write(store: Store) -> None:
    """A reading connection refuses every change, and the next writer is not affected."""
    with pytest.raises(StoreError, match="cannot be written"), store.read() as connection:
        connection.exec_driver_sql(INSERT.format("x"))
    insert(store, "y")
    assert names(store) == ["y"]


def test_a_nested_write_is_a_bug(store: Store) -> None:
    """It would wait for itself, so it is told at once, and the store stays usable."""
    with pytest.raises(RuntimeError), store.write(), store.write():
        pass
    insert(store, "after")
    assert names(store) == ["after"]


def test_a_read_sees_one_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another writes meanwhile is not seen in the middle of a read (without a log the writer waits instead)."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    store = open_store(str(tmp_path / "x.db"))
    insert(store, "a")
    with store.read() as connection:
        query = "SELECT count(*) FROM workspaces"
        assert connection.exec_driver_sql(query).scalar_one() == 1
        insert(store, "b")
        assert connection.exec_driver_sql(query).scalar_one() == 1
    assert names(store) == ["a", "b"]
    store.close()


def test_threads_of_one_process_queue(store: Store) -> None:
    """Eight threads write at once; every write is there and nobody is told `locked`."""
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                insert(store, f"{number}-{step}")
        except BaseException as error:  # noqa: BLE001 - collected and asserted below
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(names(store)) == 40


def test_a_lock_that_is_never_released_is_told_in_words(
    tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`database is locked` reaches nobody: a StoreError with code busy, the path and the limit."""
    path = tmp_path / "x.db"
    monkeypatch.setattr(engine.connect, "__kwdefaults__", {"mode": "rw", "timeout": 0.05})
    store = open_store(str(path), seconds=0.3)
    other = open_store(str(path))
    with other.write(), pytest.raises(StoreError) as caught:
        insert(store, "x")
    assert caught.value.code == "busy"
    assert str(path) in caught.value.message
    assert "locked" not in str(caught.value.to_json())
    insert(store, "later")
    store.close()
    other.close()


def test_a_slow_reader_delays_but_does_not_lose_a_write(tmp_path: Path, driver: str) -> None:
    """With a rollback journal COMMIT waits for a reader that came before; then the write is there."""
    one, two = open_store(str(tmp_path / "x.db")), open_store(str(tmp_path / "x.db"))
    reading = threading.Event()

    def read() -> None:
        with two.read() as connection:
            connection.exec_driver_sql("SELECT * FROM workspaces").all()
            reading.set()
            time.sleep(0.3)

    thread = threading.Thread(target=read)
    thread.start()
    reading.wait()
    insert(one, "x")
    thread.join()
    assert names(two) == ["x"]
    one.close()
    two.close()


@pytest.mark.parametrize(
    ("version", "faulty"),
    [
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 4), False),
        ((4, 0, 0), False),
    ],
)
def test_versions_with_the_wal_fault(version: tuple[int, int, int], *, faulty: bool) -> None:
    """Only mended versions run with a write-ahead log."""
    assert engine.has_wal_reset_fault(version) is faulty


def test_journal_follows_the_sqlite(store: Store, driver: str) -> None:
    """WAL where it is safe, a rollback journal elsewhere; `status` tells which."""
    status = store.status()
    faulty = engine.has_wal_reset_fault(engine.load_driver().sqlite_version_info)
    assert status.journal_mode == ("delete" if faulty else "wal")
    assert status.driver == driver.partition(".")[0]
    assert status.sqlite_version == engine.load_driver().sqlite_version
    assert status.schema_version == CURRENT.version
    assert status.size == os.path.getsize(status.path)


def test_a_faulty_sqlite_takes_the_log_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database made with a log is given a rollback journal, with its content, and a good SQLite leaves it so."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    path = str(tmp_path / "x.db")
    store = open_store(path)
    insert(store, "a")
    store.close()
    with monkeypatch.context() as faulty:
        faulty.setattr(engine, "has_wal_reset_fault", lambda _version: True)
        store = open_store(path)
        assert (store.status().journal_mode, names(store)) == ("delete", ["a"])
        store.close()
    store = open_store(path)
    assert store.status().journal_mode == "delete"
    store.close()


def test_a_faulty_sqlite_refuses_a_log_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another has the log open it cannot be taken away: told as busy, never run with the fault."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    path = str(tmp_path / "x.db")
    good = open_store(path)
    insert(good, "a")
    monkeypatch.setattr(engine, "has_wal_reset_fault", lambda _version: True)
    with pytest.raises(StoreError) as caught:
        open_store(path, seconds=0.3)
    assert caught.value.code == "busy"
    good.close()


def test_deleted_text_is_gone_from_every_file(store: Store) -> None:
    """After a deletion and `erase_residue` no byte of the text is in the database, its log or its journal."""
    secret = "flügelhorn-4711"
    with store.write() as connection:
        connection.exec_driver_sql(INSERT.format(secret))
    assert any(secret.encode() in file.read_bytes() for file in Path(store.path).parent.iterdir())
    with store.write() as connection:
        connection.exec_driver_sql("DELETE FROM workspaces")
    assert store.erase_residue()
    assert not any(secret.encode() in file.read_bytes() for file in Path(store.path).parent.iterdir())


def test_erasure_is_pending_while_a_reader_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open reader keeps the log; the next caller finishes the erasure."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    monkeypatch.setattr(engine.connect, "__kwdefaults__", {"mode": "rw", "timeout": 0.05})
    store, other = open_store(str(tmp_path / "x.db")), open_store(str(tmp_path / "x.db"))
    insert(store, "a")
    with other.read() as connection:
        connection.exec_driver_sql("SELECT * FROM workspaces").all()
        insert(store, "b")
        assert not store.erase_residue()
    assert store.erase_residue()
    store.close()
    other.close()


@pytest.mark.parametrize(
    "content", [b"SQLite format 3\0" + b"x" * 5000, b"no database at all\n" * 300, b"notes\n", b"SQLite format 3\0"]
)
def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path, driver: str, content: bytes) -> None:
    """No traceback, no overwriting: the path and the next step."""
    path = tmp_path / "x.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        open_store(str(path))
    assert caught.value.code == "store-damaged"
    assert caught.value.path == str(path)
    assert caught.value.hint
    assert path.read_bytes() == content


def test_a_page_damaged_in_the_middle(tmp_path: Path, driver: str) -> None:
    """Damage met later, while reading, is told in the same words."""
    path = tmp_path / "x.db"
    store = open_store(str(path))
    insert(store, "a")
    store.close()
    (root,) = raw(path, "SELECT rootpage FROM sqlite_master WHERE name = 'workspaces'")[0]
    page = raw(path, "PRAGMA page_size")[0][0]
    raw(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((root - 1) * page)
        file.write(b"\xff" * page)
    store = open_store(str(path))
    with pytest.raises(StoreError) as caught, store.read() as connection:
        connection.exec_driver_sql("SELECT * FROM workspaces").all()
    assert caught.value.code == "store-damaged"
    store.close()


def test_a_strangers_database_is_refused(tmp_path: Path, driver: str) -> None:
    """A database of another program, also one that Alembic migrates, is never migrated by us."""
    path = tmp_path / "x.db"
    raw(path, "CREATE TABLE alembic_version (version_num TEXT)", "INSERT INTO alembic_version VALUES ('0001')")
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        open_store(str(path))
    assert caught.value.code == "store-foreign"
    assert path.read_bytes() == before


def test_a_full_disk_is_told(store: Store) -> None:
    """`database or disk is full` becomes a StoreError; what was there stays, and writing works again afterwards."""
    insert(store, "a")

    def fill() -> None:
        with store.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=1")
            for number in range(2000):
                connection.exec_driver_sql(INSERT.format(f"b{number}" * 10))

    with pytest.raises(StoreError) as caught:
        fill()
    assert caught.value.code == "store-full"
    assert names(store) == ["a"]


LIMITED = """
import os, resource, sys
sys.path.insert(0, sys.argv[2])
from store.helpers import open_store
import waybook.store.upgrade, alembic.command
from waybook.base.errors import StoreError
kind, _, path = sys.argv[1:]
if kind == "nobody" and os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
if kind == "small":
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
try:
    store = open_store(path)
    with store.write() as connection:
        connection.exec_driver_sql("INSERT INTO workspaces VALUES ('a', '/a', 'a', 'now')")
    print("written")
except StoreError as error:
    print(error.code, error.path, bool(error.hint))
"""


def limited(kind: str, path: Path) -> str:
    """What a process of a person without rights, or with a limit on file sizes, is told."""
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, kind, tests, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


@pytest.mark.skipif(os.name != "posix", reason="rights and limits of POSIX")
def test_rights_and_limits_are_told(request: pytest.FixtureRequest) -> None:
    """A read-only directory, a file of somebody else and a disk that ends are clear errors, never tracebacks."""
    folder = tempfile.TemporaryDirectory(prefix="waybook-rights-")  # pytest's own are closed to other users
    request.addfinalizer(folder.cleanup)
    base = Path(os.path.realpath(folder.name))
    base.chmod(0o755)
    readonly = base / "readonly"
    readonly.mkdir(mode=0o555)
    assert limited("nobody", readonly / "x.db").split()[0] == "store-permission"
    assert limited("nobody", readonly / "sub" / "x.db").split()[0] == "store-permission"
    locked = base / "locked"
    locked.mkdir()
    open_store(str(locked / "x.db")).close()
    if os.geteuid() != 0:
        locked.joinpath("x.db").chmod(0o400)
        locked.chmod(0o500)
    code, path, hint = limited("nobody", locked / "x.db").split()
    assert code in {"store-unopenable", "store-readonly", "store-permission"}
    assert (path, hint) == (str(locked / "x.db"), "True")
    code, path, hint = limited("small", base / "small.db").split()
    assert code in {"store-full", "store-io"}
    assert (path, hint) == (str(base / "small.db"), "True")
    locked.chmod(0o700)


def test_a_broken_constraint_is_a_bug_not_a_store_error(store: Store) -> None:
    """Foreign keys are on, types are strict, states are checked; breaking one is not dressed up as a damaged store."""
    for statement in (
        "INSERT INTO missions VALUES ('m', 'nowhere', 'g', 'a', 'now')",
        "INSERT INTO workspaces VALUES ('w', x'00', 'w', 'now')",
    ):
        with pytest.raises(DBAPIError), store.write() as connection:
            connection.exec_driver_sql(statement)
    with store.read() as connection:
        tables = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    ours = [row for row in tables if not row["name"].startswith(("sqlite_", "alembic_"))]
    assert {row["name"] for row in ours} == {table.name for table in metadata.sorted_tables}
    assert all(row["strict"] for row in ours)


def test_alembic_loads_only_to_migrate(tmp_path: Path) -> None:
    """Opening a current database imports no Alembic, and `waybook.store` alone no SQLAlchemy."""
    path = str(tmp_path / "x.db")
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); import waybook.store, waybook.store.paths\n"
        "assert 'sqlalchemy' not in sys.modules\n"
        "from store.helpers import open_store; open_store(sys.argv[1]).close(); print('alembic' in sys.modules)"
    )
    code = code.replace("from store.helpers", "assert 'alembic' not in sys.modules\nfrom store.helpers")
    tests = str(Path(__file__).parents[1])

    def run() -> str:
        command = [sys.executable, "-c", code, path, tests]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    assert run() == "True"
    assert run() == "False"
