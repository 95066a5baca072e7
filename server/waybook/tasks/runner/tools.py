"""The tools that the reference runner offers, as the protocol defines them. None changes a file or runs a program."""

from __future__ import annotations

from typing import Any

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_REFERENCE: dict[str, Any] = {
    "type": "object",
    "properties": {"ref_id": _TEXT, "version": _TEXT},
    "required": ["ref_id", "version"],
}
_BRIEF: dict[str, Any] = {
    "type": "object",
    "properties": {
        "objective": _TEXT,
        "reason": _TEXT,
        "completion_criteria": _TEXTS,
        "expected_outputs": _TEXTS,
        "parent_findings": _TEXTS,
        "context": {},
        "constraints": _TEXTS,
        "context_refs": {"type": "array", "items": _REFERENCE},
    },
    "required": ["objective", "reason", "completion_criteria", "expected_outputs"],
}


def _tool(name: str, description: str, required: tuple[str, ...] = (), /, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


DEFINITIONS: tuple[dict[str, Any], ...] = (
    _tool(
        "goal",
        "Plan: add goals (below another one with `under`), focus one, finish one with a summary, or abandon one.",
        add={"anyOf": [_TEXT, _TEXTS]},
        under=_TEXT,
        focus=_TEXT,
        done=_TEXT,
        abandon=_TEXT,
        summary=_TEXT,
    ),
    _tool("skill", "Read the instructions for one kind of work.", ("name",), name=_TEXT),
    _tool("get_current_context", "Time, goals, root task, brief, references, messages that wait."),
    _tool("history_search", "Search what this run may recall.", query=_TEXT, cursor=_TEXT),
    _tool(
        "history_read",
        "Read a page of something that was found.",
        ("handle",),
        handle=_TEXT,
        offset={"type": "integer"},
        content_sha256=_TEXT,
    ),
    _tool("read_context_ref", "Read a reference of this task.", ("ref_id", "version"), ref_id=_TEXT, version=_TEXT),
    _tool("context_pin_propose", "Propose a requirement to be kept; a person decides.", ("text",), text=_TEXT),
    _tool(
        "agent",
        "Hand a task to a child (`brief`); review its result (`task`, `decision`: accept, revise or reject, and for what "
        "comes next `next_brief`); go on with a revised brief (`task` and `brief`).",
        brief=_BRIEF,
        task=_TEXT,
        decision={"type": "string", "enum": ["accept", "revise", "reject"]},
        reason=_TEXT,
        next_brief=_BRIEF,
    ),
)
ROOT = tuple(tool["function"]["name"] for tool in DEFINITIONS)
CHILD = tuple(name for name in ROOT if name not in {"history_search", "history_read"})
"""Recall belongs to the root: a child has its brief and what it was handed."""
SIDE = frozenset({"get_current_context", "history_search", "history_read", "read_context_ref"})
"""What a side branch may use: it reads, and changes nothing."""


def offered(names: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """The definitions of these tools, in the fixed order."""
    return tuple(tool for tool in DEFINITIONS if tool["function"]["name"] in names)
