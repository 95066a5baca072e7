"""`references.decode`: the session that a URI means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.references.uri import decode_uri

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """A `dsh-session:` URI."""

    uri: str = param("Canonical URI of a session.", positional=True)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The session's id."""

    id: str
    uri: str


def run(_services: Services, params: Params, _call: Call) -> Decoded:
    """Raises `UsageError` (SESSION_REFERENCE_INVALID_REFERENCE) for anything but a canonical URI."""
    return Decoded(decode_uri(params.uri), params.uri)


COMMAND = Command(id="references.decode", title="Tell which session a URI means", params=Params, run=run, actor="agent")
