"""Fixtures every suite shares; nothing here touches the user's own data directory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


@pytest.fixture(autouse=True)
def own_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every test has a data directory of its own and no settings from the machine."""
    for name in [name for name in os.environ if name.startswith("WAYBOOK_") and name != "WAYBOOK_REQUIRE_REAL_CLIENTS"]:
        monkeypatch.delenv(name)
    directory = tmp_path / "waybook-data"
    monkeypatch.setenv("WAYBOOK_DATA_DIR", str(directory))
    monkeypatch.setenv("WAYBOOK_CACHE_DIR", str(tmp_path / "waybook-cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("WAYBOOK_OPERATOR", "tester")
    return directory


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A real editor that is missing skips with the reason; in continuous integration it fails."""
    marker = item.get_closest_marker("real_client")
    if marker is None:
        return
    from support.real_clients import find

    name = marker.args[0]
    if find(name) is None:
        reason = f"skipped: no {name} on this machine"
        if os.environ.get("WAYBOOK_REQUIRE_REAL_CLIENTS"):
            pytest.fail(reason)
        pytest.skip(reason)
