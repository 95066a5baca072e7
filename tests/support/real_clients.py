"""Where the real editors are."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def find(name: str) -> str | None:
    """The program of a real client, looked for beside this Python first, then on PATH."""
    programs = {"neovim": "nvim"}
    beside = Path(sys.executable).with_name(programs[name])
    return str(beside) if beside.exists() else shutil.which(programs[name])
