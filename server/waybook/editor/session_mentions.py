"""Mentions of sessions in a prompt: what can be mentioned, what a mention means, where it leads, the prompt in full.

These answers are about any Markdown or prompt text, not only about instruction files: they take the text itself, and
functions that know the sessions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.base.text import Span
from waybook.editor.answers import Action, Completion, Hover
from waybook.editor.wording import number
from waybook.references.candidates import label_of, visible
from waybook.references.mentions import mentions
from waybook.references.model import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from waybook.references.candidates import Candidate
    from waybook.references.mentions import Mention
    from waybook.references.model import SessionRecord

    Offer = Callable[[str], Sequence[Candidate]]
    Find = Callable[[str], SessionRecord | None]

EXPAND = "waybook.expandReferences"
"""The editor's own command that prepares a document's prompt and shows it."""
PROMPT_FILES = (".md", ".markdown", ".mdx", ".mdc", ".prompt")
_WRITTEN = re.compile(r"(?:^|[^\w@\\])@(?:\[([^\]\n]*)|([^\s@\[\]()]*))$")
_LONGEST = 256
"""Characters of a line before the cursor that are looked at."""


@dataclass(frozen=True, slots=True)
class SessionLink:
    """A mention whose session was read from a file: `path` is absolute and may lie outside the workspace."""

    span: Span
    path: str
    tooltip: str


def is_prompt(path: str) -> bool:
    """Whether a file is one in which people write prompts."""
    return path.lower().endswith(PROMPT_FILES)


def session_completions(text: str, offset: int, offer: Offer) -> list[Completion]:
    """Sessions to mention after `@` or `@[`; each replaces what was written from the `@` on.

    `offer` gives the candidates for the words written so far, best first.
    """
    start = max(text.rfind("\n", 0, offset) + 1, offset - _LONGEST)
    written = _WRITTEN.search(text[start:offset])
    if written is None:
        return []
    words = written[1] if written[1] is not None else written[2]
    begin = offset - len(words) - (2 if written[1] is not None else 1)
    span = Span(begin, offset)
    return [Completion(item.label, span, item.mention, "value", _about(item)) for item in offer(words)]


def _about(item: Candidate) -> str:
    place = "this directory" if item.same_cwd else item.cwd
    return ", ".join(filter(None, (item.agent, item.updated_at[:10], place)))


def mention_at(text: str, offset: int) -> Mention | None:
    """The mention under an offset; its end counts as inside."""
    return next((item for item in mentions(text) if item.span.start <= offset <= item.span.end), None)


def session_hover(text: str, offset: int, find: Find) -> Hover | None:
    """What the mention under an offset means; None where there is none."""
    mention = mention_at(text, offset)
    if mention is None:
        return None
    try:
        session_id = mention.reference().session_id
    except UsageError as error:
        return Hover(f"**Not a session**\n\n{_code(error.message)}\n\n{error.hint}", mention.span)
    record = find(session_id)
    if record is None:
        return Hover(
            f"**Session {_code(session_id)} is not there**\n\nIt was deleted or never imported. A prompt that mentions "
            "it cannot be prepared.",
            mention.span,
        )
    return Hover("\n".join(_lines(record)), mention.span)


def _lines(record: SessionRecord) -> Iterator[str]:
    yield f"**Session {_code(label_of(record))}**"
    yield ""
    if record.updated_at:
        yield f"- last used {record.updated_at[:10]} {record.updated_at[11:16]} UTC"
    if record.agent:
        yield f"- agent {_code(record.agent)}"
    size = "" if record.size is None else f", {number(record.size)} bytes of text"
    yield f"- {number(record.messages)} messages{size}"
    if record.cwd:
        yield f"- in {_code(record.cwd)}"
    yield f"- id {_code(record.id)}"
    if record.size is not None and record.size > MAX_BYTES:
        yield ""
        yield f"A prompt takes in the latest summary and the newest messages, {number(MAX_BYTES)} bytes in all."


def _code(text: str) -> str:
    """Foreign text as a code span that it cannot leave."""
    return f"`{visible(text).replace('`', chr(39)) or ' '}`"


def session_links(text: str, find: Find) -> Iterator[SessionLink]:
    """Every mention of a session that was read from a file, with that file."""
    known: dict[str, SessionRecord | None] = {}
    for mention in mentions(text):
        try:
            session_id = mention.reference().session_id
        except UsageError:
            continue
        if session_id not in known:
            known[session_id] = find(session_id)
        record = known[session_id]
        if record is not None and record.path:
            yield SessionLink(mention.span, record.path, f"Open the transcript of {label_of(record)}")


def expand_action(text: str, uri: str) -> Action | None:
    """Show the prompt of a document (known by its URI) with what its mentions bring in; None without mentions."""
    count = sum(1 for _ in mentions(text))
    if not count:
        return None
    what = "its reference" if count == 1 else f"its {count} references"
    return Action(f"Show the prompt with {what} expanded", "source", command=EXPAND, argument={"uri": uri})
