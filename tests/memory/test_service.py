"""What may be kept, who may write, versions, lists, and what reaches a prompt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from memory.helpers import USER, Clock, draft
from store.helpers import AGENT, OPERATOR
from support.fakes import FAKES
from waybook.base.actor import Actor
from waybook.base.canonical import sha256_hex
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError, WaybookError
from waybook.memory.model import Change, Draft, Scope, SourceKind, Status
from waybook.memory.rules import retention_until
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from waybook.memory.service import MemoryService
    from waybook.store.store import Store


def test_a_memory_is_kept_as_given(memory: MemoryService) -> None:
    """Line ends become LF, references are trimmed, sorted and unique; everything comes back."""
    kept = memory.create(
        draft(
            "  Deploy ",
            "one\r\ntwo\rthree\n",
            references=(" b.md", "a.md", "b.md", " "),
            source_ref="run:1",
            retention="720h",
        ),
        OPERATOR,
    )
    assert (kept.title, kept.content, kept.references) == ("Deploy", "one\ntwo\nthree\n", ("a.md", "b.md"))
    assert (kept.version, kept.created_by, kept.updated_by, kept.state) == (1, "ada", "ada", "active")
    assert kept.content_sha256 == sha256_hex("one\ntwo\nthree\n")
    assert (kept.source_kind, kept.source_ref) == (SourceKind.EXPLICIT, "run:1")
    assert kept.retention_until > kept.created_at
    assert memory.show(kept.id) == kept


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"title": ""}, "bad-title"),
        ({"title": "x" * 257}, "bad-title"),
        ({"title": "é" * 129}, "bad-title"),
        ({"title": "two\nlines"}, "bad-title"),
        ({"title": "a\0b"}, "bad-text"),
        ({"content": ""}, "bad-content"),
        ({"content": " \n"}, "bad-content"),
        ({"content": "x" * 16385}, "bad-content"),
        ({"content": "語" * 5462}, "bad-content"),
        ({"content": "a\0"}, "bad-text"),
        ({"content": "a\ud800"}, "bad-text"),
        ({"references": tuple(f"r{number}" for number in range(33))}, "too-many-references"),
        ({"references": ("x" * 513,)}, "bad-reference"),
        ({"references": ("a\nb",)}, "bad-reference"),
        ({"source_ref": "x" * 513}, "bad-source-reference"),
        ({"retention": "-1h"}, "bad-retention"),
        ({"retention": "87661h"}, "bad-retention"),
        ({"retention": "99999999h"}, "bad-retention"),
        ({"retention": "soon"}, "bad-retention"),
        ({"retention": "2025-12-31T00:00:00Z"}, "bad-retention"),
        ({"scope": "team"}, "bad-scope"),
        ({"scope": "project"}, "bad-scope"),
        ({"scope_id": "ws_1"}, "bad-scope"),
    ],
)
def test_limits(memory: MemoryService, change: dict[str, object], code: str) -> None:
    """Each limit of the protocol is told by its code; nothing is kept."""
    fields = {"scope": "user", "title": "t", "content": "c", **change}
    with pytest.raises(UsageError) as caught:
        memory.create(Draft(**fields), OPERATOR)  # type: ignore[arg-type] - wrong on purpose
    assert caught.value.code == code
    assert memory.list([USER], everything=True).memories == ()


def test_the_largest_memory_fits(memory: MemoryService) -> None:
    """256 bytes of title, 16 KiB of content, 32 references of 512 bytes, ten years."""
    places = tuple(f"{number:02}" + "r" * 510 for number in range(32))
    kept = memory.create(draft("t" * 256, "語" * 5461 + "x", references=places, retention="520w"), OPERATOR)
    assert memory.show(kept.id).references == places
    assert retention_until("2036-01-02T03:04:05Z", Clock().now()) == "2036-01-02T03:04:05.000000Z"


@pytest.mark.parametrize(
    "name", ["agent", "LLM", "Supervisor", "run_supervisor", "SYSTEM", "a b", "", "x" * 257, "a\tb"]
)
def test_only_people_write(memory: MemoryService, name: str) -> None:
    """Names of programs, in any case, and names that cannot be a person's are refused, as every agent is."""
    kept = memory.create(draft(), OPERATOR)
    for actor in (Actor("operator", name), AGENT):
        for write in (
            lambda actor=actor: memory.create(draft(), actor),
            lambda actor=actor: memory.edit(kept.id, 1, Change(title="x"), actor),
            lambda actor=actor: memory.switch(kept.id, 1, Status.DISABLED, actor),
            lambda actor=actor: memory.delete(kept.id, 1, actor),
        ):
            with pytest.raises(RefusedError):
                write()
    assert memory.show(kept.id) == kept


