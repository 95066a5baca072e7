"""Replacing secrets by marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.secrets.find import find
from waybook.secrets.model import Redacted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.secrets.model import Secret

_PASSES = 8


def redact(text: str) -> Redacted:
    """Replace each secret by `[redacted:<rule>]`, wherever its text stands; redacting again changes nothing.

    The findings are those of `find(text)`. Cutting one secret out can bring another to light, so that the search is
    repeated until it finds nothing.
    """
    findings = find(text)
    clean, left = text, findings
    for _ in range(_PASSES):
        if not left:
            break
        clean = _replace(clean, left)
        left = find(clean)
    else:
        clean = "[redacted]" if left else clean  # a text that keeps resisting is not let through
    return Redacted(clean, findings)


def _replace(text: str, findings: Sequence[Secret]) -> str:
    parts, end = [], 0
    for finding in findings:
        parts += [text[end : finding.span.start], f"[redacted:{finding.rule}]"]
        end = finding.span.end
    return "".join([*parts, text[end:]])
