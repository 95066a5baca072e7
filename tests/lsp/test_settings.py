"""Settings: from the client's configuration, its notifications and initializationOptions; bad values warn and fall back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from support.lsp import editor, write

if TYPE_CHECKING:
    from pathlib import Path


def severity(found: object, path: str) -> types.DiagnosticSeverity:
    return found.client.diagnostics[found.uri(path)][0].severity  # type: ignore[attr-defined]  # an Editor


async def test_each_layer_counts(root: Path, data: Path, profile: str) -> None:
    """The configuration is stronger than initializationOptions; both are stronger than the default."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    options = {"checks": {"severity": {"broken-import": "hint"}}}
    async with editor(root, data, profile, options=options) as found:
        await found.until(lambda: found.codes("AGENTS.md"))
        assert severity(found, "AGENTS.md") == types.DiagnosticSeverity.Hint
    configuration = {"checks": {"severity": {"broken-import": "error"}}}
    async with editor(root, data, profile, options=options, configuration=configuration) as found:
        await found.until(lambda: found.codes("AGENTS.md"))
        assert severity(found, "AGENTS.md") == types.DiagnosticSeverity.Error


async def test_changed_settings_count_at_once(root: Path, data: Path, profile: str) -> None:
    """After the notification the new values are asked for, and findings follow."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, profile, configuration={}) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        found.client.set_configuration({"checks": {"severity": {"broken-import": "off"}}}, section="waybook")
        found.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_a_client_without_configuration_pushes_it(root: Path, data: Path) -> None:
    """Older clients send their settings with the notification."""
    write(root, "AGENTS.md", "@docs/none.md\n")

    def change(capabilities: types.ClientCapabilities) -> None:
        capabilities.workspace.configuration = False

    async with editor(root, data, change=change) as found:
        await found.until(lambda: found.codes("AGENTS.md"))
        settings = {"waybook": {"checks": {"severity": {"broken-import": "off"}}}}
        found.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_bad_values_warn_and_fall_back(root: Path, data: Path) -> None:
    """Each is named once; a workspace cannot set what is a matter of trust."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    write(root, "waybook.toml", 'store = "sqlite:////tmp/evil.db"\n')
    async with editor(
        root, data, options={"checks": {"severity": {"broken-import": "loud"}}, "colour": "red"}
    ) as found:
        await found.until(lambda: found.codes("AGENTS.md"))
        messages = "\n".join(item.message for item in found.client.messages)
        assert severity(found, "AGENTS.md") != types.DiagnosticSeverity.Hint
        for word in ("checks.severity", "colour", "store"):
            assert word in messages
