"""instruction-added: a file that the review did not see."""

from support.markers import all_findings, pinned_view, unpack


def added(view):
    return [item for item in all_findings(view) if item.code == "instruction-added"]


def test_a_new_file_is_told_once_however_many_inherit_it(tmp_path):
    """A new root file applies to three directories."""
    unpack("-- AGENTS.md --\nx\n-- a/AGENTS.md --\ny\n-- b/AGENTS.md --\nz\n", tmp_path)
    (found,) = added(pinned_view(tmp_path, lambda root: (root / "CLAUDE.md").write_text("new\n")))
    assert found.path == "CLAUDE.md"
    assert "not part of the baseline" in found.message


def test_a_new_directory_brings_only_its_own_file(tmp_path):
    """The root file applies to the new directory too, but it was reviewed long ago."""
    unpack("-- AGENTS.md --\nx\n", tmp_path)

    def grow(root):
        (root / "new").mkdir()
        (root / "new" / "AGENTS.md").write_text("new\n")

    assert [item.path for item in added(pinned_view(tmp_path, grow))] == ["new/AGENTS.md"]


def test_unchanged_is_quiet(tmp_path):
    """Every file was reviewed."""
    unpack("-- AGENTS.md --\nx\n", tmp_path)
    assert added(pinned_view(tmp_path, lambda _root: None)) == []
