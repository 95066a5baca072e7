"""Globs that people write in settings: `*`, `?`, `[...]`, and `**` across directories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def compile_globs(patterns: Iterable[str]) -> re.Pattern[str] | None:
    """One expression for `fullmatch` on slash paths (None for no patterns).

    A pattern without `/` matches a name at any depth; one with `/` is relative to the root. A trailing `/` or `/**` is
    dropped, as a match on a directory covers all below it. A pattern that cannot be read matches nothing.
    """
    parts = []
    for pattern in patterns:
        text = pattern.strip().removeprefix("./").removesuffix("/**").strip("/")
        if not text:
            continue
        try:
            expression = ("" if "/" in text else "(?:.*/)?") + _translate(text)
            re.compile(expression)
        except re.error:
            continue
        parts.append(expression)
    return re.compile("|".join(f"(?:{part})" for part in parts), re.DOTALL) if parts else None


_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|.", re.DOTALL)
_MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _translate(glob: str) -> str:
    return "".join(_meaning(token) for token in _TOKEN.findall(glob))


def _meaning(token: str) -> str:
    if token in _MEANING:
        return _MEANING[token]
    if len(token) > 1:
        inside = token[1:-1].replace("\\", r"\\").replace("[", r"\[")
        return f"[^{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]"
    return re.escape(token)
