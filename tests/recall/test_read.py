"""history.read: pages that are the text byte for byte, and handles that are checked again each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.test_search import hits, memory, recall
from sessions.world import AGENT, OPERATOR, World
from support.talks import Talk, thread_with_talk
from waybook.base.canonical import sha256_hex
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.memory.model import Change, Status
from waybook.recall import handle as handles
from waybook.recall.model import MAX_PAGE_BYTES, PAGE_BYTES
from waybook.recall.pages import Wish, cut
from waybook.sessions.notes.model import NoteChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.recall.model import Page


def whole(world: World, run: str, handle: str, size: int = 0) -> tuple[str, list[Page]]:
    """Every page of a text, put together."""
    found = [recall(world).read(run, handle, Wish(max_bytes=size))]
    while (offset := found[-1].next_offset) is not None:
        found.append(recall(world).read(run, handle, Wish(offset, size, found[0].content_sha256)))
    return "".join(page.text for page in found), found


@given(st.text(), st.integers(4, 50))
def test_pages_reassemble_byte_for_byte(text: str, size: int) -> None:
    """Any text, any page size: on character boundaries, no byte lost, none twice."""
    data = text.encode("utf-8", "replace")
    parts = [cut(text, Wish(max_bytes=size))]
    while (offset := parts[-1].next_offset) is not None:
        parts.append(cut(text, Wish(offset, size)))
    assert b"".join(part.text.encode() for part in parts) == data
    assert all(len(part.text.encode()) <= size for part in parts)
    assert all(part.offset == len(b"".join(p.text.encode() for p in parts[:at])) for at, part in enumerate(parts))


def test_a_long_text_is_read_in_pages(world: World) -> None:
    """4 KiB by default, 8 KiB at most, in any script."""
    _, run, talk = thread_with_talk(world)
    text = "压缩 needle 🧭 " * 2000
    talk.say(text)
    (hit,) = hits(world, run, "needle")
    read, found = whole(world, run, hit.handle)
    assert read == text
    assert all(len(page.text.encode()) <= PAGE_BYTES for page in found)
    assert all(len(page.text.encode()) > PAGE_BYTES - 4 for page in found[:-1])
    assert found[0].content_sha256 == sha256_hex(text)
    assert found[0].total_bytes == hit.bytes
    assert whole(world, run, hit.handle, MAX_PAGE_BYTES)[0] == text


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Wish(max_bytes=MAX_PAGE_BYTES + 1), "bad-page"),
        (Wish(max_bytes=3), "bad-page"),
        (Wish(-1), "bad-offset"),
        (Wish(10**9, 0, "HASH"), "bad-offset"),
        (Wish(1, 0, "HASH"), "bad-offset"),
        (Wish(3), "hash-required"),
    ],
)
def test_bad_pages(world: World, wish: Wish, code: str) -> None:
    """Too large, too small, past the end, inside a character, or later pages without the content's hash."""
    _, run, talk = thread_with_talk(world)
    text = "压" * 5000
    talk.say(text)
    (hit,) = hits(world, run)
    wish = Wish(wish.offset, wish.max_bytes, wish.content_sha256.replace("HASH", sha256_hex(text)))
    with pytest.raises(UsageError) as caught:
        recall(world).read(run, hit.handle, wish)
    assert caught.value.code == code


def test_another_content_s_hash_is_a_conflict(world: World) -> None:
    """A reader whose first page was of another text is told so."""
    _, run, talk = thread_with_talk(world)
    talk.say("text " * 3000)
    (hit,) = hits(world, run)
    with pytest.raises(ConflictError):
        recall(world).read(run, hit.handle, Wish(4096, 0, "0" * 64))


def test_every_kind_can_be_read(world: World) -> None:
    """Memory, note, message, receipt and summary give the text that was searched."""
    thread, run, talk = thread_with_talk(world)
    memory(world, "needle memory")
    world.note("needle note", thread_id=thread)
    talk.say("needle message")
    talk.call("shell", "needle output", arguments='{"command": "x"}')
    talk.say("needle summary", "summary")
    read = {hit.kind: whole(world, run, hit.handle)[0] for hit in hits(world, run, "needle")}
    assert read == {
        "memory": "needle memory",
        "note": "needle note",
        "message": "needle message",
        "receipt": '{"command": "x"}\n\nneedle output',
        "summary": "needle summary",
    }


def edit_memory(world: World, record: str) -> None:
    world.memories.edit(record, 1, Change(content="other text"), OPERATOR)


def edit_memory_end(world: World, record: str) -> None:
    world.memories.edit(record, 1, Change(retention="30d"), OPERATOR)


def edit_note(world: World, record: str) -> None:
    world.notes.edit(record, 1, NoteChange(title="Other title"), OPERATOR)


