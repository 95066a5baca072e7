"""The files of single agents and the agents' answers, over the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.lsp import editor, write

if TYPE_CHECKING:
    from pathlib import Path


async def test_files_of_single_agents_are_followed_and_explained(root: Path, data: Path) -> None:
    """A client that does not watch: a change of GEMINI.md is noticed; its hover names the agents of the settings."""
    write(root, "waybook.toml", 'agents = ["codex", "gemini-cli"]\n')
    write(root, "AGENTS.md", "one\n")
    write(root, "GEMINI.md", "two\n")
    async with editor(root, data, "neovim") as found:
        await found.until(lambda: found.changed)
        await found.settled(1.0)
        found.write("GEMINI.md", "Two:\n@docs/none.md\n")
        await found.until(lambda: "broken-import" in found.codes("GEMINI.md"), "a change of a single agent's file")
        assert "1 of 2 agents** loads this: Gemini CLI" in str(await found.hover("GEMINI.md"))
        found.write(".cursor/rules/a.mdc", '---\nglobs: "*.rs"\n---\ntext\n')
        await found.until(lambda: "dead-glob" in found.codes(".cursor/rules/a.mdc"), "a new rule in a new folder")


async def test_what_an_agent_in_use_loses_is_published(root: Path, data: Path) -> None:
    """Codex's budget: the lost end of the root's file, and the nearest file that is lost behind it; both clear at once."""
    (root / ".git").mkdir(exist_ok=True)
    write(root, "waybook.toml", 'agents = ["codex"]\n')
    write(root, "AGENTS.md", "x " * 20_000)
    write(root, "pkg/AGENTS.md", "two\n")
    async with editor(root, data) as found:
        await found.until(lambda: "truncated" in found.codes("AGENTS.md"))
        await found.until(lambda: "truncated" in found.codes("pkg/AGENTS.md"))
        found.write("AGENTS.md", "short\n")
        found.touched("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md") == [])
        await found.until(lambda: found.codes("pkg/AGENTS.md") == [])
