"""`waybook explain FILE` as a program of its own, against `agents-md-debugger explain FILE`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from measure import Ratio, compare, process
from programs import PEER_CODEX, peer, waybook

if TYPE_CHECKING:
    from trees import Made


def run(tree: Made, _small: Made) -> list[Ratio]:
    target = f"{tree.root}/{tree.target}"
    ours = process([waybook(), "explain", target])
    theirs = process([peer("agents-md-debugger"), "explain", *PEER_CODEX, target])
    return [compare("waybook explain FILE", "agents-md-debugger explain FILE", ours, theirs, runs=21, reach=3)]
