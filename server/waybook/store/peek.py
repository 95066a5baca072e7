"""A glance at the database without opening it for work: no SQLAlchemy, no migration, no lock that a writer feels.

`waybook check` asks it whether a workspace is known at all before it pays for the real thing.
"""

from __future__ import annotations

import os
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waybook.store.paths import Location


def may_know(location: Location, root: str) -> bool:
    """False only when the database surely holds nothing about this workspace root; True when in any doubt."""
    if not os.path.lexists(location.path):
        return False
    driver = _driver()
    try:
        with closing(driver.connect(f"{Path(location.path).as_uri()}?mode=ro", uri=True, timeout=0.2)) as connection:
            found = connection.execute("SELECT 1 FROM workspaces WHERE root_path = ?", (root,)).fetchone()
            return found is not None
    except UnicodeEncodeError:  # a path with bytes that are no UTF-8 cannot be registered
        return False
    except driver.Error:
        return True


def _driver() -> Any:
    try:
        return import_module("pysqlite3.dbapi2")
    except ImportError:
        return import_module("sqlite3")
