"""`agents.explain`: what each real agent loads for a target, when, what is cut, what is left out, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.agents import explain
from waybook.agents.asking import Asked, make_request
from waybook.agents.choice import chosen_agents
from waybook.commands.model import Call, Command, param
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from waybook.agents.model import Loading, Request
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The request put to each agent. Directories are this machine's, or paths inside `root`."""

    target: str = param(
        "File or directory the agent works on; may lie outside the workspace.", default=".", positional=True
    )
    agent: tuple[str, ...] = param("Agents: ids, or `all`; by default those in use.", default=(), metavar="IDS")
    workspace: str = param("Workspace directory.", default="", metavar="DIR")
    cwd: str = param("Where the agent was started; by default the workspace.", default="", metavar="DIR")
    home: str = param("Home directory instead of your own.", default="", metavar="DIR")
    root: str = param("Directory that stands for the file system's root.", default="", metavar="DIR")
    agent_arg: tuple[str, ...] = param("An argument the agent was started with (repeat it).", default=(), metavar="ARG")


@dataclass(frozen=True, slots=True)
class AgentAnswer:
    """One agent's loading with host paths, and the tokens of what is delivered (None: not counted)."""

    loading: Loading
    tokens: int | None
    box: Box

    def to_json(self) -> dict[str, Any]:
        """The loading with `tokens`; `abs_path` is where the file lies on this machine."""
        body = self.loading.to_json()
        for item in (*body["chain"], *body["not_loaded"]):
            item["abs_path"] = self.box.host(item["abs_path"])
        return {**body, "tokens": self.tokens}


@dataclass(frozen=True, slots=True)
class AgentsExplanation:
    """Every agent's answer to one request. `tokens_encoding` names the vocabulary that counted."""

    request: Request
    workspace_found_by: str
    agents: tuple[AgentAnswer, ...]
    tokens_encoding: str
    box: Box

    def to_json(self) -> dict[str, Any]:
        """Paths as they are on this machine; `target` relative to the workspace where it lies inside."""
        request = self.request
        target = request.target or request.workspace
        inside = target.startswith(f"{request.workspace.rstrip('/')}/")
        shown = target[len(request.workspace.rstrip("/")) + 1 :] if inside else self.box.host(target)
        return {
            "workspace": self.box.host(request.workspace),
            "workspace_found_by": self.workspace_found_by,
            "target": "." if target == request.workspace else shown,
            "cwd": self.box.host(request.cwd),
            "agents": [answer.to_json() for answer in self.agents],
            "tokens_encoding": self.tokens_encoding,
        }


def run(services: Services, params: Params, call: Call) -> AgentsExplanation:
    """Raises `UsageError` for an unknown agent, `NotFoundError` for a directory that is not there."""
    asked = Asked(params.target, params.workspace, params.cwd, params.home, params.root, params.agent_arg)
    request, found_by = make_request(asked, services.cwd, services.environ)
    box = Box(request.root)
    settings = services.settings(box.host(request.workspace)).settings
    agents = chosen_agents(params.agent, request, box, settings.agents)
    loadings = explain(agents, request, box)
    call.progress.step("counting tokens")
    counter = services.tokens(box.host(request.workspace))
    answers = tuple(AgentAnswer(loading, _tokens(loading, box, counter.count), box) for loading in loadings)
    return AgentsExplanation(request, found_by, answers, settings.tokens_encoding, box)


def _tokens(loading: Loading, box: Box, count: Any) -> int | None:
    """The tokens of every delivered text together; None when any of them cannot be counted."""
    total = 0
    for item in loading.chain:
        if not item.delivered:
            continue
        tokens = count((box.read(item.abs_path) or b"")[: item.delivered].decode("utf-8", "replace"))
        if tokens is None:
            return None
        total += tokens
    return total


COMMAND = Command(
    id="agents.explain", title="Explain what each agent loads for a file", params=Params, run=run, actor="agent"
)