def test_secrets_are_refused_with_rule_and_place(memory: MemoryService) -> None:
    """In title, content and references; the message names the rule and the position, never the secret."""
    secret = FAKES["FAKE_GITHUB"]
    for wrong in (draft(secret), draft(content=f"one\nDeploy with {secret}"), draft(references=(f"x {secret}",))):
        with pytest.raises(RefusedError) as caught:
            memory.create(wrong, OPERATOR)
        assert caught.value.code == "secret-found"
        assert secret not in str(caught.value.to_json())
        assert secret[:12] not in str(caught.value.to_json())
    assert "line 1" in caught.value.message
    kept = memory.create(draft(), OPERATOR)
    with pytest.raises(RefusedError):
        memory.edit(kept.id, 1, Change(content=secret), OPERATOR)
    assert memory.show(kept.id) == kept


def test_redaction_keeps_the_rest(memory: MemoryService) -> None:
    """On request the secret is replaced; the digest is of what is stored; sensitive places are refused even then."""
    secret = FAKES["FAKE_GITHUB"]
    kept = memory.create(draft(content=f"Deploy with {secret} today", redact_sensitive=True), OPERATOR)
    assert secret not in kept.content
    assert kept.content.startswith("Deploy with [redacted:")
    assert kept.redacted
    assert kept.content_sha256 == sha256_hex(kept.content)
    assert not memory.create(draft(redact_sensitive=True), OPERATOR).redacted
    for place in (".env", "config/credentials.json", "~/.ssh/id_rsa", "server.pem", "stdin", "terminal input"):
        for wrong in (
            draft(source_ref=place, redact_sensitive=True),
            draft(references=(place,), redact_sensitive=True),
        ):
            with pytest.raises(RefusedError) as caught:
                memory.create(wrong, OPERATOR)
            assert caught.value.code == "sensitive-reference"


def test_versions(memory: MemoryService) -> None:
    """Each write needs the current version and answers the next; a conflict names the current one."""
    kept = memory.create(draft(), OPERATOR)
    edited = memory.edit(kept.id, 1, Change(content="make test"), Actor("operator", "bob"))
    assert (edited.memory.version, edited.memory.created_by, edited.memory.updated_by) == (2, "ada", "bob")
    assert (edited.memory.title, edited.erasure) == (kept.title, "done")
    for write in (
        lambda: memory.edit(kept.id, 1, Change(content="npm test"), OPERATOR),
        lambda: memory.switch(kept.id, 3, Status.DISABLED, OPERATOR),
        lambda: memory.delete(kept.id, 1, OPERATOR),
    ):
        with pytest.raises(ConflictError) as caught:
            write()
        assert caught.value.details["current_version"] == 2
        assert "version 2" in caught.value.message
    assert memory.show(kept.id).content == "make test"
    assert memory.switch(kept.id, 2, Status.DISABLED, OPERATOR).memory.version == 3
    gone = memory.delete(kept.id, 3, OPERATOR)
    assert (gone.recoverable, gone.erasure, gone.version) == (False, "done", 3)
    for read in (lambda: memory.show(kept.id), lambda: memory.delete(kept.id, 3, OPERATOR)):
        with pytest.raises(NotFoundError):
            read()
    with pytest.raises(UsageError):
        memory.edit(kept.id, 3, Change(), OPERATOR)


def test_of_many_writers_one_wins(memory: MemoryService) -> None:
    """Twenty at once with the same version: one next version, nineteen conflicts."""
    kept = memory.create(draft(), OPERATOR)

    def write(number: int) -> bool:
        try:
            memory.edit(kept.id, 1, Change(content=f"w{number}"), OPERATOR)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(write, range(20))) == 1
    assert memory.show(kept.id).version == 2


