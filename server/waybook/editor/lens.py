"""The lines above an instruction file's first line: what it applies to, its size, its pin; and what to do about drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.agents import agent_count
from waybook.editor.answers import CountTokens, Lens, no_tokens
from waybook.editor.scopes import own_source, scope_of_file
from waybook.editor.wording import short, source_tokens
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from waybook.analysis.view import Document, View

EXPLAIN = "waybook.instructions.explain"
REVIEW = "waybook.reviewDrift"
CONFIRM = "waybook.confirmDrift"
PIN = "waybook.instructions.pin"


def lenses(view: View, path: str, count: CountTokens = no_tokens) -> list[Lens]:
    """The lenses of one document; none for what is no instruction file."""
    document = view.documents.get(path)
    if document is None:
        return []
    span = document.lines.line_span(0)
    scope = scope_of_file(path)
    stale = scope in view.drift
    where = {"workspace": view.root, "target": scope or "."}
    agents = agent_count(view, path)
    if agent_file(path) is not None:
        return [Lens(span, " · ".join(filter(None, [_about(document, scope, count), agents])), EXPLAIN, where)]
    said = [_applies(view, document, scope, count), agents, _state(view, scope)]
    found = [Lens(span, " · ".join(filter(None, said)), EXPLAIN, where)]
    if view.pinned is None:
        found.append(Lens(span, "pin baseline", PIN, {"workspace": view.root}))
    elif stale:
        change = {"workspace": view.root, "scope": scope}
        found += [Lens(span, "review drift", REVIEW, change), Lens(span, "confirm", CONFIRM, change)]
    return found


def _applies(view: View, document: Document, scope: str, count: CountTokens) -> str:
    own = own_source(view, document.path)
    if own is None:
        return "does not apply"
    _, source = own
    tokens = source_tokens(source, count)
    amount = f"{source.raw_bytes} bytes" if tokens is None else f"{short(tokens)} tokens"
    return f"applies to {f'{scope}/' if scope else 'the whole workspace'} · {amount}"


def _about(document: Document, scope: str, count: CountTokens) -> str:
    """Of a file that only single agents know: the .prayu profile neither applies nor pins it."""
    tokens = count(document.text, document.sha256)
    size = len(document.text.encode("utf-8", "surrogatepass"))
    amount = f"{size} bytes" if tokens is None else f"{short(tokens)} tokens"
    return f"about {f'{scope}/' if scope else 'the whole workspace'} · {amount}"


def _state(view: View, scope: str) -> str:
    if scope in view.refusals:
        return "refused"
    if view.pinned is None:
        return "not pinned"
    if scope in view.drift:
        return "stale"
    return "pinned" if scope in view.pinned.snapshots else "not pinned"
