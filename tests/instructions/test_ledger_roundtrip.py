"""Whatever snapshot discovery can make comes back from the database as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.helpers import OPERATOR, keep, open_store
from waybook.base.errors import StoreError
from waybook.instructions.baseline import BaselineService
from waybook.instructions.ledger import LedgerService
from waybook.instructions.model import Conflict, Ignored, Kind, Limits, Snapshot, SnapshotDiff, Source
from waybook.instructions.stored import (
    dump_diff,
    dump_snapshot,
    load_diff,
    load_snapshot,
    snapshot_from_json,
)
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from pathlib import Path

# Any character at all: also NUL, lone surrogates (names of files that are not UTF-8), U+2028 and emoji.
texts = st.text(st.characters(exclude_categories=()), max_size=20)
printable = st.text(st.characters(exclude_categories=("C", "Z")), max_size=10)
numbers = st.integers(0, 2**53)
sources = st.builds(
    Source,
    ordinal=numbers,
    path=texts,
    kind=st.sampled_from(Kind),
    scope=texts,
    depth=numbers,
    precedence=numbers,
    content=texts,
    content_sha256=texts,
    loaded_at=texts,
    trust=texts,
    applicable_to=st.lists(texts, max_size=2).map(tuple),
    why_effective=texts,
    redacted=st.booleans(),
)
snapshots = st.builds(
    Snapshot,
    protocol_version=texts,
    target_path=printable.filter(lambda text: text not in {"", "."}),
    sources=st.lists(sources, max_size=4).map(tuple),
    ignored=st.lists(st.builds(Ignored, texts, texts), max_size=2).map(tuple),
    conflicts=st.lists(st.builds(Conflict, texts, texts, texts), max_size=2).map(tuple),
    fingerprint=st.binary(min_size=32, max_size=32).map(bytes.hex),
    loaded_at=texts,
    limits=st.builds(Limits, numbers, numbers, numbers, numbers),
)
paths = st.lists(texts, max_size=3).map(tuple)
diffs = st.builds(SnapshotDiff, texts, texts, paths, paths, paths, st.booleans(), st.booleans())


@given(snapshots)
def test_a_snapshot_round_trips_through_its_text(value: Snapshot) -> None:
    """dump then load is the identity, and the text is ASCII."""
    text = dump_snapshot(value, keep)
    assert text.isascii()
    assert load_snapshot(text, value.fingerprint) == value
    assert snapshot_from_json(value.to_json()) == value


@given(diffs)
def test_a_diff_round_trips(value: SnapshotDiff) -> None:
    """dump then load is the identity."""
    assert load_diff(dump_diff(value)) == value


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=snapshots, scope=printable)
def test_a_snapshot_round_trips_through_the_database(tmp_path: Path, value: Snapshot, scope: str) -> None:
    """Pinned to a run and to a baseline, then read in another opening of the store."""
    path = tmp_path / "x.db"
    path.unlink(missing_ok=True)
    value = replace(value, target_path="a")
    store = open_store(str(path))
    run = RunService(store, mask=keep).create_run("/demo", "goal", "code", "a", value, OPERATOR)
    BaselineService(store, mask=keep).pin(run.workspace_id, {scope: value}, OPERATOR)
    store.close()
    store = open_store(str(path))
    pinned = LedgerService(store, mask=keep).pinned(run.id)
    baseline = BaselineService(store, mask=keep).newest(run.workspace_id)
    store.close()
    assert pinned is not None
    assert pinned[0] == value
    assert baseline is not None
    assert baseline.snapshots == {scope: value}


@given(snapshots.filter(lambda value: value.sources), st.data())
def test_a_damaged_snapshot_is_told(value: Snapshot, data: st.DataObject) -> None:
    """A missing field or a wrong type anywhere is a StoreError, never a half-read snapshot."""
    body = value.to_json()
    part = data.draw(st.sampled_from([body, body["limits"], *body["sources"]]))
    name = data.draw(st.sampled_from(sorted(part)))
    if data.draw(st.booleans()):
        del part[name]
    else:
        part[name] = None
    with pytest.raises(StoreError) as caught:
        load_snapshot(json.dumps(body), value.fingerprint)
    assert caught.value.code == "store-damaged"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", '"x"', "{}"])
def test_text_that_is_no_snapshot(text: str) -> None:
    """Any other text is a damaged store."""
    with pytest.raises(StoreError):
        load_snapshot(text, "f")
    with pytest.raises(StoreError):
        load_diff(text)
