"""Front matter: which key or value an offset is in, what the keys mean, and who reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.analysis.markdown import front_matter
from waybook.base.text import LineIndex, Span
from waybook.editor.answers import Hover

if TYPE_CHECKING:
    from waybook.analysis.view import Document

_LINE = re.compile(r"(?P<indent>[ \t]*)(?P<key>[A-Za-z_][\w-]*)(?P<colon>[ \t]*:)?(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class Key:
    """A key agents know: its meaning, who reads it, and the values it takes (none: free text)."""

    meaning: str
    readers: str
    values: tuple[str, ...] = ()


KEYS: dict[str, Key] = {
    "paths": Key("Globs of the files that the rule is for; without it the rule is always read.", "Claude Code rules"),
    "globs": Key("Globs of the files that the rule is attached to.", "Cursor rules"),
    "alwaysApply": Key("Whether the rule is read for every file.", "Cursor rules", ("true", "false")),
    "description": Key(
        "What the rule is about; agents decide by it whether to read the rule.", "Cursor, Copilot, Claude Code"
    ),
    "applyTo": Key("Glob of the files that the instructions are for.", "Copilot instruction files"),
    "excludeAgent": Key("The agent that does not read the file.", "Copilot", ("code-review", "coding-agent")),
    "name": Key("The name under which the rule is shown.", "Copilot, Claude Code"),
    "trigger": Key("When the rule is read.", "Windsurf rules", ("always_on", "manual", "model_decision", "glob")),
}
NOBODY = "The `.prayu` profile reads no front matter: it is part of the text."


@dataclass(frozen=True, slots=True)
class At:
    """What an offset of the front matter is in: `key` written so far with its span, `value` likewise once a colon stands."""

    key: str
    key_span: Span
    value: str | None
    value_span: Span


def at(text: str, offset: int) -> At | None:
    """The key and value on the line of an offset; None outside front matter."""
    body = front_matter(text)
    if body is None or not body.start <= offset <= body.end:
        return None
    lines = LineIndex(text)
    line = lines.line_span(lines.line_of(offset))
    if line.start >= body.end and body.end != body.start:
        return None
    match = _LINE.match(text, line.start, line.end)
    if match is None:
        return At("", Span(offset, offset), None, Span(offset, offset))
    key_span = Span(match.start("key"), match.end("key"))
    written = match["value"] if match["colon"] else None
    lead = len(match["value"]) - len(match["value"].lstrip())
    value_span = Span(match.start("value") + lead, match.end("value"))
    return At(match["key"], key_span, None if written is None else written.strip(), value_span)


def hover_key(document: Document, offset: int) -> Hover | None:
    """What the front matter key under an offset means; None elsewhere or for a key nobody knows."""
    found = at(document.text, offset)
    if found is None or not found.key_span.start <= offset <= found.key_span.end or found.key not in KEYS:
        return None
    known = KEYS[found.key]
    values = f"\n\nValues: {', '.join(f'`{value}`' for value in known.values)}." if known.values else ""
    return Hover(f"**`{found.key}`**: {known.meaning}\n\nRead by {known.readers}. {NOBODY}{values}", found.key_span)
