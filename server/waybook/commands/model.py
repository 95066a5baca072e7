"""What a command is: an id, parameters, a result, and one function. Faces translate; they hold no logic."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from waybook.base.cancel import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybook.base.actor import Actor
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks, how progress and cancel travel, and who is told of parts of a long result as they are made."""

    actor: Actor
    progress: Progress = field(default_factory=Progress)
    emit: Callable[[Any], None] = lambda _part: None


def always(_asked: Mapping[str, Any]) -> bool:
    """The workspace is always needed."""
    return True


def never(_asked: Mapping[str, Any]) -> bool:
    """Without a workspace the command means every one, or finds its own."""
    return False


def unless(*names: str, **values: str) -> Callable[[Mapping[str, Any]], bool]:
    """The workspace is needed unless one of these parameters is given, or has this value."""

    def needed(asked: Mapping[str, Any]) -> bool:
        return not any(asked.get(name) for name in names) and not any(
            asked.get(name) == value for name, value in values.items()
        )

    return needed


@dataclass(frozen=True, slots=True)
class Command:
    """One operation. `params` is a frozen dataclass made of `param(...)` fields; the result is a frozen record.

    `actor`: who may call it; "agent" admits operators too. `writes`: it changes the store or the user's files.
    `exit_code` tells a script 0 (fine) or 1 (findings, stale) from a result.

    `needs_workspace` tells from the parameters as they were asked, before they are validated, whether an empty
    `workspace` means the one somebody works in. A face that has no current directory, such as a language server, fills
    in the only open folder then, and refuses where it cannot know which; otherwise it leaves the parameter alone. It
    says nothing of a command without such a parameter.
    """

    id: str
    title: str
    params: type
    run: Callable[[Services, Any, Call], Any]
    actor: Literal["operator", "agent"] = "operator"
    writes: bool = False
    exit_code: Callable[[Any], int] = lambda _result: 0
    needs_workspace: Callable[[Mapping[str, Any]], bool] = always


def param(doc: str, *, default: Any = MISSING, positional: bool = False, metavar: str = "", cli: bool = True) -> Any:
    """A parameter: its manual text, its default (none: required), how the command line spells it.

    A field `expected_fingerprint` is `--expected-fingerprint`; a positional one has no option; `cli=False` hides it.
    """
    metadata = {"doc": doc, "positional": positional, "metavar": metavar, "cli": cli}
    if default is MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)
