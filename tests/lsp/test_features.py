"""Hover, lens, actions, navigation, outline, completion and rename through the protocol, under both recorded clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from support.lsp import Editor, editor, write

if TYPE_CHECKING:
    from pathlib import Path


def document(found: Editor, path: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(found.uri(path))


async def actions(found: Editor, path: str, line: int, only: list[str] | None = None) -> list[types.CodeAction]:
    place = types.Position(line, 0)
    params = types.CodeActionParams(
        document(found, path), types.Range(place, types.Position(line, 99)), types.CodeActionContext([], only)
    )
    return list(await found.within(found.client.text_document_code_action_async(params)) or [])


async def test_hover_says_why(root: Path, data: Path, profile: str) -> None:
    """The chain in order, nearest last, for a file; scope, place and heirs for an instruction file."""
    write(root, "AGENTS.md", "root\n")
    write(root, "src/app/AGENTS.md", "app\n")
    async with editor(root, data, profile) as found:
        hover = await found.hover("src/app/x.ts")
        assert hover.index("`AGENTS.md`") < hover.index("`src/app/AGENTS.md`") < hover.index("nearest")
        await found.until(lambda: found.changed)
        hover = await found.hover("AGENTS.md")
        assert "applies to the whole workspace" in hover
        assert "Inherited by `src/app/`" in hover
        assert "Not pinned" in hover
        await found.command("instructions.pin")
        assert "revision 1" in await found.hover("src/app/x.ts")


async def test_lenses_tell_the_state_and_offer_the_review(root: Path, data: Path, profile: str) -> None:
    """Not pinned: pin; pinned: nothing to do; stale: review and confirm. Each is a command that runs."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data, profile) as found:

        async def lenses() -> list[types.CodeLens]:
            params = types.CodeLensParams(document(found, "AGENTS.md"))
            return list(await found.within(found.client.text_document_code_lens_async(params)))

        found.open("AGENTS.md")
        first = await lenses()
        assert [lens.command.title for lens in first][1:] == ["pin baseline"]
        assert "applies to the whole workspace" in first[0].command.title
        assert first[0].range.start.line == 0
        command = first[1].command
        await found.within(
            found.client.workspace_execute_command_async(types.ExecuteCommandParams(command.command, command.arguments))
        )
        [pinned] = await lenses()
        assert pinned.command.title.endswith("pinned")
        found.write("AGENTS.md", "two\n")
        stale = [lens.command.title for lens in await lenses()]
        assert stale[0].endswith("stale")
        assert stale[1:] == ["review drift", "confirm"]


async def test_a_fix_is_a_workspace_edit(root: Path, data: Path) -> None:
    """A missing import is created; a comment silences it here or in the file; each mends the finding it names."""
    write(root, "AGENTS.md", "# Rules\n\nSee @docs/none.md\n")
    async with editor(root, data) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        offered = await actions(found, "AGENTS.md", 2)
        [create] = [
            item
            for item in offered
            if item.edit and any(getattr(c, "kind", "") == "create" for c in item.edit.document_changes)
        ]
        assert create.edit.document_changes[0].uri == found.uri("docs/none.md")
        assert create.kind == "quickfix"
        assert [item.code for item in create.diagnostics] == ["broken-import"]
        [here] = [item for item in offered if item.title == "Allow broken-import here"]
        [edit] = here.edit.document_changes
        assert edit.text_document.version == 1
        assert "waybook: allow broken-import" in edit.edits[0].new_text
        assert any(item.title == "Allow broken-import in this file" for item in offered)
        assert [item for item in await actions(found, "AGENTS.md", 0) if item.diagnostics] == []
        assert [item.kind for item in await actions(found, "AGENTS.md", 2, ["source.fixAll"])] in (
            [],
            ["source.fixAll.waybook"],
        )


async def test_text_edits_go_as_changes_to_older_clients(root: Path, data: Path) -> None:
    """Neovim's recorded client knows no versioned changes: plain text edits come in the older form."""
    write(root, "AGENTS.md", "See @docs/none.md\n")
    async with editor(root, data, "neovim") as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        [here] = [item for item in await actions(found, "AGENTS.md", 0) if item.title == "Allow broken-import here"]
        assert list(here.edit.changes) == [found.uri("AGENTS.md")]
        assert here.edit.document_changes is None


