"""Records of other rooms as parts of a call, each with its rank, version and digest; and told messages as a path."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.compaction.repository import Row
from waybook.context.budget import Part
from waybook.context.goals import view
from waybook.context.model import Message, Rank, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from waybook.compaction.model import Surface
    from waybook.context.goals import GoalTree
    from waybook.continuity.model import Node
    from waybook.instructions.model import Snapshot
    from waybook.memory.model import Memory
    from waybook.pins.model import Pin
    from waybook.sessions.messages.model import Conversation
    from waybook.sessions.model import Run
    from waybook.sessions.notes.model import Note


def instruction_parts(snapshot: Snapshot | None) -> tuple[Part, ...]:
    """Project instructions, in reading order: nearer ones later."""
    if snapshot is None:
        return ()
    return tuple(
        Part(Rank.PINNED, "instructions", one.path, one.path, one.content, sha256=one.content_sha256)
        for one in snapshot.sources
    )


def pin_parts(pins: Iterable[Pin]) -> tuple[Part, ...]:
    """Pins, word for word, in their order."""
    return tuple(
        Part(Rank.PINNED, "pin", pin.id, _line(pin.text), pin.text, pin.version, sha256_hex(pin.text)) for pin in pins
    )


def memory_parts(memories: Iterable[Memory]) -> tuple[Part, ...]:
    """Memories, in the order they were chosen: the user's first, then by id."""
    return tuple(
        Part(Rank.PINNED, "memory", one.id, one.title, one.content, one.version, one.content_sha256) for one in memories
    )


def note_parts(notes: Iterable[Note]) -> tuple[Part, ...]:
    """Notes that the main agent may see, newest first."""
    return tuple(
        Part(Rank.EVIDENCE, "note", one.id, one.title, one.content, one.version, sha256_hex(one.content))
        for one in notes
        if one.visibility == "root" and one.status == "active"
    )


def run_parts(run: Run | None) -> tuple[Part, ...]:
    """A run's goal, and the profile it was started with."""
    if run is None:
        return ()
    goal = Part(Rank.CHOICES, "goal", run.id, _line(run.goal), run.goal, sha256=sha256_hex(run.goal))
    if not run.profile:
        return (goal,)
    return (goal, Part(Rank.CHOICES, "mode", run.id, f"profile {run.profile}", run.profile))


def goal_parts(owner: str, version: int, tree: GoalTree) -> tuple[Part, ...]:
    """A goal tree in its compact view; nothing for an empty one."""
    if not tree.goals:
        return ()
    text = view(tree)
    return (Part(Rank.CHOICES, "goal", owner, "goal tree", text, version, sha256_hex(text)),)


def summary_parts(surface: Surface | None) -> tuple[Part, ...]:
    """What stands for compacted messages, and the user's messages that are kept in full beside it."""
    if surface is None:
        return ()
    told = "\n\n".join([surface.compaction.summary, *(f"The user said: {one.text}" for one in surface.verbatim)])
    name = surface.compaction.id
    return (Part(Rank.EVIDENCE, "summary", name, f"{surface.compaction.folded:,} messages", told, 0, sha256_hex(told)),)


def continuity_parts(node: Node | None) -> tuple[Part, ...]:
    """What a checkpoint, fork or resume hands on in words: its summary."""
    if node is None or not node.summary:
        return ()
    return (Part(Rank.EVIDENCE, "continuity", node.id, node.title, node.summary, sha256=sha256_hex(node.summary)),)


_ROLES = {"prompt": "user", "answer": "assistant", "summary": "user"}


def rows_of(conversation: Conversation) -> tuple[Row, ...]:
    """The messages of a session that may not be kept yet, as those of a kept one."""
    return tuple(
        Row(
            one.seq,
            one.kind,
            one.text,
            one.at,
            marked=False,
            call=None
            if (receipt := one.receipt) is None
            else (receipt.name, receipt.arguments, receipt.output, receipt.state, receipt.exit_code),
        )
        for one in conversation.messages
        if not (one.hidden or one.side)
    )


def told(rows: Iterable[Row]) -> tuple[Message, ...]:
    """Messages of a kept conversation as a path: prompts, answers, and calls with what came of them.

    Thoughts and notices are not sent on. What a summary stands for already is left out: what Waybook's compactions
    marked, and everything before the last summary of the agent's own. A call whose result is not known is told of as
    such, so that every call has its result.
    """
    found = tuple(_messages(rows))
    last = max((place for place, message in enumerate(found) if message.kind == "summary"), default=0)
    return tuple(_numbered(found[last:]))


def _messages(rows: Iterable[Row]) -> Iterator[Message]:
    for row in rows:
        if row.marked:
            continue
        if row.call is not None:
            name, arguments, output, state, _ = row.call
            call = ToolCall(f"call_{row.seq}", name or "tool", _json(arguments))
            yield Message(0, 0, f"call_{row.seq}", "assistant", "", calls=(call,))
            text = output if state != "unfinished" else "(not finished; its outcome is not known)"
            yield Message(0, 0, f"result_{row.seq}", "tool", text, call_id=call.id)
        elif row.kind in _ROLES and row.text:
            role = "user" if row.kind != "answer" else "assistant"
            kind = "summary" if row.kind == "summary" else "plain"
            yield Message(0, 0, f"message_{row.seq}", role, row.text, kind=kind)  # type: ignore[arg-type]  # two literals
        elif row.kind == "result" and row.text:
            yield Message(0, 0, f"message_{row.seq}", "user", f"Tool result: {row.text}", kind="context")


def _numbered(messages: Iterable[Message]) -> Iterator[Message]:

    for number, message in enumerate(messages, 1):
        yield replace(message, sequence=number, parent_sequence=number - 1)


def _json(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return json.dumps({"text": text}, ensure_ascii=False)
    return text


def _line(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