def test_disabled_and_expired_reach_no_prompt(memory: MemoryService, clock: Clock) -> None:
    """Both leave the plain list and the prompt; everything shows both with the reason; enabling brings one back."""
    short = memory.create(draft("short", retention="1h"), OPERATOR)
    long = memory.create(draft("long"), OPERATOR)
    memory.switch(long.id, 1, Status.DISABLED, OPERATOR)
    clock.advance(hours=2)
    assert memory.list([USER]).memories == ()
    assert memory.prompt_records(clock.now(), [USER]) == ()
    states = {item.id: item.state for item in memory.list([USER], everything=True).memories}
    assert states == {short.id: "expired", long.id: "disabled"}
    memory.switch(long.id, 2, Status.ACTIVE, OPERATOR)
    assert [item.id for item in memory.prompt_records(clock.now(), [USER])] == [long.id]
    lifted = memory.edit(short.id, 1, Change(retention="none"), OPERATOR).memory
    assert (lifted.retention_until, lifted.state) == ("", "active")


def test_expiry_is_at_the_very_moment(memory: MemoryService) -> None:
    """Expired when now is the end or later."""
    kept = memory.create(draft(retention="1h"), OPERATOR)
    from waybook.memory.rules import is_expired

    assert is_expired(kept.retention_until, kept.retention_until)
    assert not is_expired(kept.retention_until, kept.created_at)


def test_prompt_order_and_bound(memory: MemoryService, store: Store, clock: Clock) -> None:
    """The user's first, then the project's, by id; at most a hundred of each."""
    workspace = RunService(store, mask=str).register("/home/ada/demo").id
    for number in range(102):
        memory.create(Draft("project", f"p{number}", "c", scope_id=workspace), OPERATOR)
    memory.create(draft("mine"), OPERATOR)
    found = memory.prompt_records(clock.now(), [(Scope.PROJECT, workspace), USER])
    assert [item.title for item in found[:2]] == ["mine", "p0"]
    assert len(found) == 101
    assert [item.id for item in found[1:]] == sorted(item.id for item in found[1:])


def test_scopes_do_not_mix(memory: MemoryService, store: Store) -> None:
    """A project memory belongs to a registered workspace and is seen there only."""
    runs = RunService(store, mask=str)
    one, two = runs.register("/a").id, runs.register("/b").id
    memory.create(Draft("project", "t", "c", scope_id=one), OPERATOR)
    assert len(memory.list([(Scope.PROJECT, one)]).memories) == 1
    assert memory.list([(Scope.PROJECT, two), USER]).memories == ()
    with pytest.raises(NotFoundError):
        memory.create(Draft("project", "t", "c", scope_id="ws_nowhere"), OPERATOR)


def test_pages(memory: MemoryService, clock: Clock) -> None:
    """Newest update first, then by id; pages neither repeat nor lose anything; a foreign cursor is refused."""
    kept = [memory.create(draft(f"t{number}"), OPERATOR) for number in range(7)]
    memory.edit(kept[2].id, 1, Change(content="newer"), OPERATOR)
    titles, cursor = [], ""
    while True:
        page = memory.list([USER], limit=3, cursor=cursor)
        titles += [item.title for item in page.memories]
        cursor = page.next_cursor
        if not cursor:
            break
    assert titles == ["t2", "t6", "t5", "t4", "t3", "t1", "t0"]
    for wrong in ("x", "eA", "WyJzZWFyY2giLDFd", "é"):
        with pytest.raises(UsageError):
            memory.list([USER], cursor=wrong)
    for limit in (0, 501):
        with pytest.raises(UsageError):
            memory.list([USER], limit=limit)


def test_create_in_belongs_to_the_callers_transaction(memory: MemoryService, store: Store) -> None:
    """When the caller's transaction fails, nothing was kept."""
    with store.write() as connection:
        kept = memory.create_in(connection, draft(source_kind=SourceKind.CANDIDATE), OPERATOR)
    assert memory.show(kept.id).source_kind == "operator_confirmed_candidate"

    def fail() -> None:
        with store.write() as connection:
            memory.create_in(connection, draft("other"), OPERATOR)
            raise WaybookError("no")

    with pytest.raises(WaybookError):
        fail()
    assert len(memory.list([USER]).memories) == 1


def test_many_or_none(memory: MemoryService) -> None:
    """An import with one bad record keeps none; what is there already is passed over."""
    with pytest.raises(RefusedError):
        memory.create_all([draft("a"), draft("b", FAKES["FAKE_GITHUB"])], OPERATOR)
    assert memory.list([USER]).memories == ()
    added, known = memory.create_all([draft("a"), draft("a"), draft("b")], OPERATOR)
    assert ([item.title for item in added], known) == (["a", "b"], 1)
