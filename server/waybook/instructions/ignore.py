"""The root's ignore file: reading its patterns and matching candidates against them.

Matching is that of Go's `path.Match`, which the .prayu protocol prescribes, with one deliberate repair: a pattern that
ends in `/` hides everything below the directories it names (the original meant this and never did it).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from waybook.base.errors import DiscoveryError
from waybook.instructions.normalise import WHITE_SPACE, unify_newlines
from waybook.instructions.protocol import IGNORE_FILE, MAX_IGNORE_PATTERNS
from waybook.workspace.paths import WINDOWS

_NEVER: Final = re.compile(r"(?!)")
_SPECIAL: Final = frozenset("*?[")
_SHOWN: Final = 80
"""Characters of a pattern that a message repeats."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One cleaned line of the ignore file; `line` counts from 1; `subtree` when the line ended in `/`."""

    text: str
    line: int
    subtree: bool


@dataclass(slots=True)
class IgnoreRules:
    """The patterns of one ignore file; `present` tells whether the file exists at all."""

    patterns: tuple[Pattern, ...] = ()
    present: bool = False
    fold_case: bool = WINDOWS
    _matchers: list[tuple[Pattern, str, re.Pattern[str] | None]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compile the patterns once."""
        self._matchers = []
        for pattern in self.patterns:
            text = pattern.text.casefold() if self.fold_case else pattern.text
            self._matchers.append((pattern, text, None if _SPECIAL.isdisjoint(text) else compile_pattern(text)))

    def match(self, path: str) -> Pattern | None:
        """The first pattern that hides this slash path."""
        if not self._matchers:
            return None
        name = path.casefold() if self.fold_case else path
        for pattern, text, compiled in self._matchers:
            if _matches(text, compiled, name) or (pattern.subtree and _matches_above(text, compiled, name)):
                return pattern
        return None


def _matches(text: str, compiled: re.Pattern[str] | None, path: str) -> bool:
    if _one_match(text, compiled, path):
        return True
    return "/" not in text and "/" in path and _one_match(text, compiled, path.rpartition("/")[2])


def _matches_above(text: str, compiled: re.Pattern[str] | None, path: str) -> bool:
    above = path.rpartition("/")[0]
    while above:
        if _matches(text, compiled, above):
            return True
        above = above.rpartition("/")[0]
    return False


def _one_match(text: str, compiled: re.Pattern[str] | None, path: str) -> bool:
    return text == path if compiled is None else compiled.fullmatch(path) is not None


def parse_ignore(text: str) -> tuple[Pattern, ...]:
    """The patterns of an ignore file's text; `DiscoveryError` `ignore-file-invalid` names the first bad line."""
    patterns: list[Pattern] = []
    for number, raw in enumerate(unify_newlines(text.removeprefix("\ufeff")).split("\n"), start=1):
        line = raw.strip(WHITE_SPACE)
        if not line or line.startswith("#"):
            continue
        flaw = _flaw(line)
        if flaw:
            _refuse(line, number, flaw)
        cleaned = _clean(line)
        if not cleaned:
            _refuse(line, number, "it names the workspace itself")
        if len(patterns) == MAX_IGNORE_PATTERNS:
            _refuse(line, number, f"it is pattern number {MAX_IGNORE_PATTERNS + 1}", MAX_IGNORE_PATTERNS)
        patterns.append(Pattern(cleaned, number, line.endswith("/")))
    return tuple(patterns)


def _flaw(line: str) -> str:
    if line.startswith("/"):
        return "patterns are relative to the workspace root, without a leading slash"
    if "\\" in line:
        return "a backslash is not allowed; separate directories with /"
    if ".." in line:
        return "two dots are not allowed anywhere in a pattern"
    if line.startswith("!"):
        return "a pattern cannot be negated; list only what is to be ignored"
    return ""


def _clean(line: str) -> str:
    return "/".join(part for part in line.split("/") if part not in {"", "."})


def _refuse(line: str, number: int, why: str, limit: int | None = None) -> NoReturn:
    shown = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    more = f" (at most {limit} are read)" if limit else ""
    msg = (
        f"{IGNORE_FILE}, line {number}: the pattern {shown!r} is refused: {why}{more}. "
        "A bad pattern refuses the whole discovery, so that nothing is hidden or shown by mistake."
    )
    raise DiscoveryError(
        msg,
        code="ignore-file-invalid",
        path=IGNORE_FILE,
        limit=limit,
        hint=f"Correct or remove line {number}.",
        line=number,
        pattern=line,
    )


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A cleaned pattern as a regular expression for `fullmatch`; one with a malformed class matches nothing.

    `*` and `?` never cross `/`; a class may. Each piece between stars is taken at its first place, as Go does, so that
    no pattern takes more than quadratic time.
    """
    pieces: list[list[str]] = [[]]
    position = 0
    while position < len(pattern):
        char = pattern[position]
        if char == "*":
            pieces.append([])
        elif char == "?":
            pieces[-1].append("[^/]")
        elif char == "[":
            group = _class(pattern, position)
            if group is None:
                return _NEVER
            expression, position = group
            pieces[-1].append(expression)
            continue
        else:
            pieces[-1].append(re.escape(char))
        position += 1
    return re.compile(_assemble(["".join(piece) for piece in pieces]), re.DOTALL)


def _assemble(pieces: list[str]) -> str:
    first, *rest = pieces
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1] if piece)
    return f"{first}{middle}[^/]*{rest[-1]}"


def _class(pattern: str, start: int) -> tuple[str, int] | None:
    """The class that opens at `start` and the position after it; None when it is malformed."""
    position = start + 1
    negated = pattern.startswith("^", position)
    position += negated
    ranges: list[str] = []
    while not (ranges and pattern.startswith("]", position)):
        low = pattern[position : position + 1]
        if low in {"", "-", "]"}:
            return None
        position += 1
        high = low
        if pattern.startswith("-", position):
            high = pattern[position + 1 : position + 2]
            if high in {"", "-", "]"}:
                return None
            position += 2
        if low <= high:
            ranges.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            ranges.append("")
    inside = "".join(ranges)
    if not inside:
        return (r"[\s\S]" if negated else "(?!)"), position + 1
    return f"[{'^' if negated else ''}{inside}]", position + 1
