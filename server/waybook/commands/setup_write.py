"""`setup.write`: add to an editor's configuration exactly what was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import ConflictError, RefusedError
from waybook.commands.model import Call, Command, param
from waybook.commands.setup_show import editor_named, place_of
from waybook.commands.setups.model import Plan, plan
from waybook.workspace.config_file import add_to_config, read_config

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The editor, and the fingerprint of the plan that was read."""

    editor: str = param("The editor.", positional=True)
    fingerprint: str = param("The fingerprint of what `setup.show` said.", metavar="SHA256")


@dataclass(frozen=True, slots=True)
class Done:
    """`file` was made or added to; it says what `addition` is."""

    editor: str
    file: str
    addition: str


def run(services: Services, params: Params, call: Call) -> Done:
    """Nothing is ever replaced. Raises `ConflictError` when the plan is another by now, `RefusedError` by hand."""
    call.actor.require_operator("write an editor's configuration")
    found = plan(editor_named(params.editor), place_of(services))
    if found.fingerprint != params.fingerprint:
        raise ConflictError(
            f"What would be written for {found.title} has changed; nothing was written.",
            path=found.file or None,
            hint=f"Look again: waybook setup {found.editor}.",
        )
    require_writable(found)
    add_to_config(found.file, read_config(found.file), found.addition)
    return Done(found.editor, found.file, found.addition)


def require_writable(found: Plan) -> None:
    """Raises `RefusedError` for a plan that a person has to carry out, or that is carried out."""
    if found.state == "present":
        raise RefusedError(f"{found.file} names Waybook already; nothing was written.", code="present", path=found.file)
    if found.state == "by hand":
        raise RefusedError(
            f"For {found.title} nothing can be written: {found.reason}",
            code="by-hand",
            path=found.file or None,
            hint=f"Follow the steps of `waybook setup {found.editor}`.",
        )


COMMAND = Command(
    id="setup.write", title="Add Waybook to an editor's configuration", params=Params, run=run, writes=True
)
