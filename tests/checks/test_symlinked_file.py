"""symlinked-file: what a link points to, and how to be rid of it."""

from support.markers import all_findings, unpack, view_of
from waybook.analysis.findings import CreateFile, DeleteFile, TextEdit


def links(root):
    return [item for item in all_findings(view_of(root)) if item.code == "symlinked-file"]


def test_claude_linked_to_agents_becomes_an_import(tmp_path):
    """The preferred fix replaces the link by one line; afterwards both files are listed and nothing is said."""
    unpack("-- AGENTS.md --\nRun the tests.\n-- CLAUDE.md -> AGENTS.md --\n", tmp_path)
    (found,) = links(tmp_path)
    assert (found.path, found.data["target"]) == ("CLAUDE.md", "AGENTS.md")
    first = found.fixes[0]
    assert first.preferred
    assert first.edits == (DeleteFile("CLAUDE.md"), CreateFile("CLAUDE.md", "@AGENTS.md\n"))
    (tmp_path / "CLAUDE.md").unlink()
    (tmp_path / "CLAUDE.md").write_text("@AGENTS.md\n")
    view = view_of(tmp_path)
    assert all_findings(view) == []
    assert [source.path for source in view.snapshots[""].sources] == ["AGENTS.md", "CLAUDE.md"]


def test_agents_linked_to_claude_gets_the_text(tmp_path):
    """Not every agent reads imports in AGENTS.md, so the text moves there and CLAUDE.md imports it."""
    unpack("-- a/CLAUDE.md --\nRun the tests.\n-- a/AGENTS.md -> CLAUDE.md --\n", tmp_path)
    (found,) = links(tmp_path)
    move = found.fixes[0]
    assert not move.preferred
    assert move.edits[:2] == (DeleteFile("a/AGENTS.md"), CreateFile("a/AGENTS.md", "Run the tests.\n"))
    assert isinstance(move.edits[2], TextEdit)
    assert (move.edits[2].path, move.edits[2].new_text) == ("a/CLAUDE.md", "@AGENTS.md\n")


def test_a_link_to_another_directory_is_imported_from_there(tmp_path):
    """The import is relative to the link's place; the target need not be an instruction file."""
    unpack("-- docs/agents/guide.md --\nx\n-- a/CLAUDE.md -> ../docs/agents/guide.md --\n", tmp_path)
    (found,) = links(tmp_path)
    assert found.fixes[0].edits[1] == CreateFile("a/CLAUDE.md", "@../docs/agents/guide.md\n")


def test_links_to_nowhere_and_outside_can_only_be_removed(tmp_path):
    """The message says so; the text out there is none of ours."""
    workspace = tmp_path / "ws"
    unpack("-- CLAUDE.md -> NOTHING.md --\n-- a/CLAUDE.md -> ../../outside.md --\n", workspace)
    nowhere, outside = links(workspace)
    assert "does not exist" in nowhere.message
    assert "outside the workspace" in outside.message
    assert nowhere.fixes[0].edits == (DeleteFile("CLAUDE.md"),)
    assert outside.fixes[0].edits == (DeleteFile("a/CLAUDE.md"),)


def test_regular_files_are_left_alone(tmp_path):
    """An import is no link."""
    unpack("-- AGENTS.md --\nx\n-- CLAUDE.md --\n@AGENTS.md\n", tmp_path)
    assert links(tmp_path) == []
