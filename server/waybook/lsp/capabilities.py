"""What the server offers, in the one place where it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.commands.registry import COMMANDS

if TYPE_CHECKING:
    from waybook.lsp.client import Client

COMMAND_PREFIX = "waybook."
EDITOR_COMMANDS = ("waybook.reviewDrift", "waybook.confirmDrift", "waybook.expandReferences")
"""Commands that only an editor has: they show something before they call a command of the registry."""

ACTION_KINDS = (types.CodeActionKind.QuickFix.value, types.CodeActionKind.Source.value, "source.fixAll.waybook")
DIAGNOSTIC_ID = "waybook"
GRACE_SECONDS = 1.0
"""How long a client that can pull diagnostics is given to do so before they are pushed to it."""

_ANY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)


def command_ids() -> list[str]:
    """Every id that `workspace/executeCommand` takes."""
    return [*(COMMAND_PREFIX + name for name in COMMANDS), *EDITOR_COMMANDS]


def pulls(client: Client) -> bool:
    """Whether diagnostics are offered for pulling: only to a client that we can tell to pull again.

    Without `refreshSupport` a pulled finding would stay on the screen after its cause on disk is gone.
    """
    return client.pull and client.pull_refresh


def server_capabilities(client: Client) -> types.ServerCapabilities:
    """The capabilities offered to this client."""
    offered = types.ServerCapabilities(
        position_encoding=types.PositionEncodingKind(client.encoding),
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        hover_provider=True,
        code_lens_provider=types.CodeLensOptions(resolve_provider=False),
        code_action_provider=types.CodeActionOptions(list(ACTION_KINDS), resolve_provider=False),
        definition_provider=True,
        references_provider=True,
        document_link_provider=types.DocumentLinkOptions(resolve_provider=True),
        document_symbol_provider=True,
        workspace_symbol_provider=True,
        folding_range_provider=True,
        completion_provider=types.CompletionOptions(trigger_characters=["@", "/", ".", ":", " ", "-"]),
        execute_command_provider=types.ExecuteCommandOptions(command_ids(), work_done_progress=True),
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True),
            file_operations=types.FileOperationOptions(
                did_create=_ANY_FILE, did_delete=_ANY_FILE, did_rename=_ANY_FILE, will_rename=_ANY_FILE
            ),
        ),
    )
    if pulls(client):
        offered.diagnostic_provider = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=True, identifier=DIAGNOSTIC_ID
        )
    return offered
