"""A workspace of each test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty workspace, by its real path."""
    made = tmp_path.resolve() / "workspace"
    made.mkdir()
    return made
