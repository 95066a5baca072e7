"""Each run of the program answers from the disk as it is, however quickly things change between two runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from support.workspaces import make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path


def codes(root: Path) -> list[tuple[str, str]]:
    """What `check` finds."""
    found = waybook("check", "--json", cwd=root).json["findings"]
    return [(item["path"], item["code"]) for item in found]


def rewrite(path: Path, text: str) -> None:
    """Another text under the old modification time."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_check_sees_every_rewrite(tmp_path: Path) -> None:
    """Same size, same time stamp, back and forth; then other files that a finding depends on."""
    good, bad = "see a.md now\u00b7\n", "see a.md now\u200b"
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": good, "a.md": "x\n", "p/AGENTS.md": "p\n"})
    for text in (good, bad, good, bad):
        rewrite(root / "AGENTS.md", text)
        assert [code for _, code in codes(root)] == (["hidden-unicode"] if text == bad else [])
    rewrite(root / "AGENTS.md", good)
    make_tree(root, {"p/CLAUDE.md": "\n"})
    assert codes(root) == [("p/CLAUDE.md", "discovery-failed")]
    make_tree(root, {".prayu/instructions.ignore": "CLAUDE.md\n"})
    assert codes(root) == []
    (root / ".prayu/instructions.ignore").write_text("!bad\n")
    assert {code for _, code in codes(root)} >= {"ignore-file-invalid"}
    (root / ".prayu/instructions.ignore").unlink()
    (root / "p/CLAUDE.md").unlink()
    assert codes(root) == []


def test_check_sees_pins_and_confirmations(tmp_path: Path) -> None:
    """Drift appears after a pin and a change, and goes with the confirmation, in the same second."""
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "one\n"})
    assert codes(root) == []
    waybook("pin", cwd=root, code=0)
    assert codes(root) == []
    rewrite(root / "AGENTS.md", "two\n")
    assert ("AGENTS.md", "instruction-changed") in codes(root)
    drift = waybook("drift", "--json", cwd=root, code=1).json
    names = ("--expected-fingerprint", drift["expected_fingerprint"])
    live = ("--expected-live-fingerprint", drift["expected_live_fingerprint"])
    waybook("confirm", "--confirm", *names, *live, cwd=root, code=0)
    assert codes(root) == []


def test_check_obeys_changed_settings(tmp_path: Path) -> None:
    """A severity in `waybook.toml` counts from the next run on."""
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "one\n", "AGENTS.override.md": "\n"})
    assert codes(root) == [("AGENTS.override.md", "empty-override")]
    (root / "waybook.toml").write_text('[checks.severity]\nempty-override = "off"\n')
    assert codes(root) == []
    (root / "waybook.toml").write_text('[checks.severity]\nempty-override = "error"\n')
    assert waybook("check", "--json", cwd=root, code=1).json["counts"] == {"error": 1}
