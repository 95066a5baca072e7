"""What both documents say about a session and its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.sessions.messages.model import Conversation, Message, Receipt, Session

SPEAKERS = {
    "prompt": "You",
    "answer": "Agent",
    "reasoning": "Agent (thinking)",
    "call": "Tool",
    "result": "Tool result without a call",
    "summary": "Summary of a compaction",
    "notice": "Notice",
}


def facts(conversation: Conversation) -> list[tuple[str, str]]:
    """(name, value) of what is known of a session."""
    session = conversation.session
    known = [
        ("agent", f"{session.agent} {session.version}".strip()),
        ("session", session.native_id),
        ("project", session.cwd),
        ("branch", session.branch),
        ("model", session.model),
        ("time", f"{stamp(session.started_at)} to {stamp(session.updated_at)}" if session.started_at else ""),
        ("messages", counts(session)),
        ("subagent of", session.parent),
        ("forked from", session.forked_from + (" (which is not known here)" if session.parent_missing else "")),
        ("subagents", ", ".join(f"{child.title or child.native_id} ({child.id})" for child in conversation.children)),
        ("forks", ", ".join(f"{fork.title or fork.native_id} ({fork.id})" for fork in conversation.forks)),
    ]
    return [(name, value) for name, value in known if value.strip()]


def counts(session: Session) -> str:
    """`4 messages, 2 calls, 6 inherited`."""
    if session.messages is None:
        return "not counted"
    parts = [f"{session.messages} message{'' if session.messages == 1 else 's'}"]
    if session.calls:
        parts.append(f"{session.calls} call{'' if session.calls == 1 else 's'}")
    if session.inherited:
        parts.append(f"{session.inherited} inherited")
    return ", ".join(parts)


def stamp(moment: str) -> str:
    """`2026-01-05 10:00:00` for a stored time."""
    return f"{moment[:10]} {moment[11:19]}".strip()


def speaker(message: Message) -> str:
    """Who speaks, with every mark."""
    marks = [
        word
        for word, holds in (
            ("inherited", message.inherited),
            ("rewound", message.hidden),
            ("side chain", message.side),
            ("after a gap", message.gap),
        )
        if holds
    ]
    return SPEAKERS[message.kind] + (f" [{', '.join(marks)}]" if marks else "")


def outcome(receipt: Receipt) -> str:
    """`failed, exit code 3`."""
    code = "" if receipt.exit_code is None else f", exit code {receipt.exit_code}"
    return f"{receipt.state}{code}"


def children_by_call(conversation: Conversation) -> dict[str, Session]:
    """The subagent that each call started."""
    return {child.parent_call: child for child in conversation.children if child.parent_call}
