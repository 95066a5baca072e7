"""An export is taken back; what is no export is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from memory.helpers import USER, Clock, draft
from store.helpers import OPERATOR
from waybook.base.clock import timestamp
from waybook.base.errors import UsageError
from waybook.base.records import to_json
from waybook.memory.export import PROTOCOL, Export, drafts
from waybook.memory.model import Draft, Scope, Status
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from waybook.memory.service import MemoryService
    from waybook.store.store import Store

KEPT = ("scope", "title", "content", "content_sha256", "status", "source_ref", "references", "retention_until")


def test_there_and_back(store: Store, memory: MemoryService, clock: Clock) -> None:
    """Titles, texts, sources, references, states and retentions come back; ids, versions and sources are new."""
    runs = RunService(store, mask=str)
    one, two = runs.register("/a").id, runs.register("/b").id
    memory.create(draft("mine", "a\nb", references=("x", "y"), source_ref="run:1", retention="720h"), OPERATOR)
    off = memory.create(Draft("project", "off", "ours 打包", scope_id=one), OPERATOR)
    memory.switch(off.id, 1, Status.DISABLED, OPERATOR)
    owners = [USER, (Scope.PROJECT, one)]
    document = json.dumps(
        to_json(
            Export(
                PROTOCOL, timestamp(clock.now()), include_inactive=True, memories=memory.export(owners, everything=True)
            )
        )
    )
    assert json.loads(document)["protocol"] == "context_memory_export.v1"
    before = memory.export(owners, everything=True)
    assert memory.export(owners) == tuple(item for item in before if item.status is Status.ACTIVE)
    for item in before:
        memory.delete(item.id, item.version, OPERATOR)
    made, known = memory.create_all(drafts(document, two, redact_sensitive=False), OPERATOR)
    assert known == 0
    after = [memory.show(item.id) for item in made]
    for name in KEPT:
        assert [getattr(item, name) for item in after] == [getattr(item, name) for item in before]
    assert {(item.source_kind, item.version) for item in after} == {("operator_import_explicit", 1)}
    assert [item.scope_id for item in after] == ["local-user", two]
    _, again = memory.create_all(drafts(document, two, redact_sensitive=False), OPERATOR)
    assert again == 2


def test_what_is_over_stays_over(memory: MemoryService, clock: Clock) -> None:
    """An expired memory comes back expired."""
    kept = memory.create(draft(retention="1h"), OPERATOR)
    clock.advance(hours=2)
    export = Export(PROTOCOL, "", include_inactive=True, memories=memory.export([USER], everything=True))
    memory.delete(kept.id, 1, OPERATOR)
    (added,), _ = memory.create_all(drafts(json.dumps(to_json(export)), "", redact_sensitive=False), OPERATOR)
    assert (added.state, added.retention_until) == ("expired", added.created_at)


def whole(**change: Any) -> dict[str, Any]:
    return {"protocol": PROTOCOL, "memories": [{"scope": "user", "title": "t", "content": "c", **change}]}


@pytest.mark.parametrize(
    "document",
    [
        "", "[]", "{}", "nul", '{"protocol": "x", "protocol": "y"}',
        json.dumps({**whole(), "protocol": "context_memory_export.v2"}),
        json.dumps({"protocol": PROTOCOL, "memories": {}}),
        json.dumps({"protocol": PROTOCOL, "memories": ["x"]}),
        json.dumps(whole(title=3)), json.dumps(whole(references="x")), json.dumps(whole(references=[1])),
        json.dumps(whole(status="gone")), json.dumps(whole(retention_until=None)), "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_export(document: str) -> None:
    """Refused with a reason, whatever it is."""
    with pytest.raises(UsageError) as caught:
        drafts(document, "ws", redact_sensitive=False)
    assert caught.value.code == "bad-export"
