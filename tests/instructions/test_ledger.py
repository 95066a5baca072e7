"""What a run is pinned to, and how an operator moves the pin."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from store.helpers import AGENT, OPERATOR, keep, open_store, restore, snapshot
from waybook.base.actor import Actor
from waybook.base.errors import ConflictError, DiscoveryError, NotFoundError, RefusedError, StoreError
from waybook.base.records import to_json
from waybook.instructions.ledger import Inspection, LedgerService
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.instructions.model import Discovery, Snapshot
    from waybook.store.store import Store

OLD = snapshot({"AGENTS.md": "old\n", "CLAUDE.md": "same\n"})
NEW = snapshot({"AGENTS.md": "new\n", "CLAUDE.md": "same\n", "x/AGENTS.md": "more\n"})
THIRD = snapshot({"CLAUDE.md": "same\n"})
REFUSAL = DiscoveryError("AGENTS.md is a link.", code="symlink", path="AGENTS.md")


class Disk:
    """A discovery that answers what it is told, and remembers what it was asked."""

    def __init__(self, answer: Discovery) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str]] = []

    def __call__(self, root: str, target: str) -> Discovery:
        self.asked.append((root, target))
        return self.answer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "x.db"))
    yield opened
    opened.close()


@pytest.fixture
def ledger(store: Store) -> LedgerService:
    return LedgerService(store, mask=keep)


@pytest.fixture
def run_id(store: Store) -> str:
    return RunService(store, mask=keep).create_run("/demo", "goal", "review", "", OLD, OPERATOR).id


@pytest.fixture
def unpinned(store: Store) -> str:
    """A run of older data: without a pin."""
    workspace = RunService(store, mask=keep).register("/demo")
    with store.write() as connection:
        connection.exec_driver_sql(f"INSERT INTO missions VALUES ('mis_0', '{workspace.id}', 'goal', 'ada', 'then')")
        connection.exec_driver_sql(
            f"INSERT INTO runs VALUES ('run_0', 'mis_0', '{workspace.id}', 'code', '.', 'paused', 'ada', 'then', 'then')"
        )
    return "run_0"


def rows(store: Store) -> int:
    with store.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM run_instruction_snapshots").scalar_one())


def test_a_new_run_is_not_stale(ledger: LedgerService, run_id: str) -> None:
    """Creating pins revision 1; the record has the protocol's fields and grants nothing."""
    disk = Disk(OLD)
    found = ledger.inspect(run_id, disk)
    assert (found.pinned, found.live, found.stale, found.pinned_present) == (OLD, OLD, False, True)
    assert (found.error, found.refresh_confirmed, found.capability_grant) == (None, False, False)
    assert found.diff is not None
    assert not found.diff.requires_confirmation
    (first,) = found.history
    assert (first.revision, first.fingerprint, first.previous_fingerprint) == (1, OLD.fingerprint, "")
    assert (first.diff.added, first.confirmed_by) == (("AGENTS.md", "CLAUDE.md"), "ada")
    assert disk.asked == [("/demo", ".")]
    assert list(to_json(found)) == list(Inspection.__dataclass_fields__)
    assert "content" not in str(to_json(found)["history"])


def test_the_disk_never_changes_a_run(ledger: LedgerService, run_id: str) -> None:
    """A change on disk shows as stale, with a diff; the pin stays."""
    found = ledger.inspect(run_id, Disk(NEW))
    assert (found.pinned, found.live, found.stale) == (OLD, NEW, True)
    assert found.diff is not None
    assert (found.diff.added, found.diff.changed) == (("x/AGENTS.md",), ("AGENTS.md",))
    assert ledger.inspect(run_id, Disk(OLD)).stale is False


@pytest.mark.parametrize("raises", [True, False])
def test_a_refused_discovery_is_stale_and_told(ledger: LedgerService, run_id: str, *, raises: bool) -> None:
    """What cannot be read cannot be shown to be what is pinned."""

    def discover(_root: str, _target: str) -> Discovery:
        if raises:
            raise REFUSAL
        return REFUSAL

    found = ledger.inspect(run_id, discover)
    assert (found.pinned, found.live, found.diff, found.stale) == (OLD, None, None, True)
    assert found.error == REFUSAL.to_json()
    with pytest.raises(DiscoveryError):
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, discover, OPERATOR)
    assert len(ledger.inspect(run_id, Disk(OLD)).history) == 1


