"""Reading agents' own settings: tolerant, only ever read, parsed once for each text.

A file that cannot be parsed is as absent: the agents refuse it in their own ways, and none of those is ours to judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_JSON_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|,(?=\s*[}\]])', re.DOTALL)


def toml(box: Box, path: str) -> Mapping[str, Any]:
    """A TOML file's table; empty when it is absent or broken."""
    text = box.text(path)
    return _toml(text) if text else {}


def toml_text(text: str) -> Mapping[str, Any]:
    """The table that a piece of TOML gives; empty when it is broken."""
    return _toml(text)


def json_text(text: str) -> Mapping[str, Any]:
    """The object that a piece of JSON gives; empty when it is broken."""
    return _jsonc(text)


def jsonc(box: Box, path: str) -> Mapping[str, Any]:
    """A JSON file's object, comments and trailing commas allowed; empty when it is absent or broken."""
    text = box.text(path)
    return _jsonc(text) if text else {}


@lru_cache(maxsize=64)
def _toml(text: str) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


@lru_cache(maxsize=64)
def _jsonc(text: str) -> Mapping[str, Any]:
    plain = _JSON_PARTS.sub(lambda part: part.group() if part.group().startswith('"') else " ", text)
    plain = _JSON_PARTS.sub(lambda part: part.group() if part.group().startswith('"') else " ", plain)
    try:
        value = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def pick(table: Mapping[str, Any], *keys: str) -> Any:
    """The value below nested keys, or `None`."""
    value: Any = table
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def texts(value: Any) -> list[str]:
    """The texts in a text or a list; anything else is left out."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def last(tables: Iterable[Mapping[str, Any]], *keys: str) -> Any:
    """The value of the strongest table that has one; tables are given weakest first."""
    found = None
    for table in tables:
        value = pick(table, *keys)
        if value is not None:
            found = value
    return found


def argument(args: Iterable[str], *names: str) -> list[str]:
    """Every value given to an option, as `--name value`, `--name=value` or `--name a b`, in order."""
    values: list[str] = []
    taking = False
    for arg in args:
        head, equals, tail = arg.partition("=")
        if head in names:
            taking = not equals
            values += [tail] if equals else []
        elif arg.startswith("-"):
            taking = False
        elif taking:
            values.append(arg)
    return values


def switched_on(value: str | None) -> bool:
    """Whether an environment variable says yes."""
    return (value or "").casefold() in {"1", "true", "yes", "on"}
