"""What the agents in use do with the files of a workspace, asked once per directory and view."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.workspace.agent_files import agent_file
from waybook.workspace.box import Box
from waybook.workspace.box_record import record, still_holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.agents.model import Loaded, Loading, NotLoaded, Profile

_PASSING = frozenset({"PWD", "OLDPWD", "SHLVL", "_"})
"""What shells change all the time and no agent's rules look at."""
_OWN_FOLDERS = frozenset({".claude", ".prayu"})
_RANK = {
    "start": 9, "lazy": 8, "cut": 7, "listed": 6, "conditional": 5, "outside": 1, "wrong_name": 0,
}  # fmt: skip
_OTHER_REASON = 4
_UNSEEN = 1
"""Of two answers about one file the one that says more counts: a reason of the file's own before "not looked at"."""
_COPY = 0.9
"""A file of which this share of the lines stands in another one is a copy of it, edited here and there."""


@dataclass(frozen=True, slots=True)
class AgentContext:
    """Who is asked and from where: the home, the environment, and the agents chosen in the settings (none: by trace)."""

    home: str = "/nonexistent"
    environ: Mapping[str, str] = field(default_factory=dict)
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one file for one agent; `item` None: the agent does not know such files.

    `started`: where the agent is started for that, workspace-relative ("" is the root).
    """

    agent: Profile
    item: Loaded | NotLoaded | None
    started: str = ""

    @property
    def reason(self) -> str:
        """Why the file does not arrive; "" where it does, or where the agent does not know it."""
        return getattr(self.item, "reason", "")

    @property
    def arrives(self) -> bool:
        """Whether text of the file reaches the model, now or for files that its condition names."""
        return self.state in {"start", "lazy", "cut", "conditional"}

    @property
    def state(self) -> str:
        """`start`, `lazy`, `listed` or `cut` for a file that arrives, else the reason; `wrong_name` for the unknown."""
        if self.item is None:
            return "wrong_name"
        if self.reason:
            return self.reason
        return "cut" if getattr(self.item, "cut_at", None) is not None else str(getattr(self.item, "when", ""))

    @property
    def rank(self) -> int:
        """How much the answer says; the highest counts."""
        return _RANK.get(self.state, _OTHER_REASON)


@dataclass(slots=True)
class _Seen:
    """One box with all that was asked of it; `lock` because views on several threads may share it."""

    box: Box = field(default_factory=Box)
    in_use: tuple[str, ...] | None = None
    answers: dict[tuple[str, str], tuple[Loading, ...]] = field(default_factory=dict)
    items: dict[tuple[str, str], list[dict[str, Loaded | NotLoaded]]] = field(default_factory=dict)
    verdicts: dict[str, tuple[Verdict, ...]] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)


class AgentMemory:
    """Hands the answers of one view on to the next as long as nothing that was looked at for them looks different."""

    def __init__(self) -> None:
        self._seen = _Seen()
        self._lock = threading.Lock()

    def seen(self) -> _Seen:
        """What is known and still holds; afresh where anything changed."""
        with self._lock:
            with self._seen.lock:
                same = self._seen.box.unchanged()
            if not same:
                self._seen = _Seen()
            return self._seen


class AgentLoadings:
    """The answers of every agent in use, as they would be now.

    Paths are workspace-relative. One object belongs to one view: what the disk said stays as long as the view.
    """

    def __init__(self, root: str, context: AgentContext, memory: AgentMemory | None = None) -> None:
        self._root = root
        self._context = context
        self._memory = memory or AgentMemory()

    @cached_property
    def _seen(self) -> _Seen:
        return self._memory.seen()

    @property
    def _in_use(self) -> tuple[str, ...]:
        seen = self._seen
        with seen.lock:
            if seen.in_use is None:
                from waybook.agents.model import Request
                from waybook.agents.traces import in_use

                request = Request(self._root, home=self._context.home)
                seen.in_use = in_use(request, seen.box, self._context.chosen)
            return seen.in_use

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The agents in use, by id; unknown names in the settings are left out. `prayu` is not among them."""
        from waybook.agents import ids

        known = set(ids()) - {"prayu"}
        return tuple(name for name in self._in_use if name in known)

    @property
    def chosen(self) -> bool:
        """Whether a person named the agents in the settings; traces may miss agents that others use."""
        return bool(self._context.chosen)

    @property
    def prayu(self) -> bool:
        """Whether the `.prayu` profile itself is in use."""
        return "prayu" in self._in_use

    def full(self, path: str) -> str:
        """The absolute path of a workspace-relative one."""
        return f"{self._root.rstrip('/')}/{path}".rstrip("/") or "/"

    def read(self, path: str) -> bytes:
        """The bytes of a workspace-relative file as the agents see it; none where it cannot be read."""
        seen = self._seen
        with seen.lock:
            return seen.box.read(self.full(path)) or b""

    def looked(self) -> dict[str, str] | None:
        """Everything the answers so far rest on, in a form that can be kept; None when that cannot be told."""
        seen = self._seen
        with seen.lock:
            found = record(seen.box)
        return None if found is None else found | {"context": self._context_digest()}

    def looks_as(self, looked: Mapping[str, str]) -> bool:
        """Whether everything that `looked` told of, perhaps in another process, is the same now."""
        facts = {key: answer for key, answer in looked.items() if key != "context"}
        return looked.get("context") == self._context_digest() and still_holds(facts)

    def _context_digest(self) -> str:
        environ = sorted(f"{key}={value}" for key, value in self._context.environ.items() if key not in _PASSING)
        return sha256_hex("\0".join([self._root, self._context.home, *self._context.chosen, "", *environ]))

    def holds(self, loading: Loading, path: str) -> bool:
        """Whether a chain has the very file of a path (after links), or nearly all of its lines in one other file."""
        seen, full = self._seen, self.full(path)
        with seen.lock:
            box = seen.box
            real, lines = box.real(full), _lines(box.text(full))
            return any(
                box.real(item.abs_path) == real or len(lines & _lines(box.text(item.abs_path))) >= _COPY * len(lines)
                for item in loading.chain
            )

    def towards(self, target: str, started: str = "") -> tuple[Loading, ...]:
        """Each agent's answer when it is started in a directory and works on a target, both workspace-relative."""
        seen, key = self._seen, (target, started)
        with seen.lock:
            if key not in seen.answers:
                from waybook.agents import explain
                from waybook.agents.model import Request

                request = Request(
                    self._root,
                    self.full(started),
                    self.full(target) if target not in {"", "."} else None,
                    self._context.home,
                    env=self._context.environ,
                )
                seen.answers[key] = explain(self.ids, request, seen.box)
            return seen.answers[key]

    def around(self, path: str) -> tuple[Loading, ...]:
        """Each agent's answer when it works beside an instruction file: on an ordinary file of the directory it governs."""
        return self.towards(self._beside(governed(path)))

    def verdicts(self, path: str) -> tuple[Verdict, ...]:
        """What becomes of one instruction file, agent by agent, started in the root.

        An agent that does not look at the file from there is asked again as started in the directory that the file is
        about; of the two answers the one that says more counts.
        """
        seen = self._seen
        with seen.lock:
            if path not in seen.verdicts:
                seen.verdicts[path] = self._verdicts(path)
            return seen.verdicts[path]

    def _verdicts(self, path: str) -> tuple[Verdict, ...]:
        directory = governed(path)
        target, full = self._beside(directory), self.full(path)
        found = self._at(target, "", full)
        if not directory or all(verdict.rank > _UNSEEN for verdict in found):
            return found
        below = self._at(target, directory, full)
        return tuple(
            second if second.rank > first.rank and first.rank <= _UNSEEN else first
            for first, second in zip(found, below, strict=True)
        )

    def chain_around(self, path: str, verdict: Verdict) -> Loading:
        """The whole answer that a verdict about a file was taken from."""
        loadings = self.towards(self._beside(governed(path)), verdict.started)
        return next(loading for loading in loadings if loading.agent == verdict.agent.id)

    def _at(self, target: str, started: str, full: str) -> tuple[Verdict, ...]:
        from waybook.agents import profile

        key, items = (target, started), self._seen.items
        if key not in items:
            items[key] = [_by_path(loading) for loading in self.towards(target, started)]
        return tuple(
            Verdict(profile(agent), found.get(full), started) for agent, found in zip(self.ids, items[key], strict=True)
        )

    def _beside(self, directory: str) -> str:
        from waybook.agents.parts.known import sample_file

        seen = self._seen
        with seen.lock:
            return sample_file(seen.box, self.full(directory))[len(self._root.rstrip("/")) + 1 :]


def _lines(text: str | None) -> frozenset[str]:
    return frozenset(line.strip() for line in (text or "").splitlines()) - {""}


def _by_path(loading: Loading) -> dict[str, Loaded | NotLoaded]:
    items: dict[str, Loaded | NotLoaded] = {item.abs_path: item for item in loading.not_loaded}
    return items | {item.abs_path: item for item in loading.chain}


def governed(path: str) -> str:
    """The directory an instruction file is about: its own, or the one that holds an agent's folder ("" is the root)."""
    own = agent_file(path)
    if own is not None:
        return own.owner
    parts = path.split("/")[:-1]
    for index, part in enumerate(parts):
        if part == ".prayu" or (part in _OWN_FOLDERS and index == len(parts) - 1):
            return "/".join(parts[:index])
    return "/".join(parts)
