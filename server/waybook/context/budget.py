"""What fits: required parts first, then memory within its share, then notes in what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from waybook.base.errors import RefusedError
from waybook.context.limits import MEMORY_PART, MEMORY_TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from waybook.context.model import Rank

Reason = Literal["quota", "required_context", "project_instructions", "operator_excluded"]
"""Why a part was left out; the words of the continuity protocol."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that may enter a call: its rank, what it is, and its exact text with the digest of its record."""

    rank: Rank
    kind: str
    id: str
    title: str
    text: str
    version: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The parts taken, with their tokens, and those left out, with tokens and the rule that left them out."""

    taken: tuple[tuple[Part, int], ...]
    left_out: tuple[tuple[Part, int, Reason], ...]
    tokens: int


def memory_share(background: int, left: int) -> int:
    """Tokens that memory may take: min(2048, background / 4, left after required parts), never below 0."""
    return max(0, min(MEMORY_TOKENS, background // MEMORY_PART, left))


def choose_memory(
    parts: Sequence[tuple[Part, int]],
    background: int,
    required: int,
    instructions: int,
    excluded: frozenset[str] = frozenset(),
) -> Chosen:
    """Take memories in the order given while they fit; one that does not is passed over, smaller ones are still tried.

    `background`: tokens for everything but system, input and answer; `required`: those that required parts took, of
    which `instructions` are project instructions. The reason of an omission is what made it impossible: the fixed
    quota, the project instructions, or the other required parts.
    """
    left = background - required
    share = memory_share(background, left)
    without_instructions = memory_share(background, left + instructions)
    quota = memory_share(background, background)
    taken: list[tuple[Part, int]] = []
    omitted: list[tuple[Part, int, Reason]] = []
    used = 0
    for part, tokens in parts:
        if part.id in excluded:
            omitted.append((part, tokens, "operator_excluded"))
        elif used + tokens <= share:
            taken.append((part, tokens))
            used += tokens
        else:
            fits_without = used + tokens <= without_instructions
            fits_quota = used + tokens <= quota
            reason: Reason = "project_instructions" if fits_without else "required_context" if fits_quota else "quota"
            omitted.append((part, tokens, reason))
    return Chosen(tuple(taken), tuple(omitted), used)


def choose_rest(parts: Sequence[tuple[Part, int]], left: int, excluded: frozenset[str] = frozenset()) -> Chosen:
    """Take ordinary parts in the order given while they fit into what memory and history left."""
    taken: list[tuple[Part, int]] = []
    omitted: list[tuple[Part, int, Reason]] = []
    used = 0
    for part, tokens in parts:
        if part.id in excluded:
            omitted.append((part, tokens, "operator_excluded"))
        elif used + tokens <= left:
            taken.append((part, tokens))
            used += tokens
        else:
            omitted.append((part, tokens, "quota"))
    return Chosen(tuple(taken), tuple(omitted), used)


def require_room(sizes: Mapping[str, int], room: int, largest: Sequence[tuple[str, str, int]]) -> None:
    """Refuse (`RefusedError`, code `context-too-large`) when what every call must carry does not fit.

    `sizes`: tokens by kind; `room`: tokens there are; `largest`: (kind, title, tokens) of what could be trimmed.
    """
    needed = sum(sizes.values())
    if needed <= room:
        return
    listed = ", ".join(f"{kind} {tokens:,}" for kind, tokens in sizes.items() if tokens)
    over = needed - room
    named = [f"{kind} {title!r} ({tokens:,})" for kind, title, tokens in largest[:3]]
    trim = f"Trim {' or '.join(named)}, or take" if named else "Take"
    raise RefusedError(
        f"What every call must carry has about {needed:,} tokens and {room:,} fit ({listed}): {over:,} too many.",
        code="context-too-large",
        limit=room,
        hint=f"{trim} a model with a larger window.",
        sizes=dict(sizes),
        over=over,
    )
