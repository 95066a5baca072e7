"""Looking for secrets in texts never seen before, against kingfisher alone on the same texts; with both in MB/s."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Ratio, compare
from waybook.secrets import engine, find

if TYPE_CHECKING:
    from trees import Made

FILES = 300


def run(tree: Made, _small: Made) -> list[Ratio]:
    found = [path for name in ("AGENTS.md", "CLAUDE.md") for path in sorted(Path(tree.root).rglob(name))]
    texts = [path.read_text() for path in found[:FILES]]
    size = sum(len(text.encode()) for text in texts)
    fresh = count()

    def ours() -> float:
        mark = f" number {next(fresh)}\n"  # lines that were clean before are remembered: none is the same twice
        unseen = [text.replace("\n", mark) for text in texts]
        started = time.process_time()
        for text in unseen:
            find(text)
        return time.process_time() - started

    def theirs() -> float:
        started = time.process_time()
        for text in texts:
            list(engine.scan(text))
        return time.process_time() - started

    made = compare("secrets in new texts", "kingfisher alone", ours, theirs, runs=9)
    speed = (
        f"{size / made.ours / 1e6:.0f} MB/s against {size / made.theirs / 1e6:.0f} MB/s; {len(texts)} instruction files"
    )
    note = f"{speed}. Ours also knows prose, assignments and URLs, and leaves placeholders out; it asks kingfisher when in doubt"
    return [replace(made, note=note)]