async def test_drift_offers_its_review(root: Path, data: Path, profile: str) -> None:
    """On a stale file the action runs the command that shows the differences first."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        [pin] = [
            item
            for item in await actions(found, "AGENTS.md", 0)
            if item.command and item.command.command == "waybook.instructions.pin"
        ]
        assert pin.kind == "source"
        await found.command("instructions.pin")
        found.write("AGENTS.md", "two\n")
        found.save("AGENTS.md")
        await found.until(lambda: "fingerprint-stale" in found.codes("AGENTS.md"))
        [review] = [item for item in await actions(found, "AGENTS.md", 0) if item.command]
        assert review.command.command == "waybook.confirmDrift"
        assert {item.code for item in review.diagnostics} == {"fingerprint-stale", "instruction-changed"}


async def test_a_link_is_replaced_by_a_file(root: Path, data: Path) -> None:
    """The refused link goes and a file that imports its target comes, in one edit and in this order."""
    write(root, "AGENTS.md", "text\n")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    async with editor(root, data) as found:
        await found.until(lambda: "symlinked-file" in found.codes("CLAUDE.md"))
        offered = [
            item for item in await actions(found, "CLAUDE.md", 0) if item.edit and len(item.edit.document_changes) > 1
        ]
        delete, create, fill = offered[0].edit.document_changes
        assert (delete.kind, delete.uri) == ("delete", found.uri("CLAUDE.md"))
        assert (create.kind, create.uri) == ("create", found.uri("CLAUDE.md"))
        assert "@AGENTS.md" in fill.edits[0].new_text


async def test_odd_spellings_of_a_uri_find_their_actions(root: Path, data: Path) -> None:
    """An editor that escapes more than it has to is understood."""
    write(root, "a(b)/AGENTS.md", "See @docs/none.md\n")
    async with editor(root, data) as found:
        await found.until(lambda: found.codes("a(b)/AGENTS.md"))
        uri = found.uri("a(b)/AGENTS.md").replace("(", "%28").replace(")", "%29")
        place = types.Range(types.Position(0, 0), types.Position(0, 99))
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
        assert [
            item
            for item in await found.within(found.client.text_document_code_action_async(params))
            if item.diagnostics
        ]


async def test_everything_plain_is_fixed_at_once(root: Path, data: Path) -> None:
    """`source.fixAll.waybook` holds the preferred fixes of the file."""
    write(root, "AGENTS.md", "text\u200b with a hidden space\n")
    async with editor(root, data) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        [every] = await actions(found, "AGENTS.md", 0, ["source.fixAll.waybook"])
        [change] = every.edit.document_changes
        assert [edit.new_text for edit in change.edits] == [""]


async def test_imports_and_paths_can_be_followed(root: Path, data: Path, profile: str) -> None:
    """Definition, links (with their tooltip on resolve) and references, from both ends."""
    write(root, "AGENTS.md", "See @docs/a.md and `src/x.py`.\n")
    write(root, "docs/a.md", "a\n")
    write(root, "src/x.py", "")
    write(root, "src/AGENTS.md", "deeper\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        params = types.DefinitionParams(document(found, "AGENTS.md"), types.Position(0, 6))
        answer = await found.within(found.client.text_document_definition_async(params))
        target = answer[0].target_uri if isinstance(answer, list | tuple) else answer.uri
        assert target == found.uri("docs/a.md")
        links = await found.within(
            found.client.text_document_document_link_async(types.DocumentLinkParams(document(found, "AGENTS.md")))
        )
        assert [link.target for link in links] == [found.uri("docs/a.md"), found.uri("src/x.py")]
        resolved = await found.within(found.client.document_link_resolve_async(links[0]))
        assert resolved.tooltip == "Open docs/a.md"
        context = types.ReferenceContext(include_declaration=False)
        place = types.ReferenceParams(context, document(found, "AGENTS.md"), types.Position(0, 6))
        places = await found.within(found.client.text_document_references_async(place))
        assert [(item.uri, item.range.start.character) for item in places] == [(found.uri("AGENTS.md"), 5)]
        place = types.ReferenceParams(context, document(found, "AGENTS.md"), types.Position(0, 0))
        places = await found.within(found.client.text_document_references_async(place))
        assert [item.uri for item in places] == [found.uri("src/AGENTS.md")]


async def test_the_outline_of_a_document_and_of_a_workspace(root: Path, data: Path, profile: str) -> None:
    """Headings nest; a search finds them in every instruction file; sections and code fold."""
    write(root, "AGENTS.md", "# Rules\n\n## Tests\n\n```sh\nmake\n```\n\n# Build\n")
    write(root, "src/AGENTS.md", "# Testing here\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        symbols = await found.within(
            found.client.text_document_document_symbol_async(types.DocumentSymbolParams(document(found, "AGENTS.md")))
        )
        assert [symbol.name for symbol in symbols] == ["Rules", "Build"]
        assert [child.name for child in symbols[0].children] == ["Tests"]
        everywhere = await found.within(found.client.workspace_symbol_async(types.WorkspaceSymbolParams("test")))
        assert [(item.name, item.location.uri) for item in everywhere] == [
            ("Tests", found.uri("AGENTS.md")),
            ("Testing here", found.uri("src/AGENTS.md")),
        ]
        folds = await found.within(
            found.client.text_document_folding_range_async(types.FoldingRangeParams(document(found, "AGENTS.md")))
        )
        assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 6), (2, 6), (4, 6)]


async def test_completion_of_paths_and_codes(root: Path, data: Path, profile: str) -> None:
    """After `@`, with dot folders; in a comment that allows a check."""
    write(root, "AGENTS.md", "See @\n\n<!-- waybook: allow \n")
    write(root, ".github/a.md", "")
    write(root, "docs/b.md", "")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")

        async def labels(line: int, character: int) -> list[Any]:
            params = types.CompletionParams(document(found, "AGENTS.md"), types.Position(line, character))
            answer = await found.within(found.client.text_document_completion_async(params))
            return list(answer.items)

        items = await labels(0, 5)
        assert [item.label for item in items] == [".github/", "docs/"]
        assert items[0].text_edit.new_text == ".github/"
        assert "broken-import" in [item.label for item in await labels(2, 20)]


async def test_moved_files_take_their_mentions_along(root: Path, data: Path, profile: str) -> None:
    """Before a rename the edits for imports and paths are given."""
    write(root, "AGENTS.md", "See @docs/a.md\n")
    write(root, "docs/a.md", "a\n")
    async with editor(root, data, profile) as found:
        params = types.RenameFilesParams([types.FileRename(found.uri("docs/a.md"), found.uri("guides/b.md"))])
        edit = await found.within(found.client.workspace_will_rename_files_async(params))
        edits = edit.document_changes[0].edits if edit.document_changes else edit.changes[found.uri("AGENTS.md")]
        assert [item.new_text for item in edits] == ["guides/b.md"]
        params = types.RenameFilesParams([types.FileRename(found.uri("x.py"), found.uri("y.py"))])
        assert await found.within(found.client.workspace_will_rename_files_async(params)) is None
