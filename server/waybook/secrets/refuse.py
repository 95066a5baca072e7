"""Saying where secrets stand, and refusing text that holds one, without repeating any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import RefusedError
from waybook.base.text import LineIndex
from waybook.secrets.find import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.secrets.model import Secret

_SHOWN = 5


def describe(text: str, findings: Sequence[Secret]) -> str:
    """Name each finding's rule and place for people, lines and columns (in characters) from 1.

    As in `github-token at line 3, column 5`; past five findings the rest is counted.
    """
    index = LineIndex(text)
    places = []
    for finding in findings[:_SHOWN]:
        line, column = index.position(finding.span.start, "utf-32")
        places.append(f"{finding.rule} at line {line + 1}, column {column + 1}")
    more = len(findings) - _SHOWN
    return "; ".join(places) + (f"; and {more} more" if more > 0 else "")


def require_clean(text: str, *, field: str = "content", redactable: bool = False) -> None:
    """Refuse (`RefusedError`, code `secret-found`) a text that holds a secret; the error names rules and places only.

    `redactable`: the person may ask for the secret to be replaced instead, and is told so.
    """
    findings = find(text)
    if not findings:
        return
    index = LineIndex(text)
    msg = f"The {field} holds what looks like a secret: {describe(text, findings)}; nothing was kept."
    raise RefusedError(
        msg,
        code="secret-found",
        hint="Remove it, or keep the text with the secret replaced (--redact-sensitive)."
        if redactable
        else "Remove it.",
        field=field,
        findings=[
            {"rule": finding.rule, "line": line + 1, "column": column + 1}
            for finding in findings
            for line, column in [index.position(finding.span.start, "utf-32")]
        ],
    )
