"""What a model would see now, without asking one: the next call of a conversation, section by section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.base.records import to_json
from waybook.context.assemble import Assembly, Offer, assemble
from waybook.context.limits import RECENT_KEPT, Policy
from waybook.context.model import RANK_NAMES, Message, Rank, Section
from waybook.context.prompt import DEFAULT
from waybook.context.shape import shape
from waybook.context.trace import waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.context.gather import Gathered
    from waybook.context.sizes import Sizes


@dataclass(frozen=True, slots=True)
class PreviewSection:
    """One section as a preview shows it; see `Section`."""

    rank: int
    kind: str
    id: str
    title: str
    tokens: int
    included: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The next call: its window, the tokens it would have, and every section, included or not, by rank of authority.

    `text`: the same as a Markdown document, where one was asked for.
    """

    window: int
    total_tokens: int
    sections: tuple[PreviewSection, ...]
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """Window, total and sections; `text` only where there is one."""
        body: dict[str, Any] = {
            "window": self.window,
            "total_tokens": self.total_tokens,
            "sections": to_json(self.sections),
        }
        return {**body, "text": self.text} if self.text else body


def preview(
    found: Gathered, policy: Policy, sizes: Sizes, excluded: frozenset[str] = frozenset(), system: str = DEFAULT
) -> Preview:
    """The call as the assembler makes it. Raises as `assemble` does.

    A history that would be compressed first is shown so: its newest messages, and what the summary would stand for.
    """
    path = found.path
    if not path or path[0].role != "system":
        path = (Message(0, 0, "system", "system", system), *path)
    shaped = shape(path, found.tree, policy, sizes).messages
    assembly = _assemble(found, shaped, policy, sizes, excluded)
    extra: list[Section] = []
    if assembly.overflow or (_history(assembly) > policy.limit and not policy.native_reasoning):
        kept, left = recent(shaped)
        if left:
            assembly = _assemble(found, kept, policy, sizes, excluded)
            extra = [_folded(left, sizes)]
    if assembly.overflow:
        extra.append(_exceeded(assembly))
    sections = sorted((*assembly.sections, *extra), key=lambda one: (one.rank, not one.included))
    shown = tuple(
        PreviewSection(int(one.rank), one.kind, one.id, one.title, one.tokens, one.included, one.reason)
        for one in sections
    )
    return Preview(policy.window, assembly.total, shown)


def _assemble(
    found: Gathered, path: Sequence[Message], policy: Policy, sizes: Sizes, excluded: frozenset[str]
) -> Assembly:
    offer = Offer(tuple(path), found.required, found.memories, found.notes, excluded=excluded)
    return assemble(offer, policy, sizes)


def _history(assembly: Assembly) -> int:
    return sum(one.tokens for one in assembly.sections if one.kind == "history")


def recent(path: Sequence[Message]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The system messages with the last four spoken messages and their calls; and what lies before those.

    The cut never parts a call from its result.
    """
    start = len(path)
    spoken = 0
    while start and spoken < RECENT_KEPT:
        start -= 1
        spoken += path[start].role in {"user", "assistant"} and bool(path[start].content)
    while start and waiting(path[start - 1 : start]):
        start -= 1
    lead = tuple(message for message in path[:start] if message.role == "system")
    return (*lead, *path[start:]), tuple(message for message in path[:start] if message.role != "system")


def _folded(left: Sequence[Message], sizes: Sizes) -> Section:
    return Section(
        rank=Rank.EVIDENCE,
        kind="history",
        id=f"{left[0].sequence}-{left[-1].sequence}",
        title=f"{len(left):,} older messages",
        tokens=sum(sizes.message(message) for message in left),
        included=False,
        reason="quota: a summary stands for them before the next call is made",
    )


def _exceeded(assembly: Assembly) -> Section:
    return Section(
        rank=Rank.EVIDENCE,
        kind="history",
        id="",
        title="more than the window holds",
        tokens=assembly.overflow,
        included=False,
        reason="quota: the call cannot be made before the history is shorter or the window larger",
    )


BAR = 20
"""Characters of a bar in a document."""


def to_markdown(shown: Preview) -> str:
    """A preview as a document for editors: a table for each rank, each section with its share of the window as a bar."""
    share = shown.total_tokens / shown.window
    lines = [
        "# What a model would see",
        "",
        f"{shown.total_tokens:,} of {shown.window:,} tokens ({share:.0%}) `{_bar(share)}`",
    ]
    for rank, name in RANK_NAMES.items():
        own = [one for one in shown.sections if one.rank == rank]
        if not own:
            continue
        lines += [
            "",
            f"## {int(rank)} {name}",
            "",
            "| | tokens | share | kind | what | why |",
            "| --- | ---: | --- | --- | --- | --- |",
        ]
        for one in own:
            bar = f"`{_bar(one.tokens / shown.window)}`" if one.included else ""
            mark = "in" if one.included else "**out**"
            what = _cell(one.title or one.id)
            lines.append(f"| {mark} | {one.tokens:,} | {bar} | {one.kind} | {what} | {_cell(one.reason)} |")
    return "\n".join(lines) + "\n"


def _bar(share: float) -> str:
    full = min(BAR, max(int(share > 0), round(share * BAR)))
    return "█" * full + "░" * (BAR - full)


def _cell(text: str) -> str:
    """Text from files and people inside a table: nothing of it is markup."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in " ".join(text.split()))
    return "".join(f"\\{char}" if char in "\\`*_{}[]()<>#|!~" else char for char in shown)
