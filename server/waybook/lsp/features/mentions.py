"""Mentions of sessions in what people write: offered, explained, followed, and the whole prompt shown.

These answers are about the text of an open Markdown or prompt document, wherever it lies; the other handlers add them to
their own. What cannot be told here is left out, so that it never spoils theirs.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from waybook.base.errors import UsageError, WaybookError
from waybook.base.records import to_json
from waybook.base.uris import path_to_uri
from waybook.editor.session_mentions import (
    expand_action,
    is_prompt,
    session_completions,
    session_hover,
    session_links,
)
from waybook.lsp.convert import to_range
from waybook.lsp.features.commands import run_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybook.lsp.documents import OpenDocument
    from waybook.lsp.language_server import Server
    from waybook.references.service import ReferenceService

Found = TypeVar("Found")
log = logging.getLogger(__name__)

MOST = 20
"""Sessions offered at once; more words find others."""


def _prompt(ls: Server, uri: str) -> OpenDocument | None:
    """The open document in which people write prompts; one without a file counts as such."""
    document = ls.documents.get(uri)
    if document is None or ("@" not in document.text and "dsh-session:" not in document.text):
        return None
    return document if document.path is None or is_prompt(document.path) else None


async def _ask(ls: Server, call: Callable[[Callable[[], ReferenceService]], Found]) -> Found | None:
    """What the sessions tell, on a worker; None where their database cannot be read, which others report.

    `call` is handed the way to the sessions, so that a text without mentions never opens the database.
    """

    def work() -> Found | None:
        try:
            return call(ls.app.references)
        except WaybookError as error:
            log.info("sessions cannot be told: %s", error.message)
            return None

    return await ls.work(work)


async def with_sessions(
    ls: Server, params: types.CompletionParams, found: types.CompletionList | None
) -> types.CompletionList | None:
    """The completions, with the sessions that can be mentioned at this place; asked again at the next letter."""
    document = _prompt(ls, params.text_document.uri)
    if document is None:
        return found
    text, lines = document.text, document.lines
    offset = document.offset((params.position.line, params.position.character), ls.client.encoding)
    area = ls.place(params.text_document.uri)
    cwd = area.folder.root if area is not None else ""
    offered = await _ask(
        ls,
        lambda service: session_completions(text, offset, lambda words: service().candidates(words, cwd, limit=MOST)),
    )
    if not offered:
        return found
    items = [
        types.CompletionItem(
            label=item.label,
            kind=types.CompletionItemKind.Reference,
            detail=item.detail or None,
            # The words were matched against more than the label: what was typed passes every client's own filter.
            filter_text=text[item.span.start : item.span.end],
            sort_text=f"~{number:02}",
            text_edit=types.TextEdit(to_range(lines, item.span, ls.client.encoding), item.text),
        )
        for number, item in enumerate(offered)
    ]
    return types.CompletionList(is_incomplete=True, items=[*(found.items if found is not None else ()), *items])


async def mention_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """What the mention under the cursor means; None where there is none."""
    document = _prompt(ls, params.text_document.uri)
    if document is None:
        return None
    text, lines = document.text, document.lines
    offset = document.offset((params.position.line, params.position.character), ls.client.encoding)
    found = await _ask(ls, lambda service: session_hover(text, offset, lambda name: service().find(name)))
    if found is None or found.span is None:
        return None
    kind = types.MarkupKind.Markdown if ls.client.markdown else types.MarkupKind.PlainText
    shown = found.markdown if ls.client.markdown else found.markdown.replace("**", "").replace("`", "")
    return types.Hover(types.MarkupContent(kind, shown), to_range(lines, found.span, ls.client.encoding))


async def with_mentions(
    ls: Server, params: types.DocumentLinkParams, found: list[types.DocumentLink] | None
) -> list[types.DocumentLink] | None:
    """The links, with those of mentions to the transcripts of their sessions."""
    document = _prompt(ls, params.text_document.uri)
    if document is None:
        return found
    text, lines = document.text, document.lines
    links = await _ask(ls, lambda service: list(session_links(text, lambda name: service().find(name))))
    added = [
        types.DocumentLink(
            to_range(lines, link.span, ls.client.encoding),
            path_to_uri(link.path),
            data={"tooltip": link.tooltip},
        )
        for link in links or ()
    ]
    return [*(found or ()), *added] if found is not None or added else None


def expansion(ls: Server, uri: str) -> tuple[str, types.Command] | None:
    """The kind of the action that shows a document's prompt in full, and its command; None without mentions."""
    document = _prompt(ls, uri)
    action = expand_action(document.text, uri) if document is not None else None
    if action is None:
        return None
    return action.kind, types.Command(title=action.title, command=action.command, arguments=[dict(action.argument)])


async def expand(ls: Server, argument: Mapping[str, Any], token: types.ProgressToken | None = None) -> dict[str, Any]:
    """Prepare the prompt of the open document `uri`, or `text`, and show it; gives it as `references.prepare` does.

    `shown` says whether the editor opened it. Raises `UsageError` without a text, and what `references.prepare` raises.
    """
    rest = {key: value for key, value in argument.items() if key != "uri"}
    if "text" not in rest:
        document = ls.documents.get(str(argument.get("uri", "")))
        if document is None:
            raise UsageError(
                "No prompt to expand: the document is not open.",
                code="invalid-params",
                hint="Pass the URI of an open document as uri, or the prompt as text.",
            )
        rest["text"] = document.text
    body: dict[str, Any] = to_json(await run_command(ls, "references.prepare", rest, token))
    body["shown"] = await _show(ls, body["text"])
    return body


async def _show(ls: Server, text: str) -> bool:
    if not ls.client.show_document:
        return False
    path = await ls.work(lambda: _written(text))
    params = types.ShowDocumentParams(path_to_uri(path), external=False, take_focus=True)
    answer = await ls.protocol.ask(types.WINDOW_SHOW_DOCUMENT, params)
    return bool(getattr(answer, "success", False))


def _written(text: str) -> str:
    """A file that is the person's alone, in a directory of its own."""
    path = Path(tempfile.mkdtemp(prefix="waybook-")) / "prompt.md"
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
    path.chmod(0o600)
    return str(path)
