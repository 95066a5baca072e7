"""instruction-changed: a file that is no longer what was reviewed."""

from support.markers import all_findings, pinned_view, unpack


def changed(view):
    return [item for item in all_findings(view) if item.code == "instruction-changed"]


def test_a_changed_file_is_told_once(tmp_path):
    """Two directories inherit it; a comment in the file cannot hide the change."""
    unpack("-- AGENTS.md --\nx\n-- a/AGENTS.md --\ny\n", tmp_path)
    text = "<!-- waybook: allow-file instruction-changed, fingerprint-stale -->\nother\n"
    (found,) = changed(pinned_view(tmp_path, lambda root: (root / "AGENTS.md").write_text(text)))
    assert found.path == "AGENTS.md"
    assert "Review the difference" in found.message


def test_invisible_changes_count_and_line_ends_do_not(tmp_path):
    """A zero-width space is a change; CRLF is none."""
    unpack("-- AGENTS.md --\nKeep secrets out.\nEnd\n-- a/AGENTS.md --\ny\n", tmp_path)

    def edit(root):
        (root / "AGENTS.md").write_bytes("Keep\u200b secrets out.\nEnd\n".encode())
        (root / "a" / "AGENTS.md").write_bytes(b"y\r\n")

    assert [item.path for item in changed(pinned_view(tmp_path, edit))] == ["AGENTS.md"]
