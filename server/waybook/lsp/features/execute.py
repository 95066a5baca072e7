"""workspace/executeCommand: every command of the registry as `waybook.<id>`, and the editor's own; JSON in and out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UsageError
from waybook.base.records import to_json
from waybook.lsp.capabilities import COMMAND_PREFIX
from waybook.lsp.features.commands import run_command

if TYPE_CHECKING:
    from lsprotocol import types

    from waybook.lsp.language_server import Server


async def execute(ls: Server, params: types.ExecuteCommandParams) -> Any:
    """Run one command. Raises `WaybookError`, which becomes an error answer with `data.code`."""
    argument = _argument(params)
    if params.command in {"waybook.reviewDrift", "waybook.confirmDrift"}:
        from waybook.lsp.features.review import confirm_drift, review_drift

        review = review_drift if params.command == "waybook.reviewDrift" else confirm_drift
        return await review(ls, argument, params.work_done_token)
    if params.command == "waybook.expandReferences":
        from waybook.lsp.features.mentions import expand

        return await expand(ls, argument, params.work_done_token)
    return to_json(await run_command(ls, params.command.removeprefix(COMMAND_PREFIX), argument, params.work_done_token))


def _argument(params: types.ExecuteCommandParams) -> Mapping[str, Any]:
    """The one params object; none counts as an empty one, and so does `[]`, which is how Lua writes an empty object."""
    arguments = [item for item in params.arguments or [] if item not in (None, [], ())]
    if not arguments:
        return {}
    if len(arguments) > 1 or not isinstance(arguments[0], Mapping):
        raise UsageError(
            f"{params.command} takes one object with its parameters.",
            code="invalid-params",
            hint='Pass for example [{"workspace": "/path/to/workspace"}].',
        )
    return arguments[0]
