"""Hover on a file that is no instruction file: which instructions apply to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.agents import chains_lines
from waybook.editor.answers import CountTokens, Hover
from waybook.editor.wording import chain_size, pin_state, scope_name, size, source_tokens
from waybook.instructions.model import Snapshot

if TYPE_CHECKING:
    from waybook.analysis.view import View


def hover_target(view: View, path: str, count: CountTokens) -> Hover | None:
    """The chain that governs `path`; None when no instruction file applies."""
    scope = view.scope_of(path)
    if scope is None:
        return _of_agents_only(view, path)
    answer = view.scopes[scope]
    if not isinstance(answer, Snapshot):
        hint = f"\n\n{answer.hint}" if answer.hint else ""
        return Hover(f"**Instructions for `{path}` cannot be told**\n\n{answer.message}{hint}")
    if not answer.sources:
        return _of_agents_only(view, path)
    total, tokens = chain_size(answer, count)
    files = "1 file" if len(answer.sources) == 1 else f"{len(answer.sources)} files"
    lines = [f"**Instructions for `{path}`**: {files}, {size(total, tokens)}", "", *chain_lines(answer, count)]
    lines += ignored_lines(answer)
    lines += ["", pin_state(view, scope), *chains_lines(view, path)]
    return Hover("\n".join(lines))


def _of_agents_only(view: View, path: str) -> Hover | None:
    """Where the .prayu profile reads nothing, some agent may."""
    if not view.agents.ids or not any(loading.chain for loading in view.agents.towards(path)):
        return None
    return Hover("\n".join([f"**Instructions for `{path}`**", *chains_lines(view, path)]))


def chain_lines(snapshot: Snapshot, count: CountTokens, current: str = "") -> list[str]:
    """The chain as a numbered list in reading order; the last is the nearest. `current` is marked."""
    lines = []
    for source in snapshot.sources:
        about = f"{scope_name(source.scope)}, precedence {source.precedence}"
        marks = [size(source.raw_bytes, source_tokens(source, count))]
        if source.redacted:
            marks.append("secrets redacted")
        if source.ordinal == len(snapshot.sources):
            marks.append("**nearest**, read last: it prevails")
        name = f"**`{source.path}`**" if source.path == current else f"`{source.path}`"
        lines.append(f"{source.ordinal}. {name} ({about}): {'; '.join(marks)}")
    return lines


def ignored_lines(snapshot: Snapshot) -> list[str]:
    """What was there and does not count, with the reason."""
    if not snapshot.ignored:
        return []
    return ["", "Not read:", "", *(f"- `{item.path}`: {item.reason}" for item in snapshot.ignored)]
