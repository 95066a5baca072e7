"""Front matter: the YAML between two `---` lines at the very start of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_BLOCK = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_SIMPLE = re.compile(r"^([A-Za-z_][\w-]*):[ \t]+(.+)$")
_MAX_HEADER = 64 * 1024
"""Characters of front matter that are parsed; more is taken as broken."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the head of a file says.

    `data` is empty and `error` a sentence when the YAML is broken; `end` is where the body begins; `raw` is the YAML.
    """

    present: bool
    data: Mapping[str, Any]
    end: int
    error: str | None
    raw: str


_NONE = FrontMatter(present=False, data={}, end=0, error=None, raw="")


def parse(text: str) -> FrontMatter:
    """The front matter of a text; a text without one gives `present` false. Never raises."""
    if not text.startswith(("---", "\ufeff---")):
        return _NONE
    found = _BLOCK.match(text)
    if not found:
        return _NONE
    if len(found[1]) > _MAX_HEADER:
        return FrontMatter(present=True, data={}, end=found.end(), error="the front matter is too long", raw="")
    data, error = load_yaml(found[1])
    return FrontMatter(present=True, data=data, end=found.end(), error=error, raw=found[1])


@lru_cache(maxsize=1024)
def load_yaml(source: str) -> tuple[Mapping[str, Any], str | None]:
    """(mapping, error) of YAML; anything but a mapping counts as an empty one. Never raises."""
    import yaml

    try:
        value = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {}, str(error).splitlines()[0]
    return (value if isinstance(value, dict) else {}), None


def simple_lines(source: str) -> Mapping[str, str]:
    """The `key: value` lines of YAML that YAML itself refuses, such as `paths: **/*.py`; values as plain texts."""
    found = (_SIMPLE.match(line) for line in source.splitlines())
    return {item[1]: item[2].strip(" \t\"'") for item in found if item}
