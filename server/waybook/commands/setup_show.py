"""`setup.show`: how an editor attaches to Waybook, and what would be written."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, param
from waybook.commands.setups import EDITORS
from waybook.commands.setups.model import Editor, Place, Plan, plan

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The editor."""

    editor: str = param("vscode, neovim, helix, emacs, kakoune, zed, jetbrains or sublime.", positional=True)


def run(services: Services, params: Params, _call: Call) -> Plan:
    """Raises `UsageError` for an editor that is not known."""
    return plan(editor_named(params.editor), place_of(services))


def editor_named(name: str) -> Editor:
    """The editor of this id. Raises `UsageError`."""
    found = next((editor for editor in EDITORS if editor.id == name.casefold()), None)
    if found is None:
        known = ", ".join(editor.id for editor in EDITORS)
        raise UsageError(
            f"No setup is known for {name!r}.",
            code="unknown-editor",
            hint=f"Known are {known}; any other client starts `waybook lsp` for Markdown files.",
        )
    return found


def place_of(services: Services) -> Place:
    """The person's environment; `waybook` where PATH finds it, else this very Python."""
    on_path = shutil.which("waybook", path=services.environ.get("PATH", ""))
    return Place(services.environ, ("waybook",) if on_path else (sys.executable, "-m", "waybook"))


COMMAND = Command(id="setup.show", title="Show how an editor attaches to Waybook", params=Params, run=run)
