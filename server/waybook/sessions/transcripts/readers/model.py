"""What a reader is: where an agent keeps its transcripts, and how its records become facts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from waybook.sessions.transcripts.model import Fact, Source


@dataclass(frozen=True, slots=True)
class Places:
    """A person's home directory and the variables by which agents are told to look elsewhere."""

    home: str
    environ: Mapping[str, str] = field(default_factory=dict)

    def folder(self, variable: str, *default: str) -> str:
        """The folder that a variable names, else one below the home directory."""
        named = self.environ.get(variable, "") if variable else ""
        return os.path.abspath(os.path.expanduser(named)) if named else os.path.join(self.home, *default)


class Feed(Protocol):
    """Reads one append-only log, record by record. Made from the state that an earlier one left."""

    def feed(self, record: dict[str, Any], line: int) -> Iterable[Fact]:
        """The facts of one record; `line` is its line number, counted from 1."""
        ...

    def state(self) -> dict[str, Any]:
        """What a later feed must know to go on from here, as JSON. Empty when it needs nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """One format of one agent: either a log of records (`log`), or a document read as a whole (`document`).

    `names_only`: tells names of sessions that another format of the agent holds.

    `find` yields the transcripts below a person's places; it opens no transcript. A document reader gets what it
    left in its state last time and may change it; it raises `OSError` for what cannot be read and yields `Damage` for
    what can be read in part.
    """

    agent: str
    find: Callable[[Places], Iterator[Source]]
    log: Callable[[Source, dict[str, Any]], Feed] | None = None
    document: Callable[[Source, dict[str, Any]], Iterator[Fact]] | None = None
    names_only: bool = False
