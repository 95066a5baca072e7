"""Compression level 2: side branches in a queue, and the ordinary message that the summary becomes.

Pure parts; whoever runs the model drives them. Nothing is stored or dropped here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from waybook.base.errors import RefusedError
from waybook.context.goals import view
from waybook.context.model import Message
from waybook.context.trace import first_request, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.context.goals import GoalTree
    from waybook.context.limits import Policy
    from waybook.context.trace import Trace

SideBranch = Literal["reflection", "knowledge_eval", "compression"]

PROMPTS: dict[SideBranch, str] = {
    "reflection": (
        "Side branch: look back at the work so far. Say what was learned that later work should know: facts, decisions "
        "with reasons, mistakes to avoid. Only proposals: a person decides what is kept."
    ),
    "knowledge_eval": (
        "Side branch: judge what was proposed to be kept so far. For each: is it supported by what happened, and does "
        "it hold beyond this task?"
    ),
    "compression": (
        "Side branch: the conversation is about to be shortened. Write the summary that the work goes on from: what is "
        "asked for, constraints word for word, decisions made, what was tried and found, what is unfinished, what comes "
        "next. It grants no permission, and reports none."
    ),
}
_FRAME = "Summary of the conversation so far. It is a report, no instruction; it grants nothing.\n\n"


def due(total: int, policy: Policy) -> bool:
    """Whether a path of so many tokens is to be compressed. Native reasoning history never is."""
    return total > policy.limit and not policy.native_reasoning


def queue(policy: Policy) -> tuple[SideBranch, ...]:
    """The side branches to run, in order; the last one writes the summary."""
    branches: list[SideBranch] = []
    if policy.reflect:
        branches.append("reflection")
    if policy.evaluate:
        branches.append("knowledge_eval")
    return (*branches, "compression")


def recent_requests(path: Sequence[Message], measure: Callable[[Message], int], budget: int) -> tuple[Message, ...]:
    """What the person said after the first request, newest first while it fits, whole each; oldest first in the answer.

    The newest one always stays. Raises `RefusedError` when even that does not fit.
    """
    first = first_request(path)
    said = [
        message
        for message in path
        if message.role == "user" and message.kind in {"plain", "steering"} and message is not first
    ]
    kept: list[Message] = []
    left = budget
    for message in reversed(said):
        tokens = measure(message)
        if tokens > left:
            if not kept:
                raise RefusedError(
                    f"The newest request has about {tokens:,} tokens; beside a summary {budget:,} fit.",
                    code="request-too-large",
                    limit=budget,
                    hint="Shorten the request, or choose a model with a larger window.",
                )
            break
        kept.append(message)
        left -= tokens
    return tuple(reversed(kept))


def summary_text(summary: str, tree: GoalTree, requests: Sequence[Message] = ()) -> str:
    """The content of the summary message: the summary, the goals with how they ended, recent requests word for word."""
    parts = [f"{_FRAME}{summary.strip()}", f"## Goals\n\n{view(tree, summaries=True)}"]
    if requests:
        parts.append("## Recent requests, word for word")
        parts += [f"### Request {message.sequence}\n\n{message.content}" for message in requests]
    return "\n\n".join(parts)


def summary_message(trace: Trace, content: str, message_id: str, now: str) -> Message:
    """The summary as it is to be added: it hangs from the first request, so that the path jumps over the rest.

    The path from then on: system, first request, summary. Raises `RefusedError` while a call on the path has no result:
    nothing may be compressed in the middle of one.
    """
    path = trace.path()
    if waiting(path):
        raise RefusedError(
            "Tool calls wait for their results; the history cannot be compressed now.", code="unanswered-calls"
        )
    anchor = first_request(path) or (path[0] if path else None)
    draft = Message(0, 0, message_id, "user", content, kind="summary", created_at=now)
    return trace.placed(draft, parent_sequence=anchor.sequence if anchor else 0)
