"""What a command is: an id, parameters, a result, and one function. Faces translate; they hold no logic."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from waybook.base.cancel import Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.base.actor import Actor
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks, how progress and cancel travel, and who is told of parts of a long result as they are made."""

    actor: Actor
    progress: Progress = field(default_factory=Progress)
    emit: Callable[[Any], None] = lambda _part: None


@dataclass(frozen=True, slots=True)
class Command:
    """One operation. `params` is a frozen dataclass made of `param(...)` fields; the result is a frozen record.

    `actor`: who may call it; "agent" admits operators too. `writes`: it changes the store or the user's files.
    `exit_code` tells a script 0 (fine) or 1 (findings, stale) from a result.
    """

    id: str
    title: str
    params: type
    run: Callable[[Services, Any, Call], Any]
    actor: Literal["operator", "agent"] = "operator"
    writes: bool = False
    exit_code: Callable[[Any], int] = lambda _result: 0


def param(doc: str, *, default: Any = MISSING, positional: bool = False, metavar: str = "", cli: bool = True) -> Any:
    """A parameter: its manual text, its default (none: required), how the command line spells it.

    A field `expected_fingerprint` is `--expected-fingerprint`; a positional one has no option; `cli=False` hides it.
    """
    metadata = {"doc": doc, "positional": positional, "metavar": metavar, "cli": cli}
    if default is MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)
