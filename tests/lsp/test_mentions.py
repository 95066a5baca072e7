"""Mentions of sessions through the protocol, under both recorded clients."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from references.sources import add
from store.helpers import open_store
from support.lsp import Editor, editor, write
from waybook.base.uris import uri_to_path

MENTION = "@[Parser](dsh-session:InNlc18xIg)"


@pytest.fixture
def known(root: Path, data: Path) -> Path:
    """A workspace whose data directory knows two sessions, one with a transcript."""
    store = open_store("", data_dir=str(data))
    rows = [{"text": "use tabs"}, {"text": "done", "kind": "answer", "role": "assistant"}]
    at = "2026-01-01T10:00:00.000000Z"
    add(store, "ses_1", *rows, title="Parser", cwd=str(root), updated_at=at, messages=2, path="/h/s 1.jsonl")
    add(store, "ses_2", {"text": "other"}, title="Other", cwd="/else", updated_at=at)
    store.close()
    return root


def document(found: Editor, path: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(found.uri(path))


async def items(found: Editor, path: str, character: int) -> list[types.CompletionItem]:
    params = types.CompletionParams(document(found, path), types.Position(0, character))
    answer = await found.within(found.client.text_document_completion_async(params))
    return [item for item in answer.items if item.kind == types.CompletionItemKind.Reference] if answer else []


async def test_completion_offers_sessions_in_prompts(known: Path, data: Path, profile: str) -> None:
    """In any Markdown file, by title or directory, those of the folder first; not in code."""
    text = "🪁 as @pars"
    async with editor(known, data, profile) as found:
        found.open("prompt.md", text)
        encoding = found.result.capabilities.position_encoding
        end = len(text) if encoding != types.PositionEncodingKind.Utf16 else len(text) + 1
        if encoding == types.PositionEncodingKind.Utf8:
            end = len(text.encode())
        [item] = await items(found, "prompt.md", end)
        assert isinstance(item.text_edit, types.TextEdit)
        assert (item.label, item.text_edit.new_text, item.filter_text) == ("Parser", MENTION, "@pars")
        assert item.text_edit.range.end.character == end
        assert item.text_edit.range.start.character == end - 5
        found.open("all.md", "@")
        assert [item.label for item in await items(found, "all.md", 1)] == ["Parser", "Other"]
        found.open("code.py", "@")
        assert await items(found, "code.py", 1) == []


async def test_hover_and_link(known: Path, data: Path, profile: str) -> None:
    """A mention tells its session and leads to the transcript; elsewhere the file's own hover stays."""
    write(known, "AGENTS.md", "root\n")
    async with editor(known, data, profile) as found:
        found.open("prompt.md", f"see {MENTION}, @[old](dsh-session:ImdvbmUi)")
        assert "2 messages" in str(await found.hover("prompt.md", 0, 6))
        assert "is not there" in str(await found.hover("prompt.md", 0, 6 + len(MENTION) + 2))
        assert "Instructions for" in str(await found.hover("prompt.md", 0, 0))
        params = types.DocumentLinkParams(document(found, "prompt.md"))
        [link] = await found.within(found.client.text_document_document_link_async(params))
        assert uri_to_path(link.target) == "/h/s 1.jsonl"
        assert (link.range.start.character, link.range.end.character) == (4, 4 + len(MENTION))
        link = await found.within(found.client.document_link_resolve_async(link))
        assert link.tooltip == "Open the transcript of Parser"


async def test_the_prompt_is_expanded(known: Path, data: Path, profile: str) -> None:
    """The action runs; its result is the prepared message; an editor that can show documents shows it."""
    shown: list[types.ShowDocumentParams] = []
    async with editor(known, data, profile) as found:
        if types.WINDOW_SHOW_DOCUMENT not in found.client.protocol.fm.features:

            @found.client.feature(types.WINDOW_SHOW_DOCUMENT)
            def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
                shown.append(params)
                return types.ShowDocumentResult(success=True)

        found.open("prompt.md", f"see {MENTION}")
        found.open("plain.md", "nothing @here")
        assert await expansions(found, "plain.md") == []
        assert await expansions(found, "prompt.md", ["quickfix"]) == []
        [action] = await expansions(found, "prompt.md")
        params = types.ExecuteCommandParams(action.command.command, action.command.arguments)
        body: Any = await found.within(found.client.workspace_execute_command_async(params))
        get = body.get if isinstance(body, dict) else lambda name: getattr(body, name)
        assert get("text").endswith("## My request:\n\nsee @Parser")
        assert "use tabs" in get("text")
        for item in shown:
            assert private_text(item.uri) == get("text")


def private_text(uri: str) -> str:
    """The text of a file that nobody else may read."""
    path = Path(str(uri_to_path(uri)))
    assert path.stat().st_mode & 0o077 == 0
    return path.read_text(encoding="utf-8")


async def expansions(found: Editor, path: str, only: list[str] | None = None) -> list[types.CodeAction]:
    place = types.Range(types.Position(0, 0), types.Position(0, 1))
    params = types.CodeActionParams(document(found, path), place, types.CodeActionContext([], only))
    answer = await found.within(found.client.text_document_code_action_async(params)) or []
    return [item for item in answer if item.command and item.command.command == "waybook.expandReferences"]


async def test_nothing_is_made_where_nothing_is_known(root: Path, data: Path, profile: str) -> None:
    """Typing in a prompt makes no database."""
    async with editor(root, data, profile) as found:
        found.open("prompt.md", f"{MENTION} @")
        assert await items(found, "prompt.md", len(MENTION) + 2) == []
        assert "is not there" in str(await found.hover("prompt.md", 0, 3))
    assert databases(data) == []


def databases(data: Path) -> list[Path]:
    """Whatever a store has made there."""
    return list(data.rglob("*.db*"))
