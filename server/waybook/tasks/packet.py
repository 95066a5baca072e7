"""What a validator is given, put together by the system and never by the one who is judged.

Contracts, report, plan, artifacts and the root's candidate answer are always whole. Then come the newest messages of
the persisted main path with real tool results. Side branches, reasoning and what the framework added stay out; a
reference is in it only as the result of a real reading.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from waybook.tasks.limits import PACKET_CHARACTERS
from waybook.tasks.model import Packet
from waybook.tasks.normal import normal_json, normal_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.context.model import Message
    from waybook.tasks.model import Anchor, Brief


@dataclass(frozen=True, slots=True)
class Material:
    """The fixed part. `brief` is None for the root itself; the others are JSON data, None where there are none."""

    anchor: Anchor
    brief: Brief | None
    report: Any
    plan: Any = None
    artifacts: Any = None
    candidate: Any = None


def build_packet(material: Material, path: Sequence[Message], limit: int = PACKET_CHARACTERS) -> Packet:
    """The packet for one task from its persisted main path.

    When the fixed part alone has more than `limit` characters the verdict is `unknown`: nothing is shortened.
    """
    fixed = {
        "anchor": material.anchor.text,
        "brief": material.brief.text if material.brief else "",
        "report": normal_json(material.report, "A report"),
        "plan": normal_json(material.plan, "A plan"),
        "artifacts": normal_json(material.artifacts, "Artifacts"),
        "candidate": normal_json(material.candidate, "A candidate"),
    }
    units = _units(path)
    total = sum(len(unit) for unit in units)
    bare = len(normal_text({**fixed, "messages": [], "left_out": total}))
    if bare > limit:
        reason = f"What must be judged has {bare:,} characters; a packet has at most {limit:,}. Nothing was shortened."
        return Packet("", bare, 0, total, "unknown", reason)
    kept: list[dict[str, Any]] = []
    size = bare
    for unit in reversed(units):
        more = sum(len(normal_text(item)) + 1 for item in unit)
        if size + more > limit:
            break
        kept[:0] = unit
        size += more
    text = normal_text({**fixed, "messages": kept, "left_out": total - len(kept)})
    return Packet(text, len(text), len(kept), total - len(kept))


def _units(path: Sequence[Message]) -> list[list[dict[str, Any]]]:
    """Messages that belong together, oldest first: a call never stands without its results."""
    made_up = {call.id for message in path for call in message.calls if call.synthetic}
    units: list[list[dict[str, Any]]] = []
    at: dict[str, int] = {}
    for message in path:
        if message.branch_type or message.role == "system" or message.kind in {"context", "skill"}:
            if message.role != "assistant":
                continue
            message = replace(message, calls=())  # noqa: PLW2901 - a synthetic message has no words of its own
        if message.role == "tool":
            if message.call_id not in made_up and message.call_id in at:
                units[at[message.call_id]].append({"role": "tool", "call": message.call_id, "content": message.content})
            continue
        calls = [call for call in message.calls if not call.synthetic]
        if message.branch_type or not (message.content or calls):
            continue
        body: dict[str, Any] = {"role": message.role, "content": message.content}
        if calls:
            body["calls"] = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls]
        at.update(dict.fromkeys((call.id for call in calls), len(units)))
        units.append([body])
    return units
