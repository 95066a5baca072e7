"""A workspace and a data directory of each test's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.lsp import PROFILES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty workspace, by its real path."""
    made = tmp_path.resolve() / "workspace"
    made.mkdir()
    return made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The server's data directory."""
    made = tmp_path.resolve() / "data"
    made.mkdir()
    return made


@pytest.fixture(params=PROFILES)
def profile(request: pytest.FixtureRequest) -> str:
    """Each recorded client."""
    name: str = request.param
    return name
