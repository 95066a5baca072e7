"""Diagnostics pulled: full and unchanged reports, the whole workspace in batches, refresh, and no push besides."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from support.lsp import Editor, editor, write

if TYPE_CHECKING:
    from pathlib import Path


def modern(capabilities: types.ClientCapabilities) -> None:
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)


async def pull(found: Editor, path: str, previous: str | None = None) -> types.DocumentDiagnosticReport:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(found.uri(path)), previous_result_id=previous)
    return await found.within(found.client.text_document_diagnostic_async(params))


async def test_a_document_is_pulled_in_its_newest_version(root: Path, data: Path) -> None:
    """Full at first, unchanged for the same result, full again after a change; nothing is pushed."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, change=modern) as found:
        assert found.result.capabilities.diagnostic_provider is not None
        found.open("AGENTS.md")
        first = await pull(found, "AGENTS.md")
        assert [item.code for item in first.items] == ["broken-import"]
        again = await pull(found, "AGENTS.md", first.result_id)
        assert again.kind == "unchanged"
        assert again.result_id == first.result_id
        found.change("AGENTS.md", 2, "clean\n")
        last = await pull(found, "AGENTS.md", first.result_id)
        assert list(last.items) == []
        await asyncio.sleep(1.5)
        assert [item for item in found.pushes("AGENTS.md") if item.diagnostics] == []


async def test_a_client_is_asked_to_pull_again(root: Path, data: Path) -> None:
    """When the disk changed what was pulled."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, change=modern) as found:
        found.open("AGENTS.md")
        report = await pull(found, "AGENTS.md")
        await found.settled()
        before = found.client.diagnostic_refresh_count
        found.write("docs/none.md", "here\n")
        found.save("AGENTS.md")
        await found.until(lambda: found.client.diagnostic_refresh_count > before)
        assert list((await pull(found, "AGENTS.md", report.result_id)).items) == []


async def workspace(found: Editor, previous: list[types.PreviousResultId], token: str | None = None) -> list:
    params = types.WorkspaceDiagnosticParams(previous, partial_result_token=token)
    return list((await found.within(found.client.workspace_diagnostic_async(params))).items)


async def test_the_whole_workspace_is_pulled(root: Path, data: Path) -> None:
    """Every file with findings, then that they are unchanged, then that they are gone."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    write(root, "src/AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, change=modern) as found:
        first = await workspace(found, [])
        assert sorted(report.uri for report in first) == [found.uri("AGENTS.md"), found.uri("src/AGENTS.md")]
        known = [types.PreviousResultId(report.uri, report.result_id) for report in first]
        assert {report.kind for report in await workspace(found, known)} == {"unchanged"}
        found.write("src/AGENTS.md", "fine\n")
        found.touched("src/AGENTS.md")
        await asyncio.sleep(0.3)
        reports = {report.uri: report for report in await workspace(found, known)}
        assert reports[found.uri("AGENTS.md")].kind == "unchanged"
        assert list(reports[found.uri("src/AGENTS.md")].items) == []


async def test_partial_results_come_in_batches(root: Path, data: Path) -> None:
    """With a token every report travels in notifications, and the answer is empty."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, change=modern) as found:
        parts: list[types.ProgressParams] = []
        found.client.protocol.fm.features[types.PROGRESS] = parts.append
        assert await workspace(found, [], "token") == []
        assert [part.token for part in parts] == ["token"]
        [report] = parts[0].value["items"] if isinstance(parts[0].value, dict) else parts[0].value.items
        assert "AGENTS.md" in str(report)


async def test_a_client_that_never_pulls_is_pushed_to(root: Path, data: Path) -> None:
    """Whoever could pull and does not still learns of the findings."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, change=modern) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])


async def test_a_pull_without_the_offer_is_answered(root: Path, data: Path) -> None:
    """Neovim's recorded client is not offered pulling; asking is still answered."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, "neovim") as found:
        found.open("AGENTS.md")
        assert [item.code for item in (await pull(found, "AGENTS.md")).items] == ["broken-import"]
