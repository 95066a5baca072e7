"""textDocument/completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.editor.completion import completions
from waybook.lsp.features.asking import Asked, about
from waybook.lsp.features.mentions import with_sessions

if TYPE_CHECKING:
    from waybook.editor.answers import Completion
    from waybook.lsp.language_server import Server

_KIND = {
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "check": types.CompletionItemKind.EnumMember,
}
_AGAIN = types.Command(title="Complete further", command="editor.action.triggerSuggest")
"""VS Code's own command; other editors pass an unknown command of an item over, so it is sent to VS Code only."""


async def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """Paths, check names, front matter, sessions to mention."""
    from waybook.checks import CHECKS

    titles = {check.code: check.title for check in CHECKS}

    def work(asked: Asked) -> types.CompletionList:
        found = completions(asked.view, asked.path, asked.offset(params.position), titles)
        return types.CompletionList(is_incomplete=False, items=[_item(ls, asked, item) for item in found])

    return await with_sessions(ls, params, await about(ls, params.text_document.uri, work))


def _item(ls: Server, asked: Asked, item: Completion) -> types.CompletionItem:
    again = item.again and ls.client.name.startswith("Visual Studio Code")
    return types.CompletionItem(
        label=item.label,
        kind=_KIND[item.kind],
        detail=item.detail or None,
        filter_text=item.text,
        text_edit=types.TextEdit(asked.range(item.span), item.text),
        command=_AGAIN if again else None,
    )
