"""Which editors are here, which are set up, and what is wrong with a setup."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from waybook.base.errors import WaybookError
from waybook.commands.setups import EDITORS
from waybook.workspace.config_file import read_config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.commands.setups.model import Editor, Place

_PYTHON = re.compile(r'"([^"\n]+)",?\s+(?:args\s*=\s*\[)?"-m",?\s+"waybook"')
"""The Python that a setup of ours names, in any of the languages it is written in."""


def editors(place: Place) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """(state by editor, problems): editors that are on PATH or whose file names Waybook; nothing is changed."""
    states: dict[str, str] = {}
    problems: list[str] = []
    for editor in EDITORS:
        path, text = _configured(editor, place)
        if "waybook" in text:
            states[editor.id] = f"set up in {path}"
            problems += _wrong(editor, place, path, text)
        elif any(shutil.which(name, path=place.environ.get("PATH", "")) for name in editor.programs):
            states[editor.id] = f"found, not set up: waybook setup {editor.id}" if editor.file else "found"
    return states, tuple(problems)


def _configured(editor: Editor, place: Place) -> tuple[str, str]:
    """The editor's file and its text; empty for one that is not there or cannot be read."""
    try:
        path = editor.file(place) if editor.file else ""
        return path, (read_config(path) if path else None) or ""
    except WaybookError:
        return "", ""


def _wrong(editor: Editor, place: Place, path: str, text: str) -> list[str]:
    named = _PYTHON.search(text)
    if named is None:
        missing = "" if place.plain else "`waybook`, which is not on your PATH"
    else:
        missing = "" if Path(named[1]).is_file() else f"{named[1]}, which is gone"
    if not missing:
        return []
    return [
        f"The setup of {editor.id} in {path} starts {missing}. Delete those lines and run waybook setup {editor.id}."
    ]
