"""What is read from a client's capabilities, and what is offered for them."""

from __future__ import annotations

import pytest
from lsprotocol import types

from support.lsp import capabilities
from waybook.lsp.capabilities import command_ids, pulls, server_capabilities
from waybook.lsp.client import encoding_for, read_client
from waybook.lsp.features.configuration import merged
from waybook.lsp.features.lifecycle import folder_uris


def params(profile: str) -> types.InitializeParams:
    return types.InitializeParams(capabilities(profile))


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-16", "utf-8"], "utf-16"),
        (["utf-7", "utf-32"], "utf-32"),
        (["utf-7"], "utf-16"),
    ],
)
def test_the_first_known_encoding_of_the_client_is_taken(offered: list[str] | None, chosen: str) -> None:
    """The client's order decides; without a known one the protocol's default holds."""
    assert encoding_for(offered) == chosen


def test_recorded_clients_are_read_rightly() -> None:
    """Neovim 0.11 counts in UTF-8 and cannot watch files; VS Code counts in UTF-16 and can."""
    neovim, code = read_client(params("neovim@v0.11")), read_client(params("visual_studio_code"))
    assert (neovim.encoding, neovim.watches_files, neovim.pull) == ("utf-8", False, True)
    assert (code.encoding, code.watches_files, code.pull) == ("utf-16", True, False)
    assert code.document_changes
    assert {"create", "delete"} <= code.resource_operations
    assert neovim.progress
    assert code.lens_refresh


def test_a_client_that_says_nothing_gets_the_defaults() -> None:
    """Empty capabilities are a client, too."""
    client = read_client(types.InitializeParams(types.ClientCapabilities()))
    assert client.encoding == "utf-16"
    assert not client.pull
    assert not client.markdown


def test_pulling_is_offered_only_where_it_can_be_refreshed() -> None:
    """Otherwise a pulled finding would outlive its cause on the disk."""
    neovim = read_client(params("neovim@v0.11"))
    assert not pulls(neovim)
    assert server_capabilities(neovim).diagnostic_provider is None
    modern = capabilities("visual_studio_code")
    modern.text_document.diagnostic = types.DiagnosticClientCapabilities()
    modern.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    client = read_client(types.InitializeParams(modern))
    assert pulls(client)
    assert server_capabilities(client).diagnostic_provider.workspace_diagnostics


def test_every_command_is_offered() -> None:
    """Each id of the registry, with the prefix, and the editor's own."""
    offered = command_ids()
    assert "waybook.instructions.pin" in offered
    assert "waybook.confirmDrift" in offered
    assert len(offered) == len(set(offered))


def test_folders_fall_back_to_root_uri_and_root_path() -> None:
    """Folders first; an empty list is an answer; then rootUri, then rootPath, then none."""

    def uris(**fields: object) -> list[str]:
        return folder_uris(types.InitializeParams(types.ClientCapabilities(), **fields))

    assert uris(workspace_folders=[types.WorkspaceFolder("file:///a", "a")], root_uri="file:///b") == ["file:///a"]
    assert uris(workspace_folders=[], root_uri="file:///b") == []
    assert uris(root_uri="file:///b", root_path="/c") == ["file:///b"]
    assert uris(root_path="/c d") == ["file:///c%20d"]
    assert uris() == []


def test_options_may_be_wrapped_in_their_section() -> None:
    """`{"waybook": {...}}` and `{...}` mean the same; what is no object means nothing."""
    assert merged({"waybook": {"exclude": ["x"]}}) == {"exclude": ["x"]}
    assert merged({"exclude": ["x"]}) == {"exclude": ["x"]}
    assert merged(None) == {}
    assert merged([1]) == {}
