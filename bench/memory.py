"""How much memory a check of a large tree takes, and a view of it that is held, against a Python that does nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from measure import Ratio, peak_kilobytes
from programs import peer, waybook

if TYPE_CHECKING:
    from trees import Made

_VIEW = """
import sys
from waybook.app import App
view = App(environ={}).analysis(sys.argv[1]).view()
print(len(view.documents))
"""


def run(tree: Made, _small: Made) -> list[Ratio]:
    """Not times but peak resident sizes: `ours` and `theirs` are MiB."""
    agnix = peak_kilobytes([peer("agnix"), "validate", tree.root], (0, 1))
    bare = peak_kilobytes([sys.executable, "-c", "pass"])
    check = peak_kilobytes([waybook(), "check", "--no-cache", "--workspace", tree.root], (0, 1))
    again = peak_kilobytes([waybook(), "check", "--workspace", tree.root], (0, 1))
    view = peak_kilobytes([sys.executable, "-c", _VIEW, tree.root])
    note = f"peak resident size; {tree.instruction_files:,} instruction files in {tree.files:,} files"
    return [
        _ratio("memory of waybook check, nothing kept", "agnix validate", check, agnix, note),
        _ratio("memory of waybook check, findings kept", "agnix validate", again, agnix, note),
        _ratio("memory of a view that is held", "Python that does nothing", view, bare, note),
    ]


def _ratio(name: str, against: str, ours: int, theirs: int, note: str) -> Ratio:
    ratio = ours / theirs
    return Ratio(name, against, ratio, ratio, ratio, ours / 1024, theirs / 1024, 1, unit="MiB", note=note)
