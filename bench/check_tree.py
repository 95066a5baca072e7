"""`waybook check` on a large tree against other checkers: anew, and with the findings of the run before kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure import Ratio, compare, process
from programs import PEER_CODEX, peer, waybook

if TYPE_CHECKING:
    from trees import Made

CODES = (0, 1)
"""Checkers exit with 1 when they find something."""


def run(tree: Made, _small: Made) -> list[Ratio]:
    anew = process([waybook(), "check", "--no-cache", "--workspace", tree.root], codes=CODES)
    again = process([waybook(), "check", "--workspace", tree.root], codes=CODES)
    agnix = process([peer("agnix"), "validate", tree.root], codes=CODES)
    scan = process([peer("agents-md-debugger"), "scan", *PEER_CODEX, tree.root], codes=CODES)
    listing = process([peer("rulereach"), "list", tree.root], codes=CODES)
    where = f"{tree.instruction_files:,} instruction files in {tree.files:,} files"
    lists = f"{where}; the other one lists files and checks no text"
    return [
        compare("waybook check, nothing kept", "agnix validate", anew, agnix, runs=11, reach=0.8, note=where),
        compare("waybook check, findings kept", "agnix validate", again, agnix, runs=11, reach=0.4, note=where),
        compare("waybook check, nothing kept", "agents-md-debugger scan", anew, scan, runs=5, note=lists),
        compare("waybook check, findings kept", "agents-md-debugger scan", again, scan, runs=7, note=lists),
        compare("waybook check, nothing kept", "rulereach list", anew, listing, runs=5, note=lists),
        compare("waybook check, findings kept", "rulereach list", again, listing, runs=7, note=lists),
    ]
