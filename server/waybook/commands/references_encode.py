"""`references.encode`: the URI of a session, and a mention of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.references.mentions import format_mention
from waybook.references.uri import encode_uri

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """A session's id, which need not exist."""

    id: str = param("Session id.", positional=True)
    label: str = param("What the mention is called; the id where none is given.", default="", metavar="TEXT")


@dataclass(frozen=True, slots=True)
class Encoded:
    """The id, its one canonical URI, and a mention to paste into a prompt."""

    id: str
    uri: str
    mention: str


def run(_services: Services, params: Params, _call: Call) -> Encoded:
    """Every text is an id."""
    return Encoded(params.id, encode_uri(params.id), format_mention(params.id, params.label or None))


COMMAND = Command(id="references.encode", title="Make the URI of a session", params=Params, run=run, actor="agent")