def test_confirm_appends_a_revision(ledger: LedgerService, run_id: str) -> None:
    """The new revision has the snapshot, the diff, who confirmed; the old one stays in the history."""
    done = ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, Disk(NEW), OPERATOR)
    assert (done.pinned, done.stale, done.refresh_confirmed, done.capability_grant) == (NEW, False, True, False)
    after = ledger.inspect(run_id, Disk(NEW))
    assert after.history == done.history
    first, second = after.history
    assert (second.revision, second.previous_fingerprint) == (2, first.fingerprint)
    assert (second.fingerprint, second.diff.changed, second.confirmed_by) == (NEW.fingerprint, ("AGENTS.md",), "ada")
    assert second.created_at > first.created_at
    assert not after.refresh_confirmed
    pinned = ledger.pinned(run_id)
    assert pinned == (NEW, second)


def test_a_replay_is_refused(ledger: LedgerService, store: Store, run_id: str) -> None:
    """The same confirmation sent twice writes once."""
    ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, Disk(NEW), OPERATOR)
    with pytest.raises(ConflictError) as caught:
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, Disk(NEW), OPERATOR)
    assert caught.value.code == "pin-changed"
    assert caught.value.details["current_fingerprint"] == NEW.fingerprint
    assert rows(store) == 2


def test_a_change_after_the_review_is_a_conflict(ledger: LedgerService, store: Store, run_id: str) -> None:
    """The live fingerprint that was reviewed binds; the conflict says what the disk shows now."""
    with pytest.raises(ConflictError) as caught:
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, Disk(THIRD), OPERATOR)
    assert caught.value.code == "live-changed"
    assert "removed AGENTS.md" in caught.value.message
    assert caught.value.details["live_fingerprint"] == THIRD.fingerprint
    assert rows(store) == 1


def test_nothing_to_confirm(ledger: LedgerService, store: Store, run_id: str) -> None:
    """Live equal to the pin is said clearly and writes nothing."""
    for reviewed in (OLD.fingerprint, NEW.fingerprint):
        with pytest.raises(ConflictError, match="nothing to confirm") as caught:
            ledger.confirm(run_id, OLD.fingerprint, reviewed, Disk(OLD), OPERATOR)
        assert caught.value.code == "nothing-to-confirm"
    assert rows(store) == 1


@pytest.mark.parametrize("expected", ["", "0" * 64, OLD.fingerprint.upper()])
def test_a_wrong_pin_is_a_conflict_before_the_disk_is_read(
    ledger: LedgerService, store: Store, run_id: str, expected: str
) -> None:
    """Also the empty one: a pinned run is not to be taken for an unpinned."""
    disk = Disk(NEW)
    with pytest.raises(ConflictError) as caught:
        ledger.confirm(run_id, expected, NEW.fingerprint, disk, OPERATOR)
    assert (caught.value.code, disk.asked, rows(store)) == ("pin-changed", [], 1)


@pytest.mark.parametrize("actor", [AGENT, Actor("operator", "System"), Actor("operator", "a b"), Actor("operator", "")])
def test_only_an_operator_confirms(ledger: LedgerService, store: Store, run_id: str, actor: Actor) -> None:
    """Agents and names that stand for programs are refused, and nothing is read or written."""
    disk = Disk(NEW)
    with pytest.raises(RefusedError):
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, disk, actor)
    assert (disk.asked, rows(store)) == ([], 1)


def test_an_unpinned_run_gets_revision_1_by_confirming(ledger: LedgerService, unpinned: str) -> None:
    """Until then it shows the live snapshot as all added, and is not called stale."""
    found = ledger.inspect(unpinned, Disk(OLD))
    assert (found.pinned, found.pinned_present, found.stale, found.history) == (None, False, False, ())
    assert found.diff is not None
    assert (found.diff.from_fingerprint, found.diff.added) == ("", ("AGENTS.md", "CLAUDE.md"))
    assert ledger.pinned(unpinned) is None
    with pytest.raises(ConflictError):
        ledger.confirm(unpinned, OLD.fingerprint, OLD.fingerprint, Disk(OLD), OPERATOR)
    done = ledger.confirm(unpinned, "", OLD.fingerprint, Disk(OLD), OPERATOR)
    assert [item.revision for item in done.history] == [1]
    with pytest.raises(ConflictError):
        ledger.confirm(unpinned, "", OLD.fingerprint, Disk(OLD), OPERATOR)


def test_an_unknown_run(ledger: LedgerService) -> None:
    """It is not found, with the way to a list of runs."""
    for call in (
        lambda: ledger.inspect("run_x", Disk(OLD)),
        lambda: ledger.pinned("run_x"),
        lambda: ledger.confirm("run_x", "", OLD.fingerprint, Disk(OLD), OPERATOR),
    ):
        with pytest.raises(NotFoundError) as caught:
            call()
        assert caught.value.code == "no-run"


