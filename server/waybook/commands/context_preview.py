"""`context.preview`: what would the model see now, section by section, in order of authority."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, param, unless

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.context.gather import Aim
    from waybook.context.preview import Preview
    from waybook.sessions.messages.model import Conversation


@dataclass(frozen=True, slots=True)
class Params:
    """Whose call: a thread's, a run's, a session's, or one about a target of a workspace."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    thread: str = param("The thread.", default="", metavar="ID")
    run: str = param("The run.", default="", metavar="ID")
    session: str = param("The session of a real agent, kept or not.", default="", metavar="ID")
    target: str = param("The file or directory that is worked on.", default="", metavar="PATH")
    window: int = param("Tokens of the model's window; 0: the setting.", default=0, metavar="N")
    markdown: bool = param("As a Markdown document.", default=False)
    exclude: tuple[str, ...] = param("A memory or note to leave out, by id.", default=(), metavar="ID")


def run(services: Services, params: Params, call: Call) -> Preview:
    """Raises `UsageError`, `NotFoundError`, and `RefusedError` with sizes when the required parts do not fit."""
    from waybook.context.preview import preview, to_markdown

    if sum(map(bool, (params.thread, params.run, params.session))) > 1:
        raise UsageError(
            "Name one of thread, run and session.", code="usage", hint="A thread's newest run is found by itself."
        )
    aim, conversation = _aim(services, params, call)
    found = services.gatherer().everything(aim, conversation)
    policy = services.context_policy(aim.root, window=params.window)
    shown = preview(found, policy, services.sizes(aim.root), frozenset(params.exclude))
    return replace(shown, text=to_markdown(shown)) if params.markdown else shown


def _aim(services: Services, params: Params, call: Call) -> tuple[Aim, Conversation | None]:
    from waybook.context.gather import Aim

    if params.session:
        found = services.sessions().conversation(params.session, "", services.environ, call.progress)
        root = _session_root(services, params.workspace, found.session.cwd)
        return Aim(root, ".", session_id=found.session.id), found
    if params.run:
        known = services.runs().show_run(params.run)
        return Aim(services.runs().workspace(known.workspace_id).root, known.target, run_id=known.id), None
    if params.thread:
        thread, _ = services.threads().show(params.thread)
        return Aim(services.runs().workspace(thread.workspace_id).root, params.target or ".", params.thread), None
    located, target = services.aim(params.target, params.workspace)
    return Aim(located.root, target), None


def _session_root(services: Services, workspace: str, cwd: str) -> str:
    """Where a session worked; "" when that place is not on this machine."""
    from waybook.base.errors import NotFoundError

    try:
        return services.locate(workspace or cwd).root if workspace or cwd else ""
    except NotFoundError:
        if workspace:
            raise
        return ""


COMMAND = Command(
    id="context.preview",
    title="Preview what a model would see",
    params=Params,
    run=run,
    actor="agent",
    needs_workspace=unless("thread", "run", "session"),
)
