"""workspace/willRenameFiles: imports and paths follow the files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from waybook.editor.rename import rename_edits
from waybook.lsp.edits import workspace_edit

if TYPE_CHECKING:
    from lsprotocol import types

    from waybook.lsp.folders import Folder
    from waybook.lsp.language_server import Server


async def will_rename_files(ls: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """The edits in instruction files that a move makes necessary; None when there are none."""
    moves: dict[Folder, dict[str, str]] = {}
    for item in params.files:
        old, new = ls.place(item.old_uri), ls.place(item.new_uri)
        if old is not None and new is not None and old.folder == new.folder:
            moves.setdefault(old.folder, {})[old.path] = new.path
    combined: types.WorkspaceEdit | None = None
    for folder, moved in moves.items():
        view = await ls.whole_view(folder)
        edits = await ls.work(partial(rename_edits, view, moved))
        edit = workspace_edit(ls, view, edits, partial(ls.uri, folder)) if edits else None
        combined = edit if combined is None else _joined(combined, edit)
    return combined


def _joined(first: types.WorkspaceEdit, second: types.WorkspaceEdit | None) -> types.WorkspaceEdit:
    if second is not None and second.changes:
        first.changes = {**(first.changes or {}), **second.changes}
    if second is not None and second.document_changes:
        first.document_changes = [*(first.document_changes or []), *second.document_changes]
    return first
