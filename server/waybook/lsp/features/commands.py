"""A command of the registry on behalf of an editor: workspace filled in, params validated, progress, cancel."""

from __future__ import annotations

import json
import logging
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UsageError
from waybook.base.uris import uri_to_path
from waybook.commands.registry import load
from waybook.lsp.progress import reported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lsprotocol import types

    from waybook.commands.model import Command
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)


async def run_command(
    ls: Server, command_id: str, argument: Mapping[str, Any], token: types.ProgressToken | None = None
) -> Any:
    """The result record of a registry command; the whole call happens on a worker thread."""
    from waybook.base.actor import operator
    from waybook.commands.model import Call

    command = load(command_id)
    async with reported(ls, command.title, token) as progress:
        call = Call(operator(ls.app.environ), progress)

        def work() -> Any:
            return command.run(ls.app, validated(command, with_workspace(ls, command, argument)), call)

        result = await ls.work(work)
    if command.writes:
        ls.pin_changed(command_id)
    return result


def with_workspace(ls: Server, command: Command, argument: Mapping[str, Any]) -> dict[str, Any]:
    """The argument with the workspace filled in: a folder's URI becomes its path.

    Where none is named and the command needs one (`Command.needs_workspace`), the only open folder is meant; with none
    or several open `UsageError` (code workspace-needed).
    """
    filled = dict(argument)
    if "workspace" not in {item.name for item in fields(command.params)}:
        return filled
    named = filled.get("workspace")
    if isinstance(named, str) and named.startswith("file:"):
        filled["workspace"] = uri_to_path(named) or named
    elif not named and command.needs_workspace(filled):
        folders = ls.folders.all()
        if len(folders) != 1:
            raise UsageError(
                "No workspace folder is open." if not folders else "Several workspace folders are open.",
                code="workspace-needed",
                hint="Name one in the parameter workspace.",
            )
        filled["workspace"] = folders[0].root
    return filled


def validated(command: Command, argument: dict[str, Any]) -> Any:
    """The params record; raises `UsageError` (code invalid-params) for unknown names, wrong types, missing values."""
    from pydantic import TypeAdapter, ValidationError

    known = {item.name for item in fields(command.params)}
    unknown = sorted(key for key in argument if key not in known)
    if unknown:
        raise UsageError(
            f"{command.id} has no parameter {', '.join(unknown)}.",
            code="invalid-params",
            hint=f"Its parameters are: {', '.join(sorted(known))}.",
        )
    adapter: TypeAdapter[Any] = TypeAdapter(command.params)
    try:
        # As JSON, so that types are taken strictly and an array still fits a tuple.
        return adapter.validate_json(json.dumps(argument), strict=True)
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in item['loc']) or 'params'}: {item['msg']}" for item in error.errors()
        ]
        raise UsageError(
            f"The parameters of {command.id} do not fit: {'; '.join(problems)}.",
            code="invalid-params",
            hint="See docs/commands.md for the parameters.",
            problems=problems,
        ) from error


def cancel_progress(ls: Server, token: types.ProgressToken) -> None:
    """The person dismissed a progress; an unknown token is one that ended meanwhile."""
    cancel = ls.cancels.get(token)
    if cancel is not None:
        cancel()
