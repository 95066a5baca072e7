"""`context.run`: the reference runner: work on a goal with any endpoint that speaks the OpenAI protocol."""

from __future__ import annotations

import posixpath
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError, UsageError
from waybook.commands.model import Call, Command, param
from waybook.context.limits import MAX_SKILL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.base.actor import Actor
    from waybook.commands.services import Services
    from waybook.context.gather import Aim
    from waybook.context.injection import Skill
    from waybook.tasks.runner.client import Asker
    from waybook.tasks.runner.desk import Desk
    from waybook.tasks.runner.options import Outcome


@dataclass(frozen=True, slots=True)
class Params:
    """A new root task, or one to go on with. The key comes from WAYBOOK_RUN_API_KEY alone, never from a parameter."""

    model: str = param("The model.", metavar="NAME")
    goal: str = param("What is to be reached; with --trace: what to do next.", metavar="TEXT")
    endpoint: str = param("Base URL: https, or http on this machine. Empty: OpenAI's own.", default="", metavar="URL")
    criterion: tuple[str, ...] = param("When it is reached; may be given several times.", default=(), metavar="TEXT")
    constraint: tuple[str, ...] = param("What always holds; may be given several times.", default=(), metavar="TEXT")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    thread: str = param("The thread that the new run belongs to.", default="", metavar="ID")
    trace: str = param("Go on with this root task instead.", default="", metavar="ID")
    rewind: int = param("Go back to this message of the trace first; 0: do not.", default=0, metavar="N")
    skill: tuple[str, ...] = param(
        "A Markdown file of the workspace, given as a skill; may be given several times.", default=(), metavar="PATH"
    )
    window: int = param("Tokens of the model's window; 0: the setting.", default=0, metavar="N")
    max_calls: int = param("At most this many model calls, children's included.", default=64, metavar="N")
    timeout: int = param("At most this many seconds in all.", default=900, metavar="SECONDS")
    no_validation: bool = param("Ask no validator.", default=False)


def run(services: Services, params: Params, call: Call) -> Outcome:
    """Raises `UsageError`, `RefusedError`, `UnavailableError`, `CancelledError`; what was done until then is kept."""
    from waybook.tasks.runner.client import OpenAiAsker
    from waybook.tasks.runner.runner import Runner

    call.actor.require_operator("run a task")
    if params.rewind and not params.trace:
        raise UsageError("Only a trace can be gone back in.", code="usage", hint="Name it with --trace.")
    with closing(OpenAiAsker(params.endpoint, services.environ)) as asker:
        desk = _desk(services, params, call, asker)
        runner = Runner(desk)
        with _running(services, desk.aim.run_id, call.actor):
            if params.trace:
                return runner.go_on(params.trace, params.goal, rewind=params.rewind)
            criteria = params.criterion or ("The goal is reached.",)
            anchor = {"objective": params.goal, "completion_criteria": criteria, "constraints": params.constraint}
            return runner.start(anchor)


@contextmanager
def _running(services: Services, run_id: str, actor: Actor) -> Iterator[None]:
    """The run is running meanwhile, then completed; paused when something ended it early. One that ended stays so."""
    from waybook.sessions.model import RunState

    open_states = {RunState.CREATED, RunState.PAUSED}
    if not run_id or services.runs().show_run(run_id).state not in open_states:
        yield
        return
    progress = services.progress()
    progress.move(run_id, RunState.RUNNING, actor)
    try:
        yield
    except BaseException:
        progress.move(run_id, RunState.PAUSED, actor)
        raise
    progress.move(run_id, RunState.COMPLETED, actor)


def _aim(services: Services, params: Params, call: Call) -> tuple[Aim, tuple[Skill, ...]]:
    """A new run, pinned to the instructions as they are now, or that of the trace; and the skills of its workspace."""
    from waybook.context.gather import Aim

    if params.trace:
        record = services.contexts().record(params.trace)
        if not record.run_id:
            root = services.locate(params.workspace).root
            return Aim(root, thread_id=record.thread_id), _skills(root, params.skill)
        run = services.runs().show_run(record.run_id)
        root = services.runs().workspace(run.workspace_id).root
        return Aim(root, run.target, record.thread_id, run.id), _skills(root, params.skill)
    root = services.locate(params.workspace).root
    skills = _skills(root, params.skill)
    snapshot = services.discover(root, ".")
    made = services.runs().create_run(root, params.goal, "task", ".", snapshot, call.actor, thread=params.thread)
    return Aim(root, ".", params.thread, made.id), skills


def _desk(services: Services, params: Params, call: Call, asker: Asker) -> Desk:
    from waybook.base.actor import Actor
    from waybook.recall.pages import Wish
    from waybook.tasks.runner.desk import Desk
    from waybook.tasks.runner.options import Budget, Options

    aim, skills = _aim(services, params, call)
    agent = Actor("agent", f"runner:{params.model}")
    recall, proposals, gatherer = services.recall(), services.proposals(), services.gatherer()
    return Desk(
        contexts=services.contexts(),
        tasks=services.tasks(),
        sizes=services.sizes(aim.root),
        asker=asker,
        options=Options(
            model=params.model,
            policy=services.context_policy(aim.root, window=params.window),
            skills=skills,
            inject=tuple(skill.name for skill in skills),
            validate=not params.no_validation,
        ),
        budget=Budget(params.max_calls, params.timeout),
        actor=agent,
        progress=call.progress,
        aim=aim,
        now=lambda: timestamp(services.clock.now()),
        new_id=services.ids.new,
        background=gatherer.background,
        search=lambda run_id, query, cursor: recall.search(run_id, query, cursor=cursor),
        read=lambda run_id, handle, offset, sha: recall.read(run_id, handle, Wish(offset=offset, content_sha256=sha)),
        propose=lambda run_id, text: proposals.propose(text, agent, run_id=run_id),
        emit=call.emit,
    )


def _skills(root: str, paths: tuple[str, ...]) -> tuple[Skill, ...]:
    """Skills from files of the workspace, read as instruction files are: no links, nothing outside."""
    from waybook.context.injection import parse_skill
    from waybook.workspace.guard import Guard

    found = []
    with Guard(root) as guard:
        for path in paths:
            clean = posixpath.normpath(path)
            if clean.startswith(("/", "..")):
                raise UsageError(f"{path} lies outside the workspace.", code="outside-workspace", path=path)
            folder, _, name = clean.rpartition("/")
            data = guard.read(folder, name, 4 * MAX_SKILL)
            if data is None:
                raise NotFoundError(f"There is no file {path}.", code="no-file", path=path)
            found.append(parse_skill(name.removesuffix(".md"), data.decode("utf-8", "replace")))
    return tuple(found)


COMMAND = Command(
    id="context.run",
    title="Run a task with the reference runner",
    params=Params,
    run=run,
    writes=True,
    exit_code=lambda outcome: int(outcome.validation.verdict == "failed"),
)