def test_the_scan_happens_under_the_write_lock(ledger: LedgerService, store: Store, run_id: str) -> None:
    """While the disk is read nobody else can write: nothing slips between the check and the revision."""
    other = open_store(store.path, seconds=0)
    seen: list[str] = []

    def discover(_root: str, _target: str) -> Snapshot:
        with pytest.raises(StoreError) as caught, other.write():
            pass
        seen.append(caught.value.code)
        return NEW

    from waybook.store import engine

    defaults = dict(engine.connect.__kwdefaults__)
    engine.connect.__kwdefaults__["timeout"] = 0.05
    try:
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, discover, OPERATOR)
    finally:
        engine.connect.__kwdefaults__.update(defaults)
        other.close()
    assert seen == ["busy"]


def test_a_failing_scan_releases_the_lock(ledger: LedgerService, store: Store, run_id: str) -> None:
    """An error in discovery leaves no open transaction behind."""

    def discover(_root: str, _target: str) -> Snapshot:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, discover, OPERATOR)
    ledger.confirm(run_id, OLD.fingerprint, NEW.fingerprint, Disk(NEW), OPERATOR)
    assert rows(store) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run_instruction_snapshots SET confirmed_by = 'eve'",
        "DELETE FROM run_instruction_snapshots",
        "INSERT OR REPLACE INTO run_instruction_snapshots SELECT * FROM run_instruction_snapshots",
        (
            "INSERT OR REPLACE INTO run_instruction_snapshots (rowid, run_id, revision, snapshot, fingerprint, "
            "previous_fingerprint, diff, confirmed_by, created_at) "
            "SELECT rowid, run_id, 2, snapshot, 'f', fingerprint, diff, 'eve', created_at FROM run_instruction_snapshots"
        ),
        (
            "INSERT INTO run_instruction_snapshots "
            "SELECT run_id, 3, snapshot, 'f', fingerprint, diff, 'eve', created_at FROM run_instruction_snapshots"
        ),
        (
            "INSERT INTO run_instruction_snapshots "
            "SELECT run_id, 2, snapshot, 'f', 'wrong', diff, 'eve', created_at FROM run_instruction_snapshots"
        ),
        "DELETE FROM runs",
        "UPDATE runs SET state = 'asleep'",
    ],
)
def test_the_database_itself_refuses(store: Store, run_id: str, statement: str) -> None:
    """Triggers keep the ledger append-only, without gaps and chained, whatever statement is used."""
    with store.read() as connection:
        before = connection.exec_driver_sql("SELECT * FROM run_instruction_snapshots").all()
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.exec_driver_sql(statement)
    with store.read() as connection:
        assert connection.exec_driver_sql("SELECT * FROM run_instruction_snapshots").all() == before


def test_secrets_are_masked_in_what_is_stored(store: Store) -> None:
    """The mask changes the stored content, never the hashes: fingerprints still compare."""

    def mask(text: str) -> str:
        return text.replace("hunter2", "***")

    secret = snapshot({"AGENTS.md": "password hunter2\n"})
    runs, ledger = RunService(store, mask=mask), LedgerService(store, mask=mask)
    run = runs.create_run("/demo", "use hunter2", "code", ".", secret, OPERATOR)
    found = ledger.inspect(run.id, Disk(secret))
    assert found.pinned is not None
    assert found.pinned.sources[0].content == "password ***\n"
    assert found.pinned.fingerprint == secret.fingerprint
    assert not found.stale
    store.erase_residue()
    assert b"hunter2" not in Path(store.path).read_bytes()


def test_a_stored_snapshot_that_was_tampered_with(tmp_path: Path) -> None:
    """A body that is not the fingerprint's, or claims a grant, is a damaged store and never used."""
    dump = Path(__file__).parents[2] / "fixtures" / "databases" / "schema-1.sql"
    for old, new in (('"tool_grant":false', '"tool_grant":true'), ('"fingerprint":"', '"fingerprint":"0')):
        path = tmp_path / f"{len(new)}.db"
        restore(dump, path)
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER run_instruction_snapshots_no_update")
            connection.execute("UPDATE run_instruction_snapshots SET snapshot = replace(snapshot, ?, ?)", (old, new))
        connection.close()
        store = open_store(str(path))
        run = RunService(store, mask=keep).list_runs()[0]
        with pytest.raises(StoreError) as caught:
            LedgerService(store, mask=keep).inspect(run.id, Disk(OLD))
        assert caught.value.code == "store-damaged"
        store.close()
