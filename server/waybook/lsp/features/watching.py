"""What happens outside the editor: watched files, workspace folders, files made, moved and deleted by the person."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from waybook.base.uris import uri_to_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol import types

    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)


def start_watching(ls: Server) -> None:
    """Begin once the first findings are out: watching needs its share of a start, and nobody waits for it."""
    from waybook.lsp.watch import Watching

    ls.watching = Watching(ls)
    ls.watching.start()


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """The client's watcher; entries that are no files are passed over."""
    _changed(ls, (change.uri for change in params.changes))


def did_create_files(ls: Server, params: types.CreateFilesParams) -> None:
    """The person made files: paths that were missing may be there now."""
    _touched(ls, [file.uri for file in params.files])


def did_delete_files(ls: Server, params: types.DeleteFilesParams) -> None:
    """The person deleted files."""
    _touched(ls, [file.uri for file in params.files])


def did_rename_files(ls: Server, params: types.RenameFilesParams) -> None:
    """The person moved files."""
    _touched(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came or went; the innermost one owns a file, so open documents may have a new owner."""
    removed = ls.folders.remove([folder.uri for folder in params.event.removed])
    added = ls.folders.add([folder.uri for folder in params.event.added])
    for folder in removed:
        if ls.diagnoser is not None:
            ls.diagnoser.forget(folder)
        if ls.watching is not None:
            ls.watching.forget(folder)
    ls.rehome_documents()
    if not ls.folders.all():
        ls.tell_no_folder()
    if removed or added:
        ls.diagnose_everything("folders")


def _changed(ls: Server, uris: Iterable[str]) -> None:
    paths = [path for uri in uris if (path := uri_to_path(uri)) is not None]
    if paths and ls.watching is not None:
        ls.watching.changed(paths)


def _touched(ls: Server, uris: Iterable[str]) -> None:
    """Any file may be one that a text names: look again at the folders concerned."""
    places = [ls.place(uri) for uri in uris]
    for folder in dict.fromkeys(place.folder for place in places if place is not None):
        ls.diagnose(folder, "files")
