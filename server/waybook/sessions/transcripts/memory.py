"""Facts applied to plain objects: sessions as they would be kept, without keeping them.

`list` and `show` use it for sessions that were never imported, so that a person sees them on a fresh machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from waybook.sessions.messages.model import Message as Shown
from waybook.sessions.messages.model import Receipt, Session
from waybook.sessions.transcripts import reading
from waybook.sessions.transcripts.forks import Node, copied, digest, session_id
from waybook.sessions.transcripts.model import COUNTED, About, Call, Fact, Message, Result, Rewind, orphan_key
from waybook.sessions.transcripts.repository import merge_title
from waybook.sessions.transcripts.state import FileState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from waybook.sessions.transcripts.model import Source
    from waybook.sessions.transcripts.readers.model import Format


@dataclass(slots=True)
class Draft:
    """One session; `nodes` and `receipts` in the order they were first told."""

    agent: str
    native_id: str
    path: str
    size: int
    counted: bool = True
    about: dict[str, Any] = field(default_factory=dict)
    nodes: dict[str, Shown] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)

    def messages(self) -> list[Shown]:
        """The nodes with their receipts."""
        owner = {key: call for call, key in self.calls.items()}
        return [
            replace(node, receipt=self.receipts[owner[key]]) if key in owner else node
            for key, node in self.nodes.items()
        ]


class Shelf:
    """The sessions of any number of sources. `light`: only digests of what was said are held, enough to count and link."""

    def __init__(self, mask: Callable[[str], str], *, light: bool = False) -> None:
        self._mask = mask
        self._light = light
        self.drafts: dict[tuple[str, str], Draft] = {}

    def read(self, form: Format, source: Source) -> None:
        """Add what a source says. Raises `OSError` when it cannot be read."""
        start = reading.plan(source, form, None, FileState(source.path, source.agent)).start
        for batch in reading.batches(source, form, start, self._mask, light=self._light):
            facts = map(_light, batch.facts) if self._light else batch.facts
            self.apply(source.agent, source.path, start.size, facts)

    def glimpse(self, form: Format, source: Source) -> None:
        """Add what a look at both ends of a large log tells; its messages stay uncounted."""
        size = reading.plan(source, form, None, FileState(source.path, source.agent)).start.size
        self.apply(source.agent, source.path, size, map(_light, reading.glimpse(source, form, self._mask)))
        for draft in self.drafts.values():
            draft.counted = draft.counted and draft.path != source.path

    def apply(self, agent: str, path: str, size: int, facts: Iterable[Fact]) -> None:
        """Add facts; what they mean is said in `model.py`."""
        for fact in facts:
            if not isinstance(fact, About | Message | Call | Result | Rewind):
                continue
            draft = self.drafts.get((agent, fact.session))
            if draft is None and isinstance(fact, About) and fact.only_known:
                continue
            if draft is None:
                draft = self.drafts[agent, fact.session] = Draft(agent, fact.session, path, size)
            match fact:
                case About():
                    _about(draft, fact)
                case Rewind():
                    _rewind(draft, fact.key)
                case Result():
                    _result(draft, fact)
                case _:
                    if not draft.nodes:
                        draft.path, draft.size = path, size
                    _node(draft, fact)

    def sessions(self) -> tuple[Session, ...]:
        """Every session, with forks linked."""
        return tuple(self._session(draft) for draft in self.drafts.values())

    def messages(self, agent: str, native_id: str) -> list[Shown]:
        """The messages of a session, with those marked that it took over."""
        draft = self.drafts[agent, native_id]
        shared = self._shared(draft)
        return [replace(node, inherited=True) if node.key in shared else node for node in draft.messages()]

    def _shared(self, draft: Draft) -> set[str]:
        parent = self.drafts.get((draft.agent, draft.about.get("forked_from", "")))
        if parent is None or parent is draft or draft.about.get("fork_point"):
            return set()
        return copied(_plain(draft), _plain(parent))

    def _session(self, draft: Draft) -> Session:
        shared = self._shared(draft)
        own = [node for node in draft.nodes.values() if node.key not in shared]
        seen = [node for node in own if not node.hidden]
        times = sorted(node.at for node in own if node.at) or [draft.about.get("at", "")]
        about = {name: draft.about.get(name, "") for name in _ABOUT}
        return Session(
            id=session_id(draft.agent, draft.native_id),
            agent=draft.agent,
            native_id=draft.native_id,
            title=draft.about.get("title", ""),
            started_at=times[0],
            updated_at=times[-1],
            messages=sum(node.kind in COUNTED for node in seen) if draft.counted else None,
            prompts=sum(node.kind == "prompt" for node in seen) if draft.counted else None,
            calls=sum(node.kind == "call" for node in seen) if draft.counted else None,
            inherited=sum(node.kind in COUNTED for node in draft.nodes.values() if node.key in shared),
            parent_missing=bool(about["forked_from"]) and (draft.agent, about["forked_from"]) not in self.drafts,
            path=draft.path,
            size=draft.size,
            imported=False,
            **about,
        )


_ABOUT = ("cwd", "branch", "version", "model", "parent", "parent_call", "forked_from", "fork_point")


def _light(fact: Fact) -> Fact:
    match fact:
        case Message():
            return replace(fact, text=digest(fact.text).hex() if fact.text else "")
        case Call():
            return replace(fact, arguments="")
        case Result():
            return replace(fact, output="")
        case _:
            return fact


def _about(draft: Draft, fact: About) -> None:
    known = draft.about
    if fact.title and merge_title(known.get("title_rank", 0), fact.title_rank):
        known["title"], known["title_rank"] = fact.title, fact.title_rank
    for name in ("cwd", "branch", "parent", "parent_call", "forked_from", "fork_point", "at"):
        if getattr(fact, name):
            known.setdefault(name, getattr(fact, name))
    for name in ("version", "model"):
        if getattr(fact, name):
            known[name] = getattr(fact, name)


def _node(draft: Draft, fact: Message | Call) -> None:
    known = draft.nodes.get(fact.key)
    seq = len(draft.nodes) + 1
    if isinstance(fact, Call):
        if known is None:
            shown = Shown(seq, fact.key, fact.parent, "assistant", "call", "", fact.at, side=fact.side)
            draft.nodes[fact.key] = shown
        _call(draft, fact)
    elif known is None:
        shown = Shown(seq, fact.key, fact.parent, fact.role, fact.kind, fact.text, fact.at, side=fact.side)
        draft.nodes[fact.key] = shown
    elif fact.replaces and fact.text:
        draft.nodes[fact.key] = replace(known, text=fact.text, kind=fact.kind, role=fact.role)


def _call(draft: Draft, fact: Call) -> None:
    old = draft.receipts.get(fact.call_id)
    if old is None:
        draft.calls[fact.call_id] = fact.key
        draft.receipts[fact.call_id] = Receipt(
            fact.call_id, fact.name, fact.arguments, "", "unfinished", None, fact.at, ""
        )
    elif old.state == "unfinished":
        draft.receipts[fact.call_id] = replace(
            old, name=fact.name or old.name, arguments=fact.arguments or old.arguments
        )


def _result(draft: Draft, fact: Result) -> None:
    old = draft.receipts.get(fact.call_id)
    if old is None:
        key = orphan_key(fact)
        draft.nodes[key] = Shown(len(draft.nodes) + 1, key, "", "tool", "result", "", fact.at)
        draft.calls[fact.call_id] = key
        old = Receipt(fact.call_id, fact.name, "", "", "unfinished", None, "", "")
    if old.state == "unfinished" or (fact.state != "unfinished" and not old.output and fact.output):
        draft.receipts[fact.call_id] = replace(
            old, output=fact.output, state=fact.state, exit_code=fact.exit_code, finished_at=fact.at
        )


def _rewind(draft: Draft, key: str) -> None:
    first = draft.nodes.get(key)
    if first is None:
        return
    for node in list(draft.nodes.values()):
        if node.seq >= first.seq:
            draft.nodes[node.key] = replace(node, hidden=True)


def _plain(draft: Draft) -> list[Node]:
    return [Node(node.key, node.kind, digest(node.text), node.hidden) for node in draft.nodes.values()]
