"""Records of what was found; none of them can carry a secret's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.base.text import Span


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret at `span` (`str` offsets of the searched text), as `rule` says (kebab case: `github-token`)."""

    rule: str
    span: Span


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text in which each secret is replaced by a mark; `findings` point into the text as it was before."""

    text: str
    findings: tuple[Secret, ...]
