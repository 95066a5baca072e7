"""What an editor needs to be told, and what of it can be written for the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from waybook.base.canonical import digest
from waybook.base.errors import NotFoundError, RefusedError
from waybook.workspace.config_file import read_config

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

State = Literal["new", "append", "present", "by hand"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are for this person: the environment, and the program and arguments that start Waybook."""

    environ: Mapping[str, str]
    program: tuple[str, ...]

    @property
    def home(self) -> str:
        """The home directory; raises `NotFoundError` without one."""
        home = self.environ.get("HOME") or self.environ.get("USERPROFILE")
        if not home:
            raise NotFoundError("Your home directory is not known.", code="no-home", hint="Set HOME.")
        return home

    @property
    def config(self) -> str:
        """XDG_CONFIG_HOME, or its default."""
        return self.environ.get("XDG_CONFIG_HOME") or f"{self.home}/.config"

    @property
    def plain(self) -> bool:
        """Whether `waybook` is found on PATH, as editors look for it."""
        return self.program == ("waybook",)


@dataclass(frozen=True, slots=True)
class Editor:
    """`steps` are what a person does; `addition` is what the file must say; `clash` tells why it cannot be appended.

    Without `file` nothing can be written. `programs`: names on PATH that show that the editor is there.
    """

    id: str
    title: str
    programs: tuple[str, ...]
    tried: str
    steps: Callable[[Place], Sequence[str]]
    addition: Callable[[Place], str]
    file: Callable[[Place], str] | None = None
    clash: Callable[[str], str] = lambda _text: ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do for one editor.

    `state`: the file is made (`new`), added to (`append`), says it already (`present`), or a person has to do it
    (`by hand`, with the `reason`). `fingerprint` binds a later write to exactly this plan. `tried` says with what the
    setup was tried, or that it was not.
    """

    editor: str
    title: str
    tried: str
    steps: tuple[str, ...]
    file: str
    addition: str
    state: State
    reason: str
    fingerprint: str


def plan(editor: Editor, place: Place) -> Plan:
    """Look at the editor's file; nothing is changed."""
    path = editor.file(place) if editor.file else ""
    addition = editor.addition(place)
    text, state, reason = _state(editor, path)
    return Plan(
        editor=editor.id,
        title=editor.title,
        tried=editor.tried,
        steps=tuple(editor.steps(place)),
        file=path,
        addition=addition,
        state=state,
        reason=reason,
        fingerprint=digest([path, text, addition, state]),
    )


def _state(editor: Editor, path: str) -> tuple[str | None, State, str]:
    if not path:
        return None, "by hand", "This editor keeps its configuration where no program should write."
    try:
        text = read_config(path)
    except RefusedError as error:
        return None, "by hand", error.message
    if text is None:
        return None, "new", ""
    if "waybook" in text:
        return text, "present", ""
    clash = editor.clash(text)
    return (text, "by hand", clash) if clash else (text, "append", "")
