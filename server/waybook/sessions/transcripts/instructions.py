"""Which instruction files an agent would load today where a session worked, and which changed since."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from waybook.sessions.messages.model import InstructionFile
from waybook.workspace.transcript_files import mark, names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.sessions.messages.model import Session


def linked(session: Session, home: str, environ: Mapping[str, str]) -> tuple[InstructionFile, ...] | None:
    """The files, or None where they cannot be known: no such project here, or an agent without known rules."""
    from waybook.agents import MEASURED, explain  # many modules, for this question only
    from waybook.agents.asking import Asked, make_request
    from waybook.base.errors import WaybookError
    from waybook.workspace.box import Box

    if session.agent not in MEASURED or not session.cwd or not names(session.cwd):
        return None
    try:
        request, _ = make_request(Asked(cwd=session.cwd, home=home), session.cwd, environ)
    except WaybookError:
        return None
    box = Box(request.root)
    (loading,) = explain((session.agent,), request, box)
    paths = dict.fromkeys(box.host(item.abs_path) for item in loading.chain)
    return tuple(InstructionFile(path, _changed(path, session.updated_at)) for path in paths if os.path.isabs(path))


def _changed(path: str, since: str) -> bool:
    found = mark(path)
    if found is None or not since:
        return False
    return found.mtime_ns / 1e9 > datetime.fromisoformat(since).timestamp()
