"""textDocument/codeAction: fixes, suppressions, drift, pinning, everything plain at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.base.uris import uri_key
from waybook.editor.actions import actions
from waybook.lsp.convert import Findings
from waybook.lsp.edits import workspace_edit
from waybook.lsp.features.asking import Asked, about
from waybook.lsp.features.mentions import expansion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from waybook.analysis.findings import Finding, Fix
    from waybook.editor.answers import Action
    from waybook.lsp.language_server import Server

Answer = types.CodeAction | types.Command


async def code_actions(ls: Server, params: types.CodeActionParams) -> list[Answer] | None:
    """What can be done about the range; findings are those of the very text the editor shows."""
    uri = params.text_document.uri
    if ls.diagnoser is None:
        return None
    await ls.diagnoser.up_to_date(uri)
    known = ls.diagnoser.known.get(uri_key(uri))
    findings = list(known.findings) if known is not None else []

    def work(asked: Asked) -> list[Answer]:
        view = known.view if known is not None else asked.view
        converter = Findings(view, ls.client, lambda path: ls.uri(asked.place.folder, path))
        shown = [(found, converter.diagnostic(found)) for found in findings]
        here = [found for found, item in shown if _touch(item.range, params.range)]
        items = {id(found): item for found, item in shown}
        answers = []
        for action in actions(view, asked.path, here, findings, _silencers(here, asked)):
            mended = [items[id(found)] for found in here if found.code in action.codes]
            answer = _answer(ls, asked, action, mended)
            if answer is not None and _wanted(action.kind, params.context.only):
                answers.append(answer)
        return answers

    return _with_expansion(ls, uri, params.context.only, await about(ls, uri, work))


def _with_expansion(
    ls: Server, uri: str, only: Sequence[types.CodeActionKind | str] | None, answers: list[Answer] | None
) -> list[Answer] | None:
    """The actions, with the one that shows a prompt with its mentions of sessions expanded."""
    found = expansion(ls, uri)
    if found is None or not _wanted(found[0], only):
        return answers
    kind, command = found
    action = types.CodeAction(command.title, kind, command=command) if ls.client.action_literals else command
    return [*(answers or ()), action]


def _silencers(here: Sequence[Finding], asked: Asked) -> Iterator[tuple[Finding, Fix]]:
    """The comments that suppress a finding, for the checks that allow it."""
    from waybook.checks import CHECKS
    from waybook.checks.suppress import allow_fixes

    document = asked.view.documents.get(asked.path)
    suppressible = {check.code for check in CHECKS if check.suppressible}
    if document is None or not document.text.strip():
        return
    for found in {found.code: found for found in here if found.code in suppressible}.values():
        for fix in allow_fixes(found, document):
            yield found, fix


def _answer(ls: Server, asked: Asked, action: Action, mended: list[types.Diagnostic]) -> Answer | None:
    command = None
    if action.command:
        command = types.Command(title=action.title, command=action.command, arguments=[dict(action.argument)])
        if not ls.client.action_literals:
            return command
    edit = None
    if action.edits:
        edit = workspace_edit(ls, asked.view, action.edits, lambda path: ls.uri(asked.place.folder, path))
    if edit is None and command is None:
        return None
    preferred = True if action.preferred and ls.client.preferred_actions else None
    return types.CodeAction(
        action.title, action.kind, diagnostics=mended or None, is_preferred=preferred, edit=edit, command=command
    )


def _touch(area: types.Range, asked: types.Range) -> bool:
    """Whether two ranges share a place; an empty one counts where it stands."""
    return _key(area.start) <= _key(asked.end) and _key(asked.start) <= _key(area.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the client asked for this kind; kinds are dotted, a shorter one includes the longer."""
    if only is None:
        return True
    names = [str(getattr(item, "value", item)) for item in only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)
