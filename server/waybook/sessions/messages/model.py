"""Sessions, messages and tool receipts as they are shown and exported."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Session:
    """The message log of one session of an agent.

    `id` is Waybook's and the same before and after an import; `native_id` the agent's. `cwd` is the project it worked in.
    `messages` counts the visible messages of its own (prompts, answers, summaries, results without a call), `inherited`
    those it took over from `forked_from`; None means that its file is large and was only glimpsed at. `parent` is the session that started this one as a
    subagent. Both name native ids; `parent_missing` says that the one it was forked from is not known here.
    `size` is that of its file in bytes (0: unknown). `imported` is False for one that only lies in the agent's folder.
    """

    id: str
    agent: str
    native_id: str
    title: str
    cwd: str
    started_at: str
    updated_at: str
    messages: int | None
    prompts: int | None
    calls: int | None
    inherited: int
    branch: str
    version: str
    model: str
    parent: str
    parent_call: str
    forked_from: str
    fork_point: str
    parent_missing: bool
    path: str
    size: int = 0
    imported: bool = True


@dataclass(frozen=True, slots=True)
class Receipt:
    """A tool call with what it gave. `state`: unfinished, ok, failed or rejected; `arguments`: JSON, or the plain input of a free tool."""

    call_id: str
    name: str
    arguments: str
    output: str
    state: str
    exit_code: int | None
    started_at: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a session, in order of `seq`.

    `kind`: prompt, answer, reasoning, call, result, summary (of a compaction) or notice. `hidden`: the person went back
    behind it; `inherited`: taken over from another session; `side`: a side chain inside the file; `gap`: what it says it
    follows is not there. `receipt` belongs to calls and results.
    """

    seq: int
    key: str
    parent: str
    role: str
    kind: str
    text: str
    at: str
    side: bool = False
    hidden: bool = False
    inherited: bool = False
    gap: bool = False
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """A file that the agent would load now where the session worked.

    `changed`: it was written after the session's last message, so the session saw another text or none.
    """

    path: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session with its messages, inherited ones first, its subagents and its forks.

    `instructions` is None where they cannot be known: the project is not on this machine, or the agent is not known.
    """

    session: Session
    messages: tuple[Message, ...]
    children: tuple[Session, ...]
    forks: tuple[Session, ...]
    instructions: tuple[InstructionFile, ...] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A place where a search met: the message, and an excerpt around the first match."""

    session: Session
    seq: int
    kind: str
    at: str
    excerpt: str
