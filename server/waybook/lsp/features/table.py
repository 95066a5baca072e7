"""Which handler answers which method: the one list. Built-in methods of the protocol are in `protocol.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from waybook.lsp.features.actions import code_actions
from waybook.lsp.features.completion import completion
from waybook.lsp.features.configuration import did_change_configuration
from waybook.lsp.features.hover import hover
from waybook.lsp.features.lens import code_lens
from waybook.lsp.features.navigation import definition, document_links, references, resolve_link
from waybook.lsp.features.outline import document_symbols, folding_ranges, workspace_symbols
from waybook.lsp.features.pulling import document_diagnostic, workspace_diagnostic
from waybook.lsp.features.rename import will_rename_files
from waybook.lsp.features.sync import did_save
from waybook.lsp.features.watching import did_change_watched_files, did_create_files, did_delete_files, did_rename_files

if TYPE_CHECKING:
    from collections.abc import Callable

HANDLERS: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_CODE_LENS: code_lens,
    types.TEXT_DOCUMENT_CODE_ACTION: code_actions,
    types.TEXT_DOCUMENT_DEFINITION: definition,
    types.TEXT_DOCUMENT_REFERENCES: references,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: document_links,
    types.DOCUMENT_LINK_RESOLVE: resolve_link,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: document_symbols,
    types.WORKSPACE_SYMBOL: workspace_symbols,
    types.TEXT_DOCUMENT_FOLDING_RANGE: folding_ranges,
    types.TEXT_DOCUMENT_COMPLETION: completion,
    types.TEXT_DOCUMENT_DIAGNOSTIC: document_diagnostic,
    types.WORKSPACE_DIAGNOSTIC: workspace_diagnostic,
    types.WORKSPACE_WILL_RENAME_FILES: will_rename_files,
    types.WORKSPACE_DID_CREATE_FILES: did_create_files,
    types.WORKSPACE_DID_DELETE_FILES: did_delete_files,
    types.WORKSPACE_DID_RENAME_FILES: did_rename_files,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
}
"""Every handler takes the server as `ls`: by that name pygls hands it over without evaluating annotations."""
