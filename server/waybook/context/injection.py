"""What the framework adds to a conversation as if the model had asked: the current context, and skills.

Both are pairs of a call and its result, so that a model sees one form whoever asked. Pure functions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.context.goals import GoalTree, reminder, view
from waybook.context.limits import MAX_INJECTED, MAX_SKILL, Policy
from waybook.context.model import CONTEXT_TOOL, SKILL_TOOL, Injected, Message, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Collaborator:
    """Another agent at work: its name and what it is doing."""

    name: str
    status: str


@dataclass(frozen=True, slots=True)
class Situation:
    """What the current context is made of.

    `notices`: messages that wait, by title. `anchor`, `brief`, `references`, `used`: the task's root contract, the
    version of its brief, one line for each reference, and characters used of the limit; empty outside recursive tasks.
    `added`: what registered hooks say.
    """

    now: str
    tree: GoalTree
    collaborators: tuple[Collaborator, ...] = ()
    notices: tuple[str, ...] = ()
    anchor: str = ""
    brief: str = ""
    references: tuple[str, ...] = ()
    used: str = ""
    added: tuple[str, ...] = ()


def situation_text(situation: Situation) -> str:
    """The result of `get_current_context`. References are named, never opened."""
    parts = [f"Time: {situation.now}", f"## Goals\n\n{view(situation.tree)}\n\n{reminder(situation.tree)}"]
    if situation.anchor:
        parts.append(f"## Root task\n\n{situation.anchor}")
    if situation.brief:
        parts.append(f"Brief: {situation.brief}")
    if situation.references:
        lines = "\n".join(f"- {line}" for line in situation.references)
        parts.append(f"## References (read them with read_context_ref)\n\n{lines}\n\n{situation.used}")
    if situation.collaborators:
        lines = "\n".join(f"- {one.name}: {one.status}" for one in situation.collaborators)
        parts.append(f"## Active collaborators\n\n{lines}")
    if situation.notices:
        parts.append("## Messages waiting\n\n" + "\n".join(f"- {notice}" for notice in situation.notices))
    parts += [text for text in situation.added if text]
    return "\n\n".join(parts)


def run_hooks(hooks: Iterable[Callable[[], str]]) -> tuple[str, ...]:
    """What hooks add. One that fails or says too much is told of in its place: it never stops a call."""
    found = []
    for hook in hooks:
        try:
            text = hook()
        except Exception as error:  # noqa: BLE001 - a hook is other people's code: its failure costs its own text only
            text = f"(a context hook failed: {type(error).__name__})"
        if len(text) > MAX_INJECTED:
            text = f"(a context hook said {len(text):,} characters; at most {MAX_INJECTED:,} are taken)"
        found.append(text)
    return tuple(found)


def wants_context(round_number: int, calls: Sequence[ToolCall], policy: Policy, *, side_branch: bool = False) -> bool:
    """Whether the current context is added to this round's calls: every few rounds, on the main path, once.

    `round_number` counts rounds with tool calls from 1. Nothing is added where the model asked for it itself.
    """
    if side_branch or policy.interval < 1 or round_number % policy.interval:
        return False
    return all(call.name != CONTEXT_TOOL for call in calls)


def context_call(call_id: str) -> ToolCall:
    """The call that is added for the current context."""
    return ToolCall(call_id, CONTEXT_TOOL, "{}", synthetic=True)


def skill_call(call_id: str, name: str) -> ToolCall:
    """The call that is added for a skill: as the model's own would be."""
    return ToolCall(call_id, SKILL_TOOL, json.dumps({"name": name}, ensure_ascii=False), synthetic=True)


def skills_due(
    path: Sequence[Message], given: Mapping[str, Injected], wanted: Iterable[str], recency: int
) -> tuple[str, ...]:
    """The wanted skills that the model has not before it: never given, compressed away, or too far back.

    Counted in the list that is sent: a skill among its last `recency` messages is not given again.
    """
    near = {message.id for message in (path[-recency:] if recency > 0 else ())}
    return tuple(name for name in dict.fromkeys(wanted) if (at := given.get(name)) is None or at.message_id not in near)


@dataclass(frozen=True, slots=True)
class Skill:
    """Instructions for one kind of work: a name, a line on when to use it, and the text.

    `presets` and `sites` limit where it is built into a system prompt; empty means everywhere. `builtin`: it belongs
    there at all.
    """

    name: str
    description: str
    text: str
    builtin: bool = False
    presets: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


def parse_skill(name: str, text: str) -> Skill:
    """A skill from Markdown with front matter (name, description, builtin, presets, sites); `name` where none is given.

    Raises `UsageError` for front matter that cannot be read, or a text that is too long.
    """
    if len(text) > MAX_SKILL:
        raise UsageError(
            f"A skill has at most {MAX_SKILL:,} characters.", code="long-skill", path=name, limit=MAX_SKILL
        )
    lines = text.replace("\r\n", "\n").split("\n")
    head: dict[str, object] = {}
    body = text
    if lines[0].strip() == "---" and "---" in (rest := [line.rstrip() for line in lines[1:]]):
        end = rest.index("---")
        head = _front_matter(name, "\n".join(rest[:end]))
        body = "\n".join(lines[end + 2 :])
    return Skill(
        name=str(head.get("name") or name),
        description=str(head.get("description") or ""),
        text=body.strip(),
        builtin=head.get("builtin") is True,
        presets=_texts(head.get("presets")),
        sites=_texts(head.get("sites")),
    )


def _front_matter(name: str, text: str) -> dict[str, object]:
    import yaml  # only a skill with front matter pays for it

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"The front matter of the skill {name} is no YAML.", code="bad-skill", path=name) from error
    return found if isinstance(found, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
