"""The fingerprint: equal for the same meaning, different for each single change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from waybook.continuity.model import Basis, MemoryReference, Piece, PieceKind, Snapshot, TaskMode
from waybook.workspace.git import GitIdentity

SHA = st.text("0123456789abcdef", min_size=64, max_size=64)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
AT = st.sampled_from(["", "2026-01-05T10:00:01.000000Z", "2027-01-05T10:00:01.000000Z"])


def piece(kind: PieceKind) -> st.SearchStrategy[Piece]:
    return st.builds(Piece, WORDS, WORDS, st.sampled_from(["user", "assistant"]), st.just(kind), WORDS, AT)


SAID = st.sampled_from([PieceKind.PROMPT, PieceKind.ANSWER]).flatmap(piece)
REFERENCE = st.builds(
    MemoryReference,
    st.text("abcdefghij0123456789_", min_size=1, max_size=20),
    st.sampled_from(["user", "project"]),
    st.integers(1, 9),
    SHA,
)
GIT = st.one_of(
    st.builds(
        GitIdentity, st.just("repository"), WORDS, st.text("0123456789abcdef", min_size=40, max_size=40), SHA, WORDS
    ),
    st.builds(GitIdentity, st.just("none")),
)


def in_order(found: list[MemoryReference]) -> tuple[MemoryReference, ...]:
    unique = {(item.scope, item.id, item.version): item for item in found}.values()
    return tuple(sorted(unique, key=lambda item: (item.scope != "user", item.id, item.version)))


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    instructions = draw(st.one_of(st.just(""), SHA))
    return Snapshot(
        compaction=draw(st.one_of(st.none(), piece(PieceKind.SUMMARY))),
        messages=tuple(draw(st.lists(SAID, max_size=20))),
        memories=in_order(draw(st.lists(REFERENCE, max_size=8))),
        config_fingerprint=draw(st.one_of(st.just(""), SHA)),
        instruction_fingerprint=instructions,
        instruction_basis=draw(st.sampled_from([Basis.PINNED, Basis.LIVE])) if instructions else Basis.NONE,
        git=draw(GIT),
        mode=draw(st.sampled_from(list(TaskMode))),
        budget_tokens=draw(st.integers(0, 1_000_000)),
    )


def meaning(snapshot: Snapshot) -> Any:
    """A snapshot with its times, and how things came to be known, taken away."""
    still = tuple(replace(item, at="") for item in snapshot.messages)
    compaction = None if snapshot.compaction is None else replace(snapshot.compaction, at="")
    git = replace(snapshot.git, reason="")
    return replace(
        snapshot,
        messages=still,
        compaction=compaction,
        git=git,
        instruction_fingerprint="",
        instruction_basis=Basis.NONE,
    ), snapshot.instruction_fingerprint


@given(snapshots(), snapshots())
def test_equal_fingerprints_are_equal_meanings(one: Snapshot, other: Snapshot) -> None:
    """Both ways, for any two snapshots."""
    assert (one.fingerprint == other.fingerprint) == (meaning(one) == meaning(other))


@given(snapshots(), AT)
def test_times_change_nothing(snapshot: Snapshot, at: str) -> None:
    """Nor do reasons, nor whether a fingerprint was pinned or read from the disk."""
    later = replace(
        snapshot,
        messages=tuple(replace(item, at=at) for item in snapshot.messages),
        git=replace(snapshot.git, reason="slow"),
        instruction_basis=Basis.LIVE if snapshot.instruction_fingerprint else Basis.NONE,
    )
    assert later.fingerprint == snapshot.fingerprint


def changes(snapshot: Snapshot) -> dict[str, Snapshot]:
    """Every way of changing one thing."""
    other = "f" * 64 if snapshot.config_fingerprint != "f" * 64 else "e" * 64
    pinned = "f" * 64 if snapshot.instruction_fingerprint != "f" * 64 else "e" * 64
    found = {
        "config": replace(snapshot, config_fingerprint=other),
        "instructions": replace(snapshot, instruction_fingerprint=pinned, instruction_basis=Basis.PINNED),
        "mode": replace(snapshot, mode=TaskMode.PLAN if snapshot.mode is not TaskMode.PLAN else TaskMode.CODE),
        "budget": replace(snapshot, budget_tokens=snapshot.budget_tokens + 1),
        "state": replace(snapshot, git=GitIdentity("unavailable")),
    }
    for name in ("branch", "head", "dirty", "worktree"):
        found[f"git {name}"] = replace(snapshot, git=replace(snapshot.git, **{name: getattr(snapshot.git, name) + "0"}))
    found["git detached"] = replace(snapshot, git=replace(snapshot.git, detached=not snapshot.git.detached))
    new = Piece("s", "new", "user", PieceKind.PROMPT, "new")
    found["one more"] = replace(snapshot, messages=(*snapshot.messages[:19], new))
    summary = snapshot.compaction or Piece("s", "k", "system", PieceKind.SUMMARY, "t")
    found["summary"] = replace(snapshot, compaction=replace(summary, text=summary.text + "!"))
    if snapshot.messages:
        first, *rest = snapshot.messages
        for name in ("session_id", "key", "text"):
            changed = replace(first, **{name: getattr(first, name) + "!"})
            found[f"message {name}"] = replace(snapshot, messages=(changed, *rest))
        role = "assistant" if first.role == "user" else "user"
        found["message role"] = replace(snapshot, messages=(replace(first, role=role), *rest))
        kind = PieceKind.ANSWER if first.kind is PieceKind.PROMPT else PieceKind.PROMPT
        found["message kind"] = replace(snapshot, messages=(replace(first, kind=kind), *rest))
        found["one less"] = replace(snapshot, messages=tuple(rest))
    if snapshot.memories:
        first_memory, *others = snapshot.memories
        sha = "f" * 64 if first_memory.sha256 != "f" * 64 else "e" * 64
        found["memory hash"] = replace(snapshot, memories=(replace(first_memory, sha256=sha), *others))
        found["memory gone"] = replace(snapshot, memories=tuple(others))
        newer = in_order([replace(first_memory, version=first_memory.version + 10), *others])
        found["memory version"] = replace(snapshot, memories=newer)
    return found


@given(snapshots())
def test_each_single_change_shows(snapshot: Snapshot) -> None:
    """Whatever one thing is changed, the fingerprint differs, and no two changes give the same one."""
    marks = {name: item.fingerprint for name, item in changes(snapshot).items()}
    same = [name for name, mark in marks.items() if mark == snapshot.fingerprint]
    assert same == []


@given(snapshots())
def test_inherited_items_are_sorted_and_few(snapshot: Snapshot) -> None:
    """At most 256, each once; kinds from a closed list."""
    items = snapshot.inherited
    assert list(items) == sorted(set(items))
    assert len(items) <= 256
    kinds = {"budget", "compaction", "config", "instructions", "memory", "message", "mode"}
    assert {item.partition(":")[0] for item in items} <= kinds
