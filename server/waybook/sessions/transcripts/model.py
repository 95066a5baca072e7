"""What a transcript says, as facts in the order of the file; and where transcripts lie.

A reader turns an agent's records into facts; `store.py` and `memory.py` apply the same facts to the database and to plain
objects. Applying a fact twice changes nothing, so a file may be read again at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["user", "assistant", "system", "tool"]
Kind = Literal["prompt", "answer", "reasoning", "call", "result", "summary", "notice"]
State = Literal["unfinished", "ok", "failed", "rejected"]

COUNTED: tuple[Kind, ...] = ("prompt", "answer", "summary", "result")
"""The kinds that count as messages; calls are counted by themselves, thoughts and notices not at all."""

TITLE_FIRST_PROMPT, TITLE_MADE, TITLE_AGENT, TITLE_CUSTOM = 1, 2, 3, 4
"""Ranks of titles: a person's own beats a name of the agent, that a made one, that the first prompt."""


@dataclass(frozen=True, slots=True)
class About:
    """Facts about a session; empty ones are unknown and leave what is known.

    `parent` is the session (native id) whose call `parent_call` started this one as a subagent. `forked_from` names the
    session whose history this one took over; `fork_point` says up to which record, where nothing was copied.
    `only_known`: passed over unless something else tells of the session.
    """

    session: str
    title: str = ""
    title_rank: int = 0
    cwd: str = ""
    branch: str = ""
    version: str = ""
    model: str = ""
    at: str = ""
    parent: str = ""
    parent_call: str = ""
    forked_from: str = ""
    fork_point: str = ""
    only_known: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a conversation. `key` is unique in its session and the same in every reading of the same record.

    `parent`: the key of the message before it, where the format says so. `side`: an older in-file side chain.
    `replaces`: a later record of the same key brings its newer text.
    """

    session: str
    key: str
    role: Role
    kind: Kind
    text: str
    at: str = ""
    parent: str = ""
    side: bool = False
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the assistant: a node of kind `call` and an open receipt. `arguments` is JSON text."""

    session: str
    key: str
    call_id: str
    name: str
    arguments: str
    at: str = ""
    parent: str = ""
    side: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave. One whose call was never seen becomes a node of kind `result`, so that it is not lost."""

    session: str
    key: str
    call_id: str
    output: str
    state: State
    exit_code: int | None = None
    at: str = ""
    name: str = ""


def orphan_key(result: Result) -> str:
    """The key of the node of a result without a call: one record may hold several results, and words."""
    return f"{result.key}/{result.call_id}"


@dataclass(frozen=True, slots=True)
class Rewind:
    """The person went back: the message of this key and all after it are kept, hidden."""

    session: str
    key: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A record of a type that this reader does not know."""

    type: str


@dataclass(frozen=True, slots=True)
class Damage:
    """Something in a file that could not be read. `line` counts from 1; 0 means the file as a whole."""

    line: int
    code: str
    message: str


Fact = About | Message | Call | Result | Rewind | Unknown | Damage


@dataclass(frozen=True, slots=True)
class Source:
    """One transcript file (or database, or folder) that was found.

    `session` is the native id where the place tells it, `parent` that of the session a subagent's file belongs to.
    `files` are the files whose bytes it consists of; `path` is the first of them or what stands for them all.
    """

    agent: str
    path: str
    session: str = ""
    parent: str = ""
    files: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The files to look at for a change."""
        return self.files or (self.path,)
