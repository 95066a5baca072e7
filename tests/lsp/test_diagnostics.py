"""Diagnostics pushed: positions, details, versions, causes that go away, whole workspaces, and checks that misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from support.lsp import editor, write
from waybook.base.manual import page_uri

if TYPE_CHECKING:
    from pathlib import Path


async def test_findings_of_open_and_closed_files(root: Path, data: Path, profile: str) -> None:
    """An open document's findings carry its version; files that nobody opened are reported too."""
    write(root, "AGENTS.md", "# Rules\n@docs/none.md\n")
    write(root, "src/AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md", version=3)
        await found.until(lambda: found.codes("AGENTS.md") and found.codes("src/AGENTS.md"))
        assert found.pushes("AGENTS.md")[-1].version == 3
        assert found.pushes("src/AGENTS.md")[-1].version is None


async def test_a_finding_says_where_to_read_more(root: Path, data: Path, profile: str) -> None:
    """Code, link to its manual page, source and data travel with it; tags and related places where the client knows them."""
    write(root, "AGENTS.md", "old\n")
    write(root, "AGENTS.override.md", "new\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        await found.until(lambda: "shadowed-file" in found.codes("AGENTS.md"))
        [item] = [item for item in found.client.diagnostics[found.uri("AGENTS.md")] if item.code == "shadowed-file"]
        assert item.source == "waybook"
        assert item.code_description.href == f"{page_uri('checks.md')}#shadowed-file"
        assert list(item.tags) == [types.DiagnosticTag.Unnecessary]
        assert item.related_information[0].location.uri == found.uri("AGENTS.override.md")
        assert item.data["code"] == "shadowed-file"


async def test_a_fixed_cause_clears_at_once(root: Path, data: Path, profile: str) -> None:
    """In the buffer by editing it, on the disk by making the missing file and saving."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        found.change("AGENTS.md", 2, "nothing\n")
        await found.until(lambda: found.pushes("AGENTS.md")[-1].version == 2)
        assert found.codes("AGENTS.md") == []
        found.change("AGENTS.md", 3, "@docs/none.md\n")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        found.write("docs/none.md", "here\n")
        found.save("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_only_the_newest_version_counts(root: Path, data: Path) -> None:
    """Twenty changes in a row: versions in pushes never go down, and the last one is about the last text."""
    write(root, "AGENTS.md", "clean\n")
    async with editor(root, data) as found:
        found.open("AGENTS.md", "@docs/none.md 1\n")
        for version in range(2, 20):
            found.change("AGENTS.md", version, f"@docs/none.md {version}\n")
        found.change("AGENTS.md", 20, "clean\n")
        await found.until(lambda: any(item.version == 20 for item in found.pushes("AGENTS.md")))
        await found.settled()
        versions = [item.version for item in found.pushes("AGENTS.md") if item.version is not None]
        assert versions == sorted(versions)
        assert versions[-1] == 20
        assert found.codes("AGENTS.md") == []


async def test_closed_and_deleted_files_are_emptied(root: Path, data: Path) -> None:
    """Closing forgets the buffer's findings, deleting a file the file's."""
    write(root, "AGENTS.md", "clean\n")
    write(root, "src/AGENTS.md", "@docs/none.md\n")
    async with editor(root, data) as found:
        found.open("AGENTS.md", "@docs/none.md\n")
        await found.until(lambda: found.codes("AGENTS.md") and found.codes("src/AGENTS.md"))
        found.close("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == [])
        (root / "src/AGENTS.md").unlink()
        found.touched("src/AGENTS.md", kind=3)
        await found.until(lambda: found.codes("src/AGENTS.md") == [])
        await found.settled()
        assert found.codes("AGENTS.md") == []


async def test_a_closed_file_shows_what_the_disk_says(root: Path, data: Path) -> None:
    """After closing, the findings of the saved text come back."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data) as found:
        found.open("AGENTS.md", "clean\n")
        await found.until(lambda: found.pushes("AGENTS.md"))
        found.close("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        assert found.pushes("AGENTS.md")[-1].version is None


async def test_refused_discovery_is_shown_on_the_file_and_clears(root: Path, data: Path) -> None:
    """One error on the file that causes it; other directories keep their answers; it goes with its cause."""
    write(root, "AGENTS.md", "fine\n")
    write(root, "bad/AGENTS.md", " \n")
    async with editor(root, data) as found:
        await found.until(lambda: found.codes("bad/AGENTS.md"))
        assert "discovery-failed" in found.codes("bad/AGENTS.md")
        assert "cannot be told" in await found.hover("bad/x.py")
        assert "`AGENTS.md`" in await found.hover("x.py")
        found.write("bad/AGENTS.md", "good\n")
        found.touched("bad/AGENTS.md")
        await found.until(lambda: found.codes("bad/AGENTS.md") == [])


async def test_unsaved_text_is_no_drift(root: Path, data: Path) -> None:
    """Drift is about the disk: it appears with the save, and goes when the text comes back."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data) as found:
        await found.command("instructions.pin")
        found.open("AGENTS.md")
        found.change("AGENTS.md", 2, "v2\n")
        await found.settled()
        assert found.codes("AGENTS.md") == []
        found.write("AGENTS.md", "v2\n")
        found.save("AGENTS.md")
        await found.until(lambda: "fingerprint-stale" in found.codes("AGENTS.md"))
        assert "instruction-changed" in found.codes("AGENTS.md")
        found.write("AGENTS.md", "v1\n")
        found.save("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_only_open_files_when_the_settings_say_so(root: Path, data: Path) -> None:
    """Setting diagnostics.open_files_only."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    write(root, "src/AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, options={"diagnostics": {"open_files_only": True}}) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        await found.settled()
        assert found.pushes("src/AGENTS.md") == []
