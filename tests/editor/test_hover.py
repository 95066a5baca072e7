"""Hover: the chain for a file, the place of an instruction file, what a path leads to, what a key means."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from support.cursor import at_cursor
from support.markers import unpack, view_of
from waybook.analysis.view import Pinned
from waybook.editor.hover import hover
from waybook.instructions.model import SnapshotDiff

if TYPE_CHECKING:
    from pathlib import Path

TREE = """\
-- AGENTS.md --
root
-- src/AGENTS.md --
old
-- src/AGENTS.override.md --
src override
-- src/app/CLAUDE.md --
app
"""


def shown(root: Path, text: str) -> str:
    at = at_cursor(root, text)
    found = hover(at.view, at.path, at.offset)
    assert found is not None
    return found.markdown


def test_the_chain_of_a_file_is_listed_in_reading_order(root: Path) -> None:
    """Root first, nearest last and marked so; what is superseded is named with its reason."""
    unpack(TREE, root)
    found = hover(view_of(root), "src/app/deep/x.ts")
    assert found is not None
    lines = found.markdown.splitlines()
    assert lines[0] == "**Instructions for `src/app/deep/x.ts`**: 3 files, 22 bytes"
    assert [line.partition("`")[2].partition("`")[0] for line in lines if line[:2] in {"1.", "2.", "3."}] == [
        "AGENTS.md",
        "src/AGENTS.override.md",
        "src/app/CLAUDE.md",
    ]
    assert "nearest" in lines[4]
    assert "nearest" not in lines[2]
    assert "- `src/AGENTS.md`:" in found.markdown


def test_tokens_are_shown_when_they_are_counted(root: Path) -> None:
    """Of each file and of the chain; bytes alone before."""
    unpack(TREE, root)
    found = hover(view_of(root), "x.ts", count=lambda text, sha: len(text) + len(sha) - 64)
    assert found is not None
    assert "1 file, 5 bytes, 5 tokens" in found.markdown


def test_a_file_without_instructions_has_no_hover(root: Path) -> None:
    """Nothing applies, nothing is said."""
    unpack("-- src/AGENTS.md --\nsrc\n", root)
    assert hover(view_of(root), "other/x.ts") is None


def test_an_instruction_file_says_where_it_applies_and_who_inherits_it(root: Path) -> None:
    """Scope, kind, depth, precedence, number in the chain, heirs."""
    unpack(TREE, root)
    found = hover(view_of(root), "src/AGENTS.override.md")
    assert found is not None
    for words in (
        "applies to `src/` and everything below it",
        "depth 1, precedence 110, 13 bytes",
        "Number 2 of 2",
        "Inherited by `src/app/`",
        "Not pinned",
    ):
        assert words in found.markdown


def test_a_superseded_file_says_why_it_does_not_apply(root: Path) -> None:
    """The override that takes its place is named."""
    unpack(TREE, root)
    found = hover(view_of(root), "src/AGENTS.md")
    assert found is not None
    assert "does not apply" in found.markdown
    assert "AGENTS.override.md" in found.markdown


def test_a_refused_directory_says_why(root: Path) -> None:
    """On the target and on the file, with what to do next."""
    unpack("-- AGENTS.md --\n \n-- x.py --\n", root)
    for path in ("x.py", "AGENTS.md"):
        found = hover(view_of(root), path)
        assert found is not None
        assert "empty" in found.markdown.lower() or "blank" in found.markdown.lower()


def test_a_link_says_where_it_leads(root: Path) -> None:
    """The profile refuses it; the hover says so on the link itself."""
    unpack("-- CLAUDE.md --\ntext\n-- AGENTS.md -> CLAUDE.md --\n", root)
    found = hover(view_of(root), "AGENTS.md")
    assert found is not None
    assert "symbolic link to `CLAUDE.md`" in found.markdown


def test_the_pins_state_is_told(root: Path) -> None:
    """As pinned, stale with what changed, or not part of the pin."""
    unpack("-- AGENTS.md --\nroot\n", root)
    view = view_of(root)
    pinned = Pinned("baseline", "b", 3, "2026-01-02T03:04:05Z", "ada", {"": view.snapshots[""]})
    found = hover(replace(view, pinned=pinned), "x.py")
    assert found is not None
    assert "Pinned: as in the baseline (revision 3, confirmed 2026-01-02T03:04:05Z by ada)" in found.markdown
    diff = SnapshotDiff("a", "b", (), (), ("AGENTS.md",), order_changed=False, requires_confirmation=True)
    found = hover(replace(view, pinned=pinned, drift={"": diff}), "x.py")
    assert found is not None
    assert "**Stale**" in found.markdown
    assert "changed `AGENTS.md`" in found.markdown


def test_an_import_says_what_it_resolves_to(root: Path) -> None:
    """The file it leads to, that it is missing, or that it leaves the workspace."""
    tree = "-- docs/a.md --\na\n-- AGENTS.md --\nSee @doc<CURSOR>s/a.md and more\n"
    assert shown(root, tree) == "Import of `docs/a.md`: the file `docs/a.md`."
    assert "does not exist" in shown(root, "-- AGENTS.md --\nSee <CURSOR>@docs/none.md\n")
    assert "out of the workspace" in shown(root, "-- AGENTS.md --\nSee @../<CURSOR>x.md\n")


def test_a_path_says_what_it_resolves_to(root: Path) -> None:
    """Directories, other instruction files, links."""
    tree = "-- src/app/AGENTS.md --\nsrc\n-- AGENTS.md --\n{0}\n"
    assert "the directory `src/app`, 1 entries" in shown(root, tree.format("Look into `src/a<CURSOR>pp/`."))
    assert "the instruction file `src/app/AGENTS.md`, 4 bytes" in shown(
        root, tree.format("[x](src/app/AG<CURSOR>ENTS.md)")
    )


def test_front_matter_keys_are_explained(root: Path) -> None:
    """Meaning, who reads it, values; unknown keys say nothing of their own."""
    tree = "-- .prayu/rules/a.md --\n---\nalways<CURSOR>Apply: true\n---\ntext\n"
    assert "Cursor rules" in shown(root, tree)
    assert "`true`, `false`" in shown(root, tree)
    assert "applies to" in shown(root, "-- .prayu/rules/a.md --\n---\nmi<CURSOR>ne: true\n---\ntext\n")
