"""instruction-removed: a reviewed file that no longer applies."""

from support.markers import all_findings, pinned_view, unpack

TREE = "-- AGENTS.md --\nx\n-- a/AGENTS.md --\ny\n-- a/CLAUDE.md --\nz\n-- b/CLAUDE.md --\nz\n"


def removed(view):
    return [(item.path, item.data["file"]) for item in all_findings(view) if item.code == "instruction-removed"]


def test_the_finding_sits_on_the_nearest_file(tmp_path):
    """The same directory's first file, or the next one above where the directory has none left."""
    unpack(TREE, tmp_path)

    def prune(root):
        (root / "a" / "CLAUDE.md").unlink()
        (root / "b" / "CLAUDE.md").unlink()

    assert sorted(removed(pinned_view(tmp_path, prune))) == [
        ("AGENTS.md", "b/CLAUDE.md"),
        ("a/AGENTS.md", "a/CLAUDE.md"),
    ]


def test_a_superseded_file_is_marked_itself(tmp_path):
    """An override takes its place: the file is still there to be shown."""
    unpack(TREE, tmp_path)
    view = pinned_view(tmp_path, lambda root: (root / "a" / "AGENTS.override.md").write_text("instead\n"))
    assert removed(view) == [("a/AGENTS.md", "a/AGENTS.md")]


def test_an_empty_workspace_has_nowhere_to_tell_it(tmp_path):
    """The last file is gone: no finding, and no crash."""
    unpack("-- AGENTS.md --\nx\n", tmp_path)
    assert removed(pinned_view(tmp_path, lambda root: (root / "AGENTS.md").unlink())) == []
