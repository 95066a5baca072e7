"""A memory as a document that an editor opens and saves: a small front matter, then the content.

`waybook-memory:/project/mem_01kb3v....md`. Everything that can be edited stands in it, and saving what was opened changes
nothing: one line end is added behind the content when it is opened and taken away when it is saved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UsageError
from waybook.memory.model import Change, Scope
from waybook.memory.rules import known_scope, normalise_newlines

if TYPE_CHECKING:
    from waybook.memory.model import Memory

SCHEME = "waybook-memory"
_URI = re.compile(rf"{SCHEME}:/{{1,3}}(user|project)/([A-Za-z0-9_-]{{1,64}})\.md")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_FENCE = "---\n"
_FIELDS = ("title", "references", "retention", "version")
MAX_DOCUMENT = 128 * 1024
"""Characters; more than the largest memory with its references needs."""


@dataclass(frozen=True, slots=True)
class Document:
    """What an editor shows. `version` is the one to name when it is saved."""

    uri: str
    text: str
    version: int
    memory: Memory


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a document says; `version` is None where the line was taken out."""

    title: str
    references: tuple[str, ...]
    retention: str
    version: int | None
    content: str


def uri_of(memory: Memory) -> str:
    """The document's address."""
    return f"{SCHEME}:/{memory.scope}/{memory.id}.md"


def parse_uri(uri: str) -> tuple[Scope, str]:
    """The scope and id of an address. Raises `UsageError`."""
    found = _URI.fullmatch(uri)
    if found is None:
        raise UsageError(
            f"{uri!r} is no memory's address.",
            code="bad-uri",
            hint=f"It is {SCHEME}:/user/ID.md or {SCHEME}:/project/ID.md.",
        )
    return known_scope(found[1]), found[2]


def render(memory: Memory) -> Document:
    """The document of a memory."""
    import yaml

    front: dict[str, Any] = {"title": memory.title}
    if memory.references:
        front["references"] = list(memory.references)
    if memory.retention_until:
        front["retention"] = memory.retention_until
    front["version"] = memory.version
    head = yaml.dump(front, Dumper=yaml.SafeDumper, allow_unicode=True, sort_keys=False, width=1 << 20)
    return Document(uri_of(memory), f"{_FENCE}{head}{_FENCE}\n{memory.content}\n", memory.version, memory)


def parse(text: str) -> Parsed:
    """What a document says. Raises `UsageError` (code bad-document) naming what is wrong with the front matter."""
    if len(text) > MAX_DOCUMENT:
        raise UsageError(
            f"A memory's document has at most {MAX_DOCUMENT:,} characters.", code="bad-document", limit=MAX_DOCUMENT
        )
    text = normalise_newlines(text).removeprefix("\ufeff")
    head, fence, content = text.removeprefix(_FENCE).partition(f"\n{_FENCE}")
    if not text.startswith(_FENCE) or not fence:
        raise _bad("The document begins with front matter between two lines of ---.")
    front = _front(head)
    version = front.get("version", "")
    if version and not (isinstance(version, str) and _NUMBER.fullmatch(version)):
        raise _bad("The version is a number.")
    return Parsed(
        title=_line(front, "title"),
        references=_lines(front),
        retention=_line(front, "retention"),
        version=int(version) if version else None,
        content=content.removeprefix("\n").removesuffix("\n"),
    )


def change(memory: Memory, parsed: Parsed, *, redact_sensitive: bool) -> Change:
    """What saving a document changes; an empty change when it says what the memory says."""
    return Change(
        title=None if parsed.title == memory.title else parsed.title,
        content=None if parsed.content == memory.content else parsed.content,
        references=None if tuple(sorted(set(parsed.references))) == memory.references else parsed.references,
        retention=None if parsed.retention == memory.retention_until else parsed.retention or "none",
        redact_sensitive=redact_sensitive,
    )


def _front(head: str) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.load(head, Loader=yaml.BaseLoader)  # noqa: S506 - the base loader makes texts only, no objects
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 2}" if mark else ""
        raise _bad(f"The front matter cannot be read{where}.") from None
    if not isinstance(found, dict):
        raise _bad("The front matter has no title.")
    unknown = sorted(str(name) for name in found if name not in _FIELDS)
    if unknown:
        raise _bad(f"The front matter has an unknown field: {unknown[0]!r}. It has {', '.join(_FIELDS)}.")
    return found


def _line(front: dict[str, Any], name: str) -> str:
    value = front.get(name, "")
    if not isinstance(value, str):
        raise _bad(f"The field {name} is one line of text; put it in quotes.")
    return value


def _lines(front: dict[str, Any]) -> tuple[str, ...]:
    value = front.get("references") or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _bad("The references are a list of texts, one a line after a dash.")
    return tuple(value)


def _bad(message: str) -> UsageError:
    return UsageError(message, code="bad-document", hint="Nothing was saved; mend the document and save again.")
