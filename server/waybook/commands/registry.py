"""The list of commands. Modules load on first use, so that a quick command never pays for a slow one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError

if TYPE_CHECKING:
    from waybook.commands.model import Command

COMMANDS: tuple[str, ...] = (
    "instructions.explain",
    "instructions.check",
    "instructions.pin",
    "instructions.drift",
    "instructions.inspect",
    "instructions.confirm",
    "agents.list",
    "agents.explain",
    "agents.matrix",
    "runs.create",
    "runs.list",
    "runs.show",
    "runs.move",
    "runs.record",
    "threads.create",
    "threads.list",
    "threads.show",
    "threads.close",
    "threads.compact",
    "notes.add",
    "notes.list",
    "notes.show",
    "notes.edit",
    "notes.archive",
    "candidates.list",
    "candidates.show",
    "candidates.confirm",
    "candidates.reject",
    "pins.list",
    "pins.add",
    "pins.edit",
    "pins.remove",
    "pins.propose",
    "pins.proposals",
    "pins.answer",
    "sessions.scan",
    "sessions.import",
    "sessions.list",
    "sessions.show",
    "sessions.search",
    "sessions.export",
    "workspaces.list",
    "doctor",
    "setup.show",
    "setup.write",
    "memory.create",
    "memory.list",
    "memory.show",
    "memory.edit",
    "memory.enable",
    "memory.disable",
    "memory.delete",
    "memory.search",
    "memory.export",
    "memory.import",
    "memory.read_document",
    "memory.save_document",
    "history.search",
    "history.read",
    "specialist_result.list",
    "specialist_result.read",
    "sessions.checkpoint",
    "sessions.tree",
    "sessions.fork",
    "sessions.resume",
    "sessions.compare",
    "sessions.handoff",
    "context.preview",
    "context.audit",
    "context.run",
    "goals.list",
    "goals.add",
    "goals.focus",
    "goals.done",
    "goals.abandon",
    "tasks.show",
    "references.encode",
    "references.decode",
    "references.parse",
    "references.prepare",
    "references.candidates",
)
"""Every command id; the module of `runs.create` is `runs_create.py` beside this file, its `COMMAND` has the same id."""


def load(command_id: str) -> Command:
    """The command of this id; raises `NotFoundError` for an unknown one."""
    if command_id not in COMMANDS:
        raise NotFoundError(
            f"There is no command {command_id!r}.", code="unknown-command", hint="See `waybook --help`."
        )
    command: Command = import_module(f"waybook.commands.{command_id.replace('.', '_')}").COMMAND
    return command
