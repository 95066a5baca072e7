"""A program killed while it compacts leaves everything or nothing, and never asks twice by itself."""

from __future__ import annotations

from pathlib import Path

from store.test_upgrade import run


def test_kill_9_at_every_statement_and_inside_the_summariser(tmp_path: Path) -> None:
    """Before the summariser: no operation. After its start: needs_check, not resent. After the commit: done."""
    said = run(str(Path(__file__).with_name("kill_compaction.py")), tmp_path / "x.db")
    seen = dict(part.split("=") for part in said.split())
    assert all(int(count) >= 1 for count in seen.values()), said
