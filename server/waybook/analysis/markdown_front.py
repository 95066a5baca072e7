"""The YAML at the top of a document: its keys and values with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.markdown import front_matter
from waybook.base.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

GLOB_KEYS = frozenset({"paths", "globs", "applyTo"})
"""Keys that agents read as globs: `paths` (Claude Code), `globs` (Cursor and others), `applyTo` (Copilot)."""


_UNQUOTED = re.compile(rf"^(?:(?:{'|'.join(sorted(GLOB_KEYS))}):|[ \t]*-)[ \t]+[*{{!][^\r\n]*", re.MULTILINE)
"""Globs without quotes: no YAML, and yet Claude Code (2.1.332) and Copilot CLI (1.0.102) read them, measured."""
_SAFE = {"*": "\u2217", "{": "\uff5b", "}": "\uff5d", "!": "\uff01"}
_TO_SAFE = str.maketrans(_SAFE)
_FROM_SAFE = str.maketrans({safe: char for char, safe in _SAFE.items()})


START = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar, or the items of a list of scalars; `kind` is the YAML type (`str`, `bool`, `list`, `map`, ...)."""

    span: Span
    kind: str
    text: str = ""
    items: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A top-level key with its value; `span` is the key's."""

    key: str
    span: Span
    value: Value


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a text: its entries, or the flaw that stops anybody from reading it, and where."""

    span: Span
    entries: tuple[Entry, ...]
    flaw: str = ""
    flaw_at: Span = START


@lru_cache(maxsize=256)
def read(text: str) -> FrontMatter | None:
    """The front matter of a text; None where there is none."""
    span = front_matter(text)
    if span is None:
        return None
    source = _UNQUOTED.sub(lambda match: match[0].translate(_TO_SAFE), text[span.start : span.end])
    node, flaw, at = _compose(source)
    if flaw:
        start = min(span.start + at, len(text))
        return FrontMatter(span, (), flaw, Span(start, min(start + 1, len(text))))
    return FrontMatter(span, tuple(_entries(node, span.start)))


def _compose(source: str) -> tuple[object, str, int]:
    """The YAML node, or the flaw that stops it from being read and its offset."""
    import yaml

    try:
        node = yaml.compose(source, Loader=yaml.SafeLoader)
    except RecursionError:
        return None, "it is nested too deeply", 0
    except yaml.MarkedYAMLError as error:
        return None, error.problem or "it is no YAML", error.problem_mark.index if error.problem_mark else 0
    except yaml.YAMLError as error:
        return None, str(error).partition("\n")[0] or "it is no YAML", 0
    if node is None or isinstance(node, yaml.MappingNode):
        return node, "", 0
    return None, "it is no list of keys and values", 0


def _entries(node: object, base: int) -> Iterator[Entry]:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        yield Entry(str(key.value), _place(key, base), _value(value, base))


def _value(node: object, base: int) -> Value:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return Value(_place(node, base), "list", items=tuple(_value(item, base) for item in node.value))
    if isinstance(node, yaml.ScalarNode):
        return Value(_place(node, base), node.tag.rpartition(":")[2], str(node.value).translate(_FROM_SAFE))
    return Value(_place(node, base), "map")


def _place(node: object, base: int) -> Span:
    start, end = node.start_mark.index, node.end_mark.index  # type: ignore[attr-defined]  # every YAML node has marks
    return Span(base + start, base + end)


def globs(text: str, keys: frozenset[str] = GLOB_KEYS) -> Iterator[tuple[str, Span]]:
    """Each glob of some keys of the front matter with its place: list items, and the parts of a comma-separated text."""
    matter = read(text)
    for entry in matter.entries if matter else ():
        if entry.key in keys:
            for value in entry.value.items or (entry.value,):
                if value.kind == "str":
                    yield from _parts(text, value)


def _parts(text: str, value: Value) -> Iterator[tuple[str, Span]]:
    at = value.span.start
    for part in split(value.text):
        found = text.find(part, at, value.span.end)
        if found >= 0:
            at = found + len(part)
            yield part, Span(found, at)


def split(pattern: str) -> list[str]:
    """A comma-separated text of globs as its parts; commas inside braces belong to the glob."""
    parts, depth = [""], 0
    for char in pattern:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]