def edit_message(world: World, record: str) -> None:
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET text = 'needle other' WHERE seq = ?", (int(record),))


def edit_receipt(world: World, record: str) -> None:
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE tool_receipts SET state = 'failed'")


def hide_memory(world: World, record: str) -> None:
    world.memories.switch(record, 1, Status.DISABLED, OPERATOR)


def delete_memory(world: World, record: str) -> None:
    world.memories.delete(record, 1, OPERATOR)


def expire_memory(world: World, record: str) -> None:
    world.memories.edit(record, 1, Change(retention="1s"), OPERATOR)


def archive_note(world: World, record: str) -> None:
    world.notes.archive(record, 1, OPERATOR)


def hide_note(world: World, record: str) -> None:
    world.notes.edit(record, 1, NoteChange(visibility="specialist"), OPERATOR)


def hide_message(world: World, record: str) -> None:
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET hidden = 1 WHERE seq = ?", (int(record),))


def unfinish_receipt(world: World, record: str) -> None:
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE tool_receipts SET state = 'unfinished'")


def prepared(world: World, kind: str) -> tuple[str, Any]:
    """A run with one record of each kind, and the hit of the wanted one."""
    thread, run, talk = thread_with_talk(world)
    memory(world, "needle " * 2000)
    world.note("needle " * 2000, thread_id=thread)
    talk.say("needle " * 2000)
    talk.call("shell", "needle " * 2000)
    (hit,) = [hit for hit in hits(world, run, "needle") if hit.kind == kind]
    return run, hit


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("memory", edit_memory),
        ("memory", edit_memory_end),
        ("note", edit_note),
        ("message", edit_message),
        ("receipt", edit_receipt),
    ],
)
def test_what_changed_is_a_conflict_on_every_page(
    world: World, kind: str, change: Callable[[World, str], None]
) -> None:
    """Version, content or state: read from its beginning or in the middle, the answer is to search again."""
    run, hit = prepared(world, kind)
    first = recall(world).read(run, hit.handle, Wish())
    assert first.next_offset is not None
    change(world, hit.id)
    for wish in (Wish(), Wish(first.next_offset, 0, first.content_sha256)):
        with pytest.raises(ConflictError) as caught:
            recall(world).read(run, hit.handle, wish)
        assert caught.value.code == "source-changed"
        assert "needle" not in str(caught.value.to_json())


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("memory", hide_memory),
        ("memory", delete_memory),
        ("memory", expire_memory),
        ("note", archive_note),
        ("note", hide_note),
        ("message", hide_message),
        ("receipt", unfinish_receipt),
    ],
)
def test_what_may_not_be_seen_any_more_gives_no_text(
    world: World, kind: str, change: Callable[[World, str], None]
) -> None:
    """Disabled, expired, deleted, invisible: one answer for all, from page two on as well."""
    run, hit = prepared(world, kind)
    first = recall(world).read(run, hit.handle, Wish())
    change(world, hit.id)
    for _ in range(3):
        world.store.clock.now()
    for wish in (Wish(), Wish(first.next_offset or 0, 0, first.content_sha256)):
        with pytest.raises(NotFoundError) as caught:
            recall(world).read(run, hit.handle, wish)
        assert caught.value.code == "not-available"
        assert "needle" not in str(caught.value.to_json())


def test_handles_are_bound_to_their_run(world: World) -> None:
    """Another run's handle is refused, also one of the same thread; so is a made-up one."""
    thread, run, talk = thread_with_talk(world)
    talk.say("needle")
    (hit,) = hits(world, run)
    second = world.run(thread=thread).id
    with pytest.raises(RefusedError):
        recall(world).read(second, hit.handle, Wish())
    for text in ("", "nonsense", hit.handle + "A", handles.pack([1, 2, 3]), handles.pack(None)):
        with pytest.raises(UsageError):
            recall(world).read(run, text, Wish())


def test_a_forged_handle_opens_nothing(world: World) -> None:
    """Whatever it names, the scope of its run decides."""
    _, run, _ = thread_with_talk(world)
    _, other, talk = thread_with_talk(world, name="other")
    seq = talk.say("needle of another thread")
    sub = Talk(world, run, "child", parent="s1").say("needle of a sub-agent")
    digest = sha256_hex("needle of another thread")
    for kind, record in (("message", seq), ("message", sub), ("receipt", seq), ("memory", "mem_x"), ("what", "x")):
        forged = handles.Handle(run, world.workspace.id, kind, str(record), 0, digest, "visible")
        with pytest.raises(NotFoundError):
            recall(world).read(run, handles.write(forged), Wish())
    assert AGENT
    assert other
