"""The page about agents says what the program does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_fresh() -> None:
    """docs/agents.md: versions, recorded runs met, rules."""
    done = subprocess.run(
        [sys.executable, "scripts/agents_page.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
