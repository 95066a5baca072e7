"""Schema versions: migrated once, with a backup, or not at all; a newer one is refused."""

from __future__ import annotations

import ast
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.schema import CreateIndex, CreateTable

from store.helpers import DRIVERS, open_store, raw, restore
from waybook.base.errors import StoreError
from waybook.store.tables import metadata
from waybook.store.upgrade import CURRENT, Schema

TESTS = Path(__file__).parents[1]
DUMPS = TESTS.parent / "fixtures" / "databases"
NEXT = '''
"""A migration that a later version might bring: DDL and data."""
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    op.execute("CREATE TABLE extra (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    op.execute("ALTER TABLE runs ADD COLUMN note TEXT")
    for number in range(10):
        op.execute(f"INSERT INTO extra VALUES ({number}, 'x')")
    op.execute(  # more than the page cache holds, so that pages reach the file before the commit
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3999) "
        "INSERT INTO extra SELECT i, hex(zeroblob(500)) FROM n"
    )
    op.execute("UPDATE runs SET note = profile")
'''


FIRST = Schema(1, CURRENT.migrations)
"""The program of the first release: migrations are tried on its small schema, so that every statement can be a death."""


@pytest.fixture
def next_schema(tmp_path: Path) -> Schema:
    """Schema 2, as another later program would have it."""
    folder = tmp_path / "migrations"
    shutil.copytree(CURRENT.migrations, folder, ignore=shutil.ignore_patterns("__pycache__", "000[2-9]_*"))
    (folder / "versions" / "0002_next.py").write_text(NEXT)
    return Schema(2, folder)


def run(script: str, *arguments: object) -> str:
    """A test program's output; its failure is the test's."""
    code = f"import sys, runpy; sys.path.insert(0, {str(TESTS)!r}); runpy.run_path({script!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=110
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_newest_migration_is_the_schema_we_say() -> None:
    """`CURRENT.version` is the number of the last file in versions/."""
    assert max(int(path.name[:4]) for path in CURRENT.migrations.glob("versions/0*.py")) == CURRENT.version


def _ddl(text: str) -> tuple[str, frozenset[str]]:
    head, _, body = re.sub(r"\s+", " ", text).partition("(")
    parts = re.split(
        r", (?=[a-z_]+ (?:TEXT|INTEGER)|CONSTRAINT)", body.strip().removesuffix("STRICT").strip().removesuffix(")")
    )
    return head.strip(), frozenset(part.strip() for part in parts)


def test_tables_are_what_the_migrations_make(tmp_path: Path, driver: str) -> None:
    """tables.py and the migrations describe the same tables, constraints and checks included."""
    store = open_store(str(tmp_path / "x.db"))
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        rows = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL "
            "AND name NOT LIKE 'alembic%'"
        )
        made = {_ddl(sql) for (sql,) in rows}
        statements = [CreateTable(table) for table in metadata.sorted_tables]
        statements += [CreateIndex(index) for table in metadata.sorted_tables for index in table.indexes]
        described = {_ddl(str(statement.compile(connection.engine))) for statement in statements}
    store.close()
    assert made == described


def test_a_newer_schema_is_refused_and_untouched(tmp_path: Path, next_schema: Schema, driver: str) -> None:
    """The message names both versions; the hint says to update; nothing is changed."""
    path = tmp_path / "x.db"
    open_store(str(path), schema=next_schema).close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        open_store(str(path), schema=FIRST)
    assert caught.value.code == "schema-newer"
    assert "schema 2" in caught.value.message
    assert "up to 1" in caught.value.message
    assert "Update Waybook" in str(caught.value.hint)
    assert path.read_bytes() == before


def test_a_migration_leaves_a_private_backup(tmp_path: Path, next_schema: Schema, driver: str) -> None:
    """The backup is a whole database of the old schema; the new one has the data."""
    path = tmp_path / "x.db"
    restore(DUMPS / "schema-1.sql", path)
    rows = raw(path, "SELECT * FROM runs ORDER BY id")
    store = open_store(str(path), schema=next_schema)
    assert store.status().schema_version == 2
    with store.read() as connection:
        migrated = connection.exec_driver_sql("SELECT * FROM runs ORDER BY id").all()
        assert [tuple(row) for row in migrated] == [(*row, row[3]) for row in rows]
    store.close()
    (backup,) = tmp_path.glob("x.db.*")
    assert backup.name.startswith("x.db.schema-1.")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    old = open_store(str(backup), schema=FIRST)
    assert old.status().schema_version == 1
    old.close()


