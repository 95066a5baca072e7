"""history.search: what a run may see, in which order, page by page, whatever is written meanwhile."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compaction.helpers import compact
from sessions.world import AGENT, OPERATOR, World
from store.helpers import open_store
from support.talks import Talk, thread_with_talk
from waybook.base.errors import NotFoundError, UsageError
from waybook.memory.model import Change, Draft, Status
from waybook.recall import cursor as cursors
from waybook.recall.handle import pack, unpack
from waybook.recall.model import MAX_SCANNED
from waybook.recall.service import RecallService

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.recall.model import Hit, Results


def recall(world: World) -> RecallService:
    return RecallService(world.store)


def pages(world: World, run: str, query: str = "", limit: int = 20) -> list[Results]:
    """Every page of a search."""
    found = [recall(world).search(run, query, limit=limit)]
    while found[-1].next_cursor:
        found.append(recall(world).search(run, query, limit=limit, cursor=found[-1].next_cursor))
    return found


def hits(world: World, run: str, query: str = "", limit: int = 20) -> list[Hit]:
    return [hit for page in pages(world, run, query, limit) for hit in page.hits]


def ids(found: list[Hit]) -> list[str]:
    return [f"{hit.kind} {hit.id}" for hit in found]


def memory(world: World, text: str, *, scope: str = "user", **fields: Any) -> str:
    owner = world.workspace.id if scope == "project" else ""
    return world.memories.create(Draft(scope, "A memory", text, owner, **fields), OPERATOR).id


# --- what is in scope ----------------------------------------------------------------------------------------------


def test_the_scope_of_a_run(world: World) -> None:
    """Memories of person and workspace; notes, messages, finished receipts and summaries of its own chain; no more."""
    other = world.runs.register("/b/other")
    thread, run, talk = thread_with_talk(world)
    seen = {
        f"memory {memory(world, 'needle of the user')}",
        f"memory {memory(world, 'needle of the project', scope='project')}",
        f"note {world.note('needle of the thread', thread_id=thread).id}",
        f"note {world.note('needle of the run', run_id=run, actor=AGENT).id}",
        f"message {talk.say('needle asked')}",
        f"message {talk.say('needle answered', 'answer')}",
        f"receipt {talk.call('shell', 'needle printed')}",
        f"receipt {talk.call('shell', 'needle failed', state='failed')}",
        f"summary {talk.say('needle summed up by the agent', 'summary')}",
    }
    # Not in scope, for one reason each:
    world.memories.create(Draft("project", "A memory", "needle elsewhere", other.id), OPERATOR)
    gone = memory(world, "needle deleted")
    world.memories.delete(gone, 1, OPERATOR)
    world.memories.switch(memory(world, "needle disabled"), 1, Status.DISABLED, OPERATOR)
    memory(world, "needle expired", retention="1s")
    world.note("needle for the sub-agent", run_id=run, visibility="specialist")
    world.notes.archive(world.note("needle archived", thread_id=thread).id, 1, OPERATOR)
    world.note("needle of the workspace alone")
    talk.call("shell", "needle unfinished", state="unfinished")
    talk.call("shell", "needle rejected", state="rejected")
    talk.say("needle thought", "reasoning")
    talk.say("needle notice", "notice")
    talk.say("needle taken back", hidden=1)
    talk.say("needle aside", side=1)
    Talk(world, run, "child", parent="s1").say("needle of a sub-agent")
    foreign, foreign_run, foreign_talk = thread_with_talk(world, name="foreign")
    world.note("needle of another thread", thread_id=foreign)
    foreign_talk.say("needle said elsewhere")
    Talk(world, "", "imported").say("needle imported, of no run")
    assert set(ids(hits(world, run, "needle"))) == seen
    # A new thread recalls memory, and nothing raw of the other one.
    assert {hit.kind for hit in hits(world, foreign_run, "needle of")} == {"memory", "note"}
    fresh = world.run(thread=world.thread()).id
    assert {hit.kind for hit in hits(world, fresh, "needle")} == {"memory"}


def test_compaction_summaries_are_found_and_hide_nothing(world: World) -> None:
    """The summary is one more source; the messages behind it are still recalled."""
    thread, run, talk = thread_with_talk(world)
    seqs = talk.turns(4)
    done = compact(world, thread)
    found = ids(hits(world, run))
    assert f"summary {done.id}" in found
    assert {f"message {seq}" for seq in seqs} <= set(found)


def test_a_run_sees_its_predecessors_and_not_its_successors(world: World) -> None:
    """The chain ends with the run that asks; a run without a thread sees itself."""
    thread, first, talk = thread_with_talk(world)
    early = talk.say("said first")
    second = world.run(thread=thread).id
    late = Talk(world, second, "s2").say("said second")
    assert ids(hits(world, second, "said")) == [f"message {late}", f"message {early}"]
    assert ids(hits(world, first, "said")) == [f"message {early}"]
    alone = world.run().id
    own = Talk(world, alone, "s3").say("said alone")
    assert ids(hits(world, alone, "said")) == [f"message {own}"]


def test_an_unknown_run_recalls_nothing(world: World) -> None:
    """No chain, no scope."""
    with pytest.raises(NotFoundError):
        recall(world).search("run_missing", "")


# --- matching -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("price filter", "the price filter is broken", True),
        ("filter price", "the price filter is broken", True),
        ("filter prices", "the price filter is broken", False),
        ("ＰＲＩＣＥ", "Price", True),
        ("压缩", "主动压缩当前对话", True),
        ("缩", "主动压缩当前对话", True),
        ("压缩 对话", "主动压缩当前对话", True),
        ("缩压", "主动压缩当前对话", False),
        ("がいとう", "カタカナとひらがいとう", True),
        ("100%", "is 100% sure", True),
        ("a_b", "axb", False),
        ('"', 'a "quoted" word', True),
    ],
)
def test_literal_text_or_all_words_in_any_script(world: World, query: str, text: str, *, found: bool) -> None:
    """The query as it stands, or every word of it; wild cards are plain characters."""
    _, run, talk = thread_with_talk(world)
    talk.say(text)
    assert bool(hits(world, run, query)) is found


def test_the_excerpt_shows_the_match(world: World) -> None:
    """Around the first match, one line, with the size of the whole."""
    _, run, talk = thread_with_talk(world)
    text = f"{'before ' * 200}\nthe needle\n{'after ' * 200}"
    talk.say(text)
    (hit,) = hits(world, run, "needle")
    assert "the needle" in hit.excerpt
    assert "\n" not in hit.excerpt
    assert len(hit.excerpt) < 200
    assert hit.bytes == len(text.encode())


@pytest.mark.parametrize("query", ["x" * 257, "nul\0", "half \ud800"])
def test_queries_have_limits(world: World, query: str) -> None:
    """256 characters of plain text."""
    _, run, _ = thread_with_talk(world)
    with pytest.raises(UsageError):
        recall(world).search(run, query)
    recall(world).search(run, "x" * 256)


@pytest.mark.parametrize("limit", [0, 21])
def test_pages_have_limits(world: World, limit: int) -> None:
    """1 to 20 results."""
    _, run, _ = thread_with_talk(world)
    with pytest.raises(UsageError):
        recall(world).search(run, "", limit=limit)


# --- order and pages --------------------------------------------------------------------------------------------------


def test_the_newest_comes_first_across_sources(world: World) -> None:
    """By time, whatever the source."""
    thread, run, talk = thread_with_talk(world)
    wanted = [
        f"message {talk.say('one')}",
        f"memory {memory(world, 'two')}",
        f"note {world.note('three', thread_id=thread).id}",
        f"message {talk.say('four')}",
        f"memory {memory(world, 'five', scope='project')}",
    ]
    assert ids(hits(world, run)) == wanted[::-1]


def test_a_call_looks_at_256_records_and_goes_on(world: World) -> None:
    """A rare word far back is found after empty pages, each with a cursor."""
    _, run, talk = thread_with_talk(world)
    place = talk.say("the needle")
    for _ in range(300):
        talk.say("hay")
    first, second = pages(world, run, "needle")
    assert (first.hits, first.scanned) == ((), MAX_SCANNED)
    assert ids(list(second.hits)) == [f"message {place}"]
    assert not second.next_cursor


def test_later_writes_shift_nothing_and_a_deletion_skips_nothing(world: World) -> None:
    """What was there at the beginning comes exactly once; what came later, not at all."""
    thread, run, talk = thread_with_talk(world)
    kept = [memory(world, f"item {number}") for number in range(6)]
    said = [talk.say(f"item {number}") for number in range(6)]
    first = recall(world).search(run, "item", limit=5)
    world.memories.delete(kept[5], 1, OPERATOR)
    talk.say("item later")
    memory(world, "item later")
    world.note("item later", thread_id=thread)
    world.memories.edit(kept[2], 1, Change(content="item edited"), OPERATOR)
    rest: list[Hit] = []
    cursor = first.next_cursor
    while cursor:
        page = recall(world).search(run, "item", limit=5, cursor=cursor)
        rest += page.hits
        cursor = page.next_cursor
    wanted = [f"message {seq}" for seq in said[::-1]] + [f"memory {each}" for each in kept[4::-1]]
    assert ids([*first.hits, *rest]) == wanted


def test_cursors_are_bound_to_run_and_query(world: World) -> None:
    """Another run's, another query's and a made-up one are refused."""
    _, run, talk = thread_with_talk(world)
    talk.turns(5)
    cursor = recall(world).search(run, "part", limit=2).next_cursor
    other = world.run().id
    for bad in ((other, "part", cursor), (run, "other", cursor), (run, "part", "nonsense"), (run, "part", "x" * 5000)):
        with pytest.raises(UsageError) as caught:
            recall(world).search(bad[0], bad[1], cursor=bad[2])
        assert caught.value.code == "bad-cursor"
    assert recall(world).search(run, "PART", limit=2, cursor=cursor).hits


@pytest.mark.parametrize(
    "spoil",
    [
        lambda marks: {**marks, "unknown": [None, None]},
        lambda marks: {**marks, "log": [["1"], None]},
        lambda marks: {**marks, "log": [[True], None]},
        lambda marks: {**marks, "memory": [["a"], None]},
        lambda marks: {**marks, "log": [[1]]},
        lambda _marks: [],
    ],
)
def test_spoiled_cursors_are_refused(world: World, spoil: Any) -> None:
    """Every place has its shape."""
    _, run, talk = thread_with_talk(world)
    talk.turns(5)
    value = unpack(recall(world).search(run, "", limit=2).next_cursor)
    value[3] = spoil(value[3])
    with pytest.raises(UsageError):
        recall(world).search(run, "", cursor=pack(value))


def test_an_old_cursor_goes_on_over_the_sources_it_was_made_for(world: World) -> None:
    """One made before memories were searched never comes to them."""
    _, run, talk = thread_with_talk(world)
    memory(world, "part of memory")
    talk.turns(3)
    value = unpack(recall(world).search(run, "part", limit=2).next_cursor)
    value[3] = {"log": value[3]["log"]}
    old = recall(world).search(run, "part", cursor=pack(value))
    assert {hit.kind for hit in old.hits} == {"message"}
    assert not old.next_cursor
    assert cursors.query_digest("part") == value[2]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.integers(1, 7))
def test_paging_never_skips_and_never_repeats(tmp_path: Path, seed: int, limit: int) -> None:
    """Random writes and deletions between pages: what stayed all the time comes once, what came later never."""
    chance = random.Random(seed)
    world = World(open_store(str(tmp_path / f"{seed}-{limit}.db")))
    try:
        thread, run, talk = thread_with_talk(world)
        makers = {
            "memory": lambda: memory(world, "item"),
            "note": lambda: world.note("item", thread_id=thread).id,
            "message": lambda: str(talk.say("item")),
        }
        alive = {(kind, makers[kind]()) for kind in chance.choices(list(makers), k=chance.randrange(1, 25))}
        steady = set(alive)
        seen: list[tuple[str, str]] = []
        cursor = ""
        while True:
            page = recall(world).search(run, "item", limit=limit, cursor=cursor)
            seen += [(hit.kind, hit.id) for hit in page.hits]
            cursor = page.next_cursor
            if not cursor:
                break
            for _ in range(chance.randrange(3)):
                kind = chance.choice(list(makers))
                if chance.random() < 0.5:
                    makers[kind]()
                    continue
                mine = sorted(each for each in alive if each[0] == kind)
                if mine:
                    gone = chance.choice(mine)
                    remove(world, *gone)
                    alive.discard(gone)
        assert len(seen) == len(set(seen))
        assert alive <= set(seen) <= steady
    finally:
        world.store.close()


def remove(world: World, kind: str, record: str) -> None:
    """Take a record away as its room does."""
    if kind == "memory":
        world.memories.delete(record, 1, OPERATOR)
    elif kind == "note":
        world.notes.archive(record, 1, OPERATOR)
    else:
        with world.store.write() as connection:
            connection.exec_driver_sql("DELETE FROM messages WHERE seq = ?", (int(record),))


def test_records_without_a_time_come_last_and_once(world: World) -> None:
    """Some agents write no times; nothing is lost for it."""
    _, run, talk = thread_with_talk(world)
    seqs = talk.turns(15)
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET at = '' WHERE seq % 3 = 0")
    found = ids(hits(world, run, "part", limit=4))
    assert found == [f"message {seq}" for seq in seqs[::-1]]
