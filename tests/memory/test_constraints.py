"""What the database itself refuses, whoever writes to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from memory.helpers import draft
from store.helpers import OPERATOR
from waybook.base.actor import _RESERVED
from waybook.memory.model import SourceKind, Status
from waybook.store.tables import MEMORY_SOURCES, RESERVED_NAMES

if TYPE_CHECKING:
    from waybook.memory.service import MemoryService
    from waybook.store.store import Store


def test_the_words_are_the_models() -> None:
    """The tables name the same sources and the same reserved names as the code."""
    assert {kind.value for kind in SourceKind} == set(MEMORY_SOURCES)
    assert set(RESERVED_NAMES) == _RESERVED
    assert {status.value for status in Status} == {"active", "disabled"}


SET = "UPDATE memories SET version = version + 1, change = (SELECT number FROM memory_changes) + 1, updated_by = 'bob'"
TEXT = "INSERT INTO memory_texts VALUES (2, {title}, {content}, {source}, {refs})"


def text(**parts: str) -> str:
    return TEXT.format(**{"title": "'t'", "content": "'c'", "source": "''", "refs": "''", **parts})


@pytest.mark.parametrize(
    "statement",
    [
        f"{SET}, scope = 'project'",
        f"{SET}, scope_id = 'x'",
        f"{SET}, id = 'x'",
        f"{SET}, created_by = 'bob'",
        f"{SET}, created_at = '2026-01-01T00:00:00.000000Z'",
        f"{SET}, source_kind = 'operator_import_explicit'",
        f"{SET}, status = 'gone'",
        f"{SET}, content_sha256 = 'abc'",
        f"{SET}, content_sha256 = upper(hex(zeroblob(31)) || 'AB')",
        f"{SET}, redacted = 2",
        f"{SET}, retention_until = '2025-01-01T00:00:00.000000Z'",
        f"{SET}, retention_until = '2036-01-03T00:00:00.000000Z'",
        f"{SET}, updated_at = '2026-01-01T00:00:00.000000Z'",
        f"{SET}, updated_by = 'Agent'",
        f"{SET}, updated_by = 'a b'",
        f"{SET}, updated_by = hex(zeroblob(129))",
        f"{SET}, text_seq = 9",
        "UPDATE memories SET version = version + 2, change = (SELECT number FROM memory_changes) + 1",
        "UPDATE memories SET version = version + 1",
        "UPDATE memories SET status = 'disabled'",
        "INSERT OR REPLACE INTO memories SELECT * FROM memories",
        "UPDATE memory_texts SET content = 'other'",
        "UPDATE memory_texts SET title = '', content = '', source_ref = '', refs = ''",
        "DELETE FROM memory_texts",
        "INSERT OR REPLACE INTO memory_texts VALUES (1, 'x', 'y', '', '')",
        "INSERT INTO memory_texts VALUES (3, 'x', 'y', '', '')",
        text(title="hex(zeroblob(129))"),
        text(title="''"),
        text(content="''"),
        text(content="hex(zeroblob(8193))"),
        text(content="'a' || char(0)"),
        text(content="'a' || char(13)"),
        text(source="hex(zeroblob(257))"),
        text(refs="replace(hex(zeroblob(33)), '00', 'a' || char(10))"),
        "DELETE FROM memory_changes",
        "UPDATE memory_changes SET number = number + 2",
        "INSERT INTO memory_changes VALUES (2, 0)",
    ],
)
def test_the_database_refuses(memory: MemoryService, store: Store, statement: str) -> None:
    """Sizes, scopes, versions by one, fixed origins, texts that are only ever blanked, NUL: held by the file itself."""
    kept = memory.create(draft(), OPERATOR)
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.exec_driver_sql(statement)
    assert memory.show(kept.id) == kept


def test_the_database_blanks(memory: MemoryService, store: Store) -> None:
    """A memory removed behind the service's back takes its text along."""
    kept = memory.create(draft(), OPERATOR)
    with store.write() as connection:
        connection.exec_driver_sql(SET)
        assert memory_row(connection, "SELECT version, updated_by FROM memories") == (2, "bob")
        connection.exec_driver_sql(f"DELETE FROM memories WHERE id = '{kept.id}'")
        assert memory_row(connection, "SELECT * FROM memory_texts") == (1, "", "", "", "")


def memory_row(connection: object, statement: str) -> tuple[object, ...]:
    return tuple(connection.exec_driver_sql(statement).one())  # type: ignore[attr-defined] - a SQLAlchemy connection
