"""A clock that ticks by itself, ids that count, snapshots from plain texts, and a store to put them in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from waybook.base.actor import Actor
from waybook.base.canonical import sha256_hex
from waybook.instructions.model import Kind, Snapshot, Source
from waybook.instructions.snapshot import make_snapshot
from waybook.store import engine
from waybook.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OPERATOR = Actor("operator", "ada")
AGENT = Actor("agent", "codex")
LOADED_AT = "2026-01-02T03:04:05.000000Z"


class Ticks:
    """One second later at each look."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


class Counted:
    """run_1, run_2, ...; `start` keeps several processes apart."""

    def __init__(self, start: int = 0) -> None:
        self._last = start

    def new(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}_{self._last:06}"


def open_store(where: Any, **options: Any) -> Store:
    return Store.open(where, **{"clock": Ticks(), "ids": Counted(), **options})


def keep(text: str) -> str:
    """A mask that hides nothing."""
    return text


def snapshot(texts: Mapping[str, str], target: str = ".", scope: str = "") -> Snapshot:
    """A snapshot whose sources are these paths with these texts."""
    sources = tuple(
        Source(
            ordinal=number,
            path=path,
            kind=Kind.AGENTS,
            scope=scope,
            depth=0,
            precedence=100,
            content=text,
            content_sha256=sha256_hex(text),
            loaded_at=LOADED_AT,
            trust="project_workflow_untrusted",
            applicable_to=(target,),
            why_effective="because",
            redacted=False,
        )
        for number, (path, text) in enumerate(texts.items(), 1)
    )
    return make_snapshot(target, sources, (), LOADED_AT)


def use_driver(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the store use this DB-API module; skips where it is not installed."""
    module = pytest.importorskip(name)
    monkeypatch.setattr(engine, "load_driver", lambda: module)
    return module


def raw(path: Path | str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements behind the store's back; the rows of the last one. Only while no `Store` is open here."""
    with closing(engine.load_driver().connect(str(path), isolation_level=None)) as connection:
        rows: list[tuple[Any, ...]] = []
        for statement in statements:
            rows = connection.execute(statement).fetchall()
        return rows


def restore(dump: Path, path: Path) -> None:
    """Make a database from a dump."""
    with closing(engine.load_driver().connect(str(path), isolation_level=None)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))


DRIVERS = ("pysqlite3.dbapi2", sqlite3.__name__)
