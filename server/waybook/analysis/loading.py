"""What the agents in use do with the files of a workspace, asked once per directory and view."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from waybook.workspace.box import Box

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.agents.model import Loaded, Loading, NotLoaded


@dataclass(frozen=True, slots=True)
class AgentContext:
    """Who is asked and from where: the home, the environment, and the agents chosen in the settings (none: by trace)."""

    home: str = "/nonexistent"
    environ: Mapping[str, str] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()


class AgentLoadings:
    """The answers of every agent in use, as they would be now for an agent started in the workspace root.

    Paths are workspace-relative. One object belongs to one view: what the disk said stays as long as the view.
    """

    def __init__(self, root: str, context: AgentContext) -> None:
        self._root = root
        self._context = context
        self._answers: dict[str, tuple[Loading, ...]] = {}

    @cached_property
    def _box(self) -> Box:
        return Box()

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The agents in use, by id; unknown names in the settings are left out. `prayu` is not among them."""
        from waybook.agents import ids
        from waybook.agents.model import Request
        from waybook.agents.traces import in_use

        request = Request(self._root, home=self._context.home)
        known = set(ids()) - {"prayu"}
        return tuple(name for name in in_use(request, self._box, self._context.chosen) if name in known)

    def towards(self, target: str) -> tuple[Loading, ...]:
        """Each agent's answer when it works on a workspace-relative target."""
        if target not in self._answers:
            from waybook.agents import explain
            from waybook.agents.model import Request

            request = Request(
                self._root,
                self._root,
                f"{self._root.rstrip('/')}/{target}" if target not in {"", "."} else None,
                self._context.home,
                env=self._context.environ,
            )
            self._answers[target] = explain(self.ids, request, self._box)
        return self._answers[target]

    def around(self, path: str) -> tuple[Loading, ...]:
        """Each agent's answer when it works beside an instruction file: on an ordinary file of the directory it governs."""
        from waybook.agents.parts.known import sample_file

        directory = governed(path)
        place = f"{self._root.rstrip('/')}/{directory}".rstrip("/")
        return self.towards(sample_file(self._box, place)[len(self._root.rstrip("/")) + 1 :])

    def verdicts(self, path: str) -> dict[str, Loaded | NotLoaded | None]:
        """By agent, what becomes of one instruction file; None where the agent does not know such files."""
        full = f"{self._root.rstrip('/')}/{path}"
        found: dict[str, Loaded | NotLoaded | None] = {}
        for loading in self.around(path):
            items: tuple[Loaded | NotLoaded, ...] = (*loading.chain, *loading.not_loaded)
            found[loading.agent] = next((item for item in items if item.abs_path == full), None)
        return found


def governed(path: str) -> str:
    """The directory an instruction file is about: its own, or the one that holds its dot folder ("" is the root)."""
    parts = path.split("/")[:-1]
    for index, part in enumerate(parts):
        if part.startswith("."):
            return "/".join(parts[:index])
    return "/".join(parts)
