"""The nodes of the command tree: one spelling, and a group of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leaf:
    """One spelling: the registry's command and the function that prints its result, or its own click command.

    `custom` is `module:attribute` in `cli/`; `runs` names the registry commands such a one may call. `text` names the
    parameter that may also come from `--file PATH` (`-`: standard input); with `piped` it is read from standard input
    when it is given in no other way.
    """

    help: str
    command: str = ""
    show: str = ""
    custom: str = ""
    runs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    text: str = ""
    piped: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A group of spellings."""

    help: str
    children: dict[str, Leaf | Branch]
