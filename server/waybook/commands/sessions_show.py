"""`sessions.show`: one session as a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.messages.model import InstructionFile, Message, Session


@dataclass(frozen=True, slots=True)
class Params:
    """The session and how it is shown."""

    session: str = param("Id of the session, or its beginning.", positional=True)
    agent: str = param("The agent it belongs to, where an id is not clear.", default="", metavar="ID")
    home: str = param("Home directory to look in instead of your own.", default="", metavar="DIR")
    markdown: bool = param("As a Markdown document.", default=False)
    html: bool = param("As one HTML page.", default=False)


@dataclass(frozen=True, slots=True)
class Shown:
    """The conversation; `text` is the document that was asked for, else empty.

    `instructions`: what the agent would load in this project now, None where that cannot be known.
    """

    session: Session
    messages: tuple[Message, ...]
    children: tuple[Session, ...]
    forks: tuple[Session, ...]
    instructions: tuple[InstructionFile, ...] | None
    text: str


def run(services: Services, params: Params, call: Call) -> Shown:
    """Raises `NotFoundError` for an unknown session and `UsageError` when several are meant."""
    if params.markdown and params.html:
        raise UsageError("Choose one of --markdown and --html.", code="usage")
    desk = services.sessions(params.home)
    found = desk.conversation(params.session, params.agent, services.environ, call.progress)
    text = ""
    if params.markdown:
        from waybook.sessions.messages.rendering.markdown import to_markdown

        text = to_markdown(found)
    elif params.html:
        from waybook.sessions.messages.rendering.html import to_html

        text = to_html(found)
    return Shown(found.session, found.messages, found.children, found.forks, found.instructions, text)


COMMAND = Command(id="sessions.show", title="Show a session as a conversation", params=Params, run=run)
