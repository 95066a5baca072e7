"""fingerprint-stale: each directory whose instructions moved since the review."""

from support.markers import all_findings, pinned_view, unpack, view_of

TREE = "-- AGENTS.md --\nroot rule\n-- a/AGENTS.md --\na rule\n-- b/CLAUDE.md --\nb rule\n"


def stale(view):
    return [item for item in all_findings(view) if item.code == "fingerprint-stale"]


def test_own_changes_warn_and_inherited_ones_inform(tmp_path):
    """The root changed: it warns there, and the directories below are told that they inherit it."""
    unpack(TREE, tmp_path)
    view = pinned_view(tmp_path, lambda root: (root / "AGENTS.md").write_text("other\nrule\n"))
    found = stale(view)
    assert [(item.path, item.severity) for item in found] == [
        ("AGENTS.md", "warning"),
        ("a/AGENTS.md", "information"),
        ("b/CLAUDE.md", "information"),
    ]
    assert "baseline (revision 3): changed AGENTS.md" in found[0].message
    assert (found[0].span.start, found[0].span.end) == (0, len("other"))


def test_a_hidden_file_is_drift_too(tmp_path):
    """An ignore file takes a source away: the list of ignored files is part of the fingerprint."""
    unpack(TREE, tmp_path)

    def hide(root):
        (root / ".prayu").mkdir()
        (root / ".prayu" / "instructions.ignore").write_text("nothing/AGENTS.md\n")

    assert len(stale(pinned_view(tmp_path, hide))) == 3


def test_nothing_pinned_or_nothing_changed_is_quiet(tmp_path):
    """Without a pin there is no drift; touching white space at the end is none."""
    unpack(TREE, tmp_path)
    assert stale(view_of(tmp_path)) == []
    assert stale(pinned_view(tmp_path, lambda root: (root / "AGENTS.md").write_bytes(b"root rule\r\n\r\n"))) == []
