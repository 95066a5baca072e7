"""Hover on an instruction file: why it applies, to whom, in what order, and whether it was reviewed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.agents import agent_lines
from waybook.editor.answers import CountTokens, Hover
from waybook.editor.hover_target import chain_lines, ignored_lines
from waybook.editor.scopes import holders, ignored_reason, own_source, scope_of_file
from waybook.editor.wording import chain_size, listed, pin_state, scope_name, size, source_tokens
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from waybook.analysis.view import Document, View


def hover_instruction_file(document: Document, view: View, count: CountTokens, whole: View) -> Hover:
    """Everything about one instruction file of the view; `whole` tells who inherits it."""
    scope = scope_of_file(document.path)
    if agent_file(document.path) is not None:
        return _of_single_agents(document, view, scope, count)
    found = own_source(view, document.path)
    if found is None:
        return _not_read(document, view, scope)
    snapshot, source = found
    total, tokens = chain_size(snapshot, count)
    lines = [
        f"**`{document.path}`** applies to {scope_name(scope)}" + (" and everything below it" if scope else ""),
        "",
        f"{source.why_effective}",
        "",
        (
            f"- Kind `{source.kind.value}`, depth {source.depth}, precedence {source.precedence}, "
            f"{size(source.raw_bytes, source_tokens(source, count))}"
        ),
        f"- Number {source.ordinal} of {len(snapshot.sources)} in its chain ({size(total, tokens)} together)",
        f"- {_inherited(whole, document.path, scope)}",
        f"- {pin_state(view, scope)}",
        *(agent_lines(view, document.path) or [""]),
        *chain_lines(snapshot, count, document.path),
        *ignored_lines(snapshot),
    ]
    if source.redacted:
        lines += ["", "Secrets in this file are replaced before anything is hashed or stored."]
    return Hover("\n".join(lines))


def hover_link(view: View, path: str) -> Hover:
    """A symlinked instruction file."""
    scope = scope_of_file(path)
    refusal = view.refusals.get(scope)
    why = f"\n\n{refusal.message}" + (f" {refusal.hint}" if refusal.hint else "") if refusal else ""
    target = view.links.get(path) or view.agent_links.get(path, "")
    return Hover("\n".join([f"**`{path}`** is a symbolic link to `{target}`.{why}", *agent_lines(view, path)]).rstrip())


def _of_single_agents(document: Document, view: View, scope: str, count: CountTokens) -> Hover:
    """A file that only some agents know: the .prayu profile has nothing to say about it."""
    amount = size(len(document.text.encode("utf-8", "surrogatepass")), count(document.text, document.sha256))
    known = agent_lines(view, document.path) or ["", "No agent is in use here, by the settings or by its traces."]
    lines = [
        f"**`{document.path}`** is about {scope_name(scope)}: an instruction file of single agents, {amount}",
        *known,
    ]
    return Hover("\n".join(lines).rstrip())


def _not_read(document: Document, view: View, scope: str) -> Hover:
    refusal = view.refusals.get(scope)
    if refusal is not None:
        hint = f"\n\n{refusal.hint}" if refusal.hint else ""
        text = f"**`{document.path}`** does not apply: discovery for {scope_name(scope)} is refused.\n\n{refusal.message}{hint}"
        return Hover(text)
    reason = ignored_reason(view, document.path) or "it is no instruction file on the disk yet"
    head = f"**`{document.path}`** does not apply to {scope_name(scope)}: {reason}."
    return Hover("\n".join([head, *agent_lines(view, document.path)]).rstrip())


def _inherited(view: View, path: str, scope: str) -> str:
    below = [holder for holder in holders(view, path) if holder != scope]
    if not below:
        return "No directory with instructions of its own inherits it"
    return f"Inherited by {listed(f'{holder}/' for holder in below)}"
