"""A conversation as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waybook.sessions.messages.rendering import words

if TYPE_CHECKING:
    from waybook.sessions.messages.model import Conversation, Message, Session

_TICKS = re.compile(r"`+")


def to_markdown(conversation: Conversation) -> str:
    """The whole document. Texts of people and agents stand as they are; tools' in fences that they cannot leave."""
    children = words.children_by_call(conversation)
    lines = [f"# {conversation.session.title or conversation.session.native_id}", ""]
    lines += [f"- {name}: {value}" for name, value in words.facts(conversation)]
    if conversation.instructions is not None:
        lines += ["", "## Instructions the agent would load now", ""]
        lines += [
            f"- {item.path}{' (changed since this session)' if item.changed else ''}"
            for item in conversation.instructions
        ] or ["- none"]
    lines += ["", "## Conversation"]
    for message in conversation.messages:
        lines += ["", f"### {words.speaker(message)}" + (f" · {words.stamp(message.at)}" if message.at else ""), ""]
        lines += _body(message, children)
    return "\n".join(lines) + "\n"


def _body(message: Message, children: dict[str, Session]) -> list[str]:
    receipt = message.receipt
    if receipt is None:
        return [message.text]
    child = children.get(receipt.call_id)
    lines = [f"`{receipt.name or 'tool'}` {words.outcome(receipt)}"]
    if child is not None:
        lines.append(f"\nSubagent {child.id}: {child.title} ({words.counts(child)})")
    for text, language in ((receipt.arguments, "json"), (receipt.output, "")):
        if text.strip():
            fence = "`" * max(3, *(len(found) + 1 for found in _TICKS.findall(text)), 3)
            lines.append(f"\n{fence}{language}\n{text}\n{fence}")
    return lines
