"""Watching: who watches, what is registered, storms, atomic saves, and another process that confirms."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from support.lsp import editor, environment, write

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_client_that_can_watch_is_asked_to(root: Path, data: Path) -> None:
    """VS Code gets narrow globs, never `**/*`."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data) as found:
        await found.until(lambda: any(item.id == "waybook-files" for item in found.registrations))
        [registration] = [item for item in found.registrations if item.id == "waybook-files"]
        globs = [watcher["globPattern"] for watcher in registration.register_options["watchers"]]
        assert "**/AGENTS.md" in globs
        assert not {"**", "**/*", "**/*.md"} & set(globs)


async def test_neovim_is_watched_for(root: Path, data: Path) -> None:
    """A client without watching: changes, new directories and deletions on the disk are noticed by ourselves."""
    write(root, "AGENTS.md", "one\n")
    write(root, "src/AGENTS.md", "two\n")
    async with editor(root, data, "neovim") as found:
        await found.until(lambda: found.changed)
        await found.settled(1.0)
        found.write("src/AGENTS.md", "@docs/none.md\n")
        await found.until(lambda: found.codes("src/AGENTS.md") == ["broken-import"], "a change")
        found.write("src/new/AGENTS.md", "@docs/none.md\n")
        await found.until(lambda: found.codes("src/new/AGENTS.md") == ["broken-import"], "a new directory")
        (root / "src/AGENTS.md").unlink()
        await found.until(lambda: found.codes("src/AGENTS.md") == [], "a deletion")


@pytest.mark.parametrize("many", [1000])
async def test_a_storm_is_gathered(root: Path, data: Path, many: int) -> None:
    """A thousand events give at most three pushes per file, and a hover in the middle stays below a second."""
    write(root, "AGENTS.md", "clean\n")
    async with editor(root, data) as found:
        await found.until(lambda: found.changed)
        await found.settled()
        count = len(found.pushes("AGENTS.md"))
        for number in range(many):
            found.write("AGENTS.md", f"@docs/none.md {number}\n" if number % 2 else f"clean {number}\n")
            found.touched("AGENTS.md")
            if number == many // 2:
                started = time.monotonic()
                assert await found.hover("x.py")
                assert time.monotonic() - started < 1
        found.write("AGENTS.md", "@docs/none.md\n")
        found.touched("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        await found.settled()
        assert len(found.pushes("AGENTS.md")) - count <= 3


async def test_an_atomic_save_is_a_change(root: Path, data: Path) -> None:
    """Unlink and create: the disk decides, not the event; nothing ever says removed."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data) as found:
        await found.command("instructions.pin")
        write(root, ".AGENTS.md.tmp", "v2\n")
        (root / ".AGENTS.md.tmp").rename(root / "AGENTS.md")
        found.touched("AGENTS.md", kind=3)
        found.touched("AGENTS.md", kind=1)
        await found.until(lambda: "instruction-changed" in found.codes("AGENTS.md"))
        await found.settled()
        every = {str(item.code) for push in found.published for item in push.diagnostics}
        assert "instruction-removed" not in every
        drift = await found.command("instructions.drift")
        assert [(item["path"], item["change"]) for item in drift["files"]] == [("AGENTS.md", "changed")]


async def test_files_the_person_makes_are_noticed(root: Path, data: Path) -> None:
    """A missing import's file is made in the editor's explorer."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data) as found:
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        found.write("docs/none.md", "here\n")
        params = types.CreateFilesParams([types.FileCreate(found.uri("docs/none.md"))])
        found.client.workspace_did_create_files(params)
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_named_files_anywhere_are_noticed(root: Path, data: Path, profile: str) -> None:
    """A missing import's file appears where nothing is watched, and goes again, without a word from the editor."""
    write(root, "AGENTS.md", "@far/away/none.md\n")
    async with editor(root, data, profile) as found:
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        found.write("far/away/none.md", "here\n")
        await found.until(lambda: found.codes("AGENTS.md") == [])
        (root / "far/away/none.md").unlink()
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])


async def elsewhere(root: Path, data: Path, *arguments: str) -> None:
    """`waybook` in a process of its own, as somebody types it in a terminal."""
    command = [sys.executable, "-m", "waybook", *arguments]
    await asyncio.to_thread(subprocess.run, command, cwd=root, env=environment(data), check=True, capture_output=True)


async def test_a_confirmation_elsewhere_is_noticed(root: Path, data: Path, profile: str) -> None:
    """Somebody pins on the command line while the editor is open: the findings follow."""
    write(root, "AGENTS.md", "v1\n")

    await elsewhere(root, data, "pin")
    write(root, "AGENTS.md", "v2\n")
    async with editor(root, data, profile) as found:
        await found.until(lambda: "fingerprint-stale" in found.codes("AGENTS.md"))
        await elsewhere(root, data, "pin")
        await found.until(lambda: found.codes("AGENTS.md") == [])


async def test_a_memory_written_elsewhere_is_told(root: Path, data: Path) -> None:
    """What is kept belongs to the context, too: every open editor hears that another process wrote it."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data) as found:
        await found.until(lambda: found.changed)
        await found.settled()
        told = len(found.changed)
        await elsewhere(root, data, "memory", "create", "--scope", "user", "--title", "Tests", "--content", "Run them.")
        await found.until(lambda: len(found.changed) > told)
        assert found.changed[-1].reason == "store"
        assert found.changed[-1].workspace == str(root)


async def test_the_workspaces_own_settings_are_followed(root: Path, data: Path) -> None:
    """A changed waybook.toml counts at once."""
    write(root, "AGENTS.md", "@docs/none.md\n")
    async with editor(root, data) as found:
        await found.until(lambda: found.codes("AGENTS.md") == ["broken-import"])
        found.write("waybook.toml", '[checks.severity]\nbroken-import = "off"\n')
        found.touched("waybook.toml", kind=1)
        await found.until(lambda: found.codes("AGENTS.md") == [])