def test_a_new_database_needs_no_backup_and_old_ones_are_few(tmp_path: Path, next_schema: Schema) -> None:
    """Only the newest three backups are kept: they hold text that may have been deleted since."""
    path = tmp_path / "x.db"
    open_store(str(path), schema=FIRST).close()
    assert [file.name for file in tmp_path.glob("x.db.*")] == []
    names = [f"x.db.schema-1.2025010{day}T000000000000Z.backup" for day in range(1, 6)]
    for name in (*names, "x.db.schema-1.20250101T000000000000Z.backup.unfinished", "x.db.notes"):
        (tmp_path / name).write_text("")
    open_store(str(path), schema=next_schema).close()
    left = sorted(file.name for file in tmp_path.glob("x.db.*"))
    assert left[:3] == ["x.db.notes", *names[-2:]]
    assert len(left) == 4


def test_a_failing_migration_changes_nothing(tmp_path: Path, next_schema: Schema, driver: str) -> None:
    """An error in the last step rolls the first ones back; the program of before goes on with the data."""
    script = next_schema.migrations / "versions" / "0002_next.py"
    script.write_text(script.read_text() + '    op.execute("INSERT INTO nowhere VALUES (1)")\n')
    path = tmp_path / "x.db"
    restore(DUMPS / "schema-1.sql", path)
    rows = raw(path, "SELECT * FROM runs")
    with pytest.raises(Exception, match="nowhere"):
        open_store(str(path), schema=next_schema)
    store = open_store(str(path), schema=FIRST)
    assert store.status().schema_version == 1
    store.close()
    assert raw(path, "SELECT * FROM runs") == rows


@pytest.mark.parametrize("driver_name", DRIVERS)
@pytest.mark.parametrize("start", ["empty", "dump"])
def test_kill_during_migration(tmp_path: Path, next_schema: Schema, driver_name: str, start: str) -> None:
    """Killed at any statement or moment, the old or the new schema is there, never a half, and the next opening works."""
    schema = FIRST if start == "empty" else next_schema
    output = run(
        str(TESTS / "store" / "kill_migration.py"),
        *(driver_name, start, tmp_path / "db", schema.version, schema.migrations, DUMPS / "schema-1.sql"),
    )
    counts = ast.literal_eval(output)
    assert set(counts) == {str(schema.version - 1), str(schema.version)}
    assert sum(counts.values()) > 40


OPEN = """
import sys, importlib
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from store.helpers import open_store
from waybook.store import engine
from waybook.store.upgrade import Schema
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
sys.stdin.readline()
store = open_store(sys.argv[3], schema=Schema(int(sys.argv[4]), Path(sys.argv[5])))
print(store.status().schema_version)
store.close()
"""


@pytest.mark.parametrize("driver_name", DRIVERS)
@pytest.mark.parametrize("start", ["empty", "dump"])
def test_openers_at_once(tmp_path: Path, next_schema: Schema, driver_name: str, start: str) -> None:
    """Of four programs that open at once, one migrates; the others wait and find it done; one backup is made."""
    folder = tmp_path / "db"
    folder.mkdir()
    path = folder / "x.db"
    schema = FIRST
    if start == "dump":
        restore(DUMPS / "schema-1.sql", path)
        schema = next_schema
    command = [
        sys.executable,
        "-c",
        OPEN,
        str(TESTS),
        driver_name,
        str(path),
        str(schema.version),
        str(schema.migrations),
    ]
    openers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for opener in openers:
        assert opener.stdin
        opener.stdin.write("\n")
        opener.stdin.flush()
    answers = [opener.communicate(timeout=60) for opener in openers]
    assert [out.strip() for out, _ in answers] == [str(schema.version)] * 4, answers
    assert len(list(folder.glob("*.backup"))) == (1 if start == "dump" else 0)


def test_the_dump_of_schema_1_is_what_migration_1_makes(tmp_path: Path) -> None:
    """A released migration is never edited: its result is kept as a dump."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    restore(DUMPS / "schema-1.sql", old)
    open_store(str(new), schema=Schema(1, CURRENT.migrations)).close()
    query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
    assert raw(old, query) == raw(new, query)
    assert raw(old, "PRAGMA application_id") == raw(new, "PRAGMA application_id")
