"""The glob dialects of agents, each as the programs behave, translated to regular expressions once a pattern.

* `minimatch`: what Copilot CLI, Qwen Code, opencode and VS Code build on. `*` stays inside one name, `**` as a whole
  name crosses folders, `{a,b}` are alternatives, a leading `!` turns the answer round.
* `ignored`: the rules of `.gitignore`, which Claude Code uses for its rules and Gemini CLI for ignored folders.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ALTERNATIVES = 1_000
"""Patterns that the braces of one pattern may stand for (Claude Code's documented bound)."""


def alternatives(pattern: str) -> list[str]:
    """The patterns that braces stand for, `{a,b}` and `{1..3}`, in order; at most `MAX_ALTERNATIVES`."""
    done: list[str] = []
    pending = [pattern]
    while pending and len(done) + len(pending) <= MAX_ALTERNATIVES:
        current = pending.pop(0)
        found = _first_braces(current)
        if found is None:
            done.append(current)
        else:
            start, end, options = found
            pending = [current[:start] + option + current[end:] for option in options] + pending
    return done


def _first_braces(pattern: str) -> tuple[int, int, list[str]] | None:
    for start, char in enumerate(pattern):
        if char != "{" or (start and pattern[start - 1] == "\\"):
            continue
        depth, cuts = 0, [start]
        for index in range(start, len(pattern)):
            depth += {"{": 1, "}": -1}.get(pattern[index], 0)
            if pattern[index] == "," and depth == 1:
                cuts.append(index)
            if depth == 0:
                options = _options(pattern, [*cuts, index])
                if options:
                    return start, index + 1, options
                break
    return None


def _options(pattern: str, cuts: list[int]) -> list[str]:
    parts = [pattern[left + 1 : right] for left, right in pairwise(cuts)]
    if len(parts) > 1:
        return parts
    counted = re.fullmatch(r"(\d{1,4})\.\.(\d{1,4})", parts[0])
    if not counted:
        return []
    low, high = int(counted[1]), int(counted[2])
    return [str(number) for number in range(low, min(high, low + MAX_ALTERNATIVES) + 1)]


def split_commas(text: str) -> list[str]:
    """The parts of a comma-separated text; commas inside braces do not part. Spaces around a part are left out."""
    parts, depth, current = [], 0, ""
    for char in text:
        depth = max(0, depth + {"{": 1, "}": -1}.get(char, 0))
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in (*parts, current) if part.strip()]


def minimatch(pattern: str, path: str, *, dot: bool = False, base: bool = False, fold: bool = False) -> bool:
    """Whether a relative path matches.

    `dot`: `*` and `**` also take names that begin with a dot; `base`: a pattern without `/` is matched against the last
    name; `fold`: without regard to case.
    """
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    if base and "/" not in pattern:
        path = path.rpartition("/")[2]
    rooted = path.removeprefix("/")  # a leading `**` also stands for the root of an absolute path
    matched = any(
        _fits(_compiled(single, fold, "literal"), rooted if single.startswith("**") else path, dot=dot)
        for single in alternatives(pattern)
    )
    return matched != negated


_Steps = tuple[tuple[re.Pattern[str] | None, bool], ...]
"""One step for each name of a pattern: (expression, whether it begins with a wildcard); `**` has no expression."""


def _fits(steps: _Steps | None, path: str, *, dot: bool) -> bool:
    """Whether the steps take all names of a path; never more work than steps times names."""
    if steps is None:
        return False
    names = path.split("/")
    step = name = 0
    retry: tuple[int, int] | None = None
    while name < len(names):
        if step < len(steps) and steps[step][0] is None:
            retry = (step, name)
            step += 1
            if step == len(steps):  # a last `**` takes one name or more
                return dot or not any(part.startswith(".") for part in names[name:])
            continue
        if step < len(steps) and _takes(steps[step], names[name], dot=dot):
            step, name = step + 1, name + 1
            continue
        if retry is None or (names[retry[1]].startswith(".") and not dot):
            return False
        retry = (retry[0], retry[1] + 1)
        step, name = retry[0] + 1, retry[1]
    return step == len(steps)


def _takes(step: tuple[re.Pattern[str] | None, bool], name: str, *, dot: bool) -> bool:
    expression, wild = step
    if expression is None or (wild and not dot and name.startswith(".")):
        return False
    return expression.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def _compiled(pattern: str, fold: bool, unclosed: str) -> _Steps | None:  # noqa: FBT001 - a cache key
    """The steps of a pattern; `None` when it can never match."""
    steps: list[tuple[re.Pattern[str] | None, bool]] = []
    for name in pattern.split("/"):
        if name == "**":
            if not steps or steps[-1][0] is not None:
                steps.append((None, True))
            continue
        body = _name(name, unclosed)
        if body is None:
            return None
        try:
            steps.append((re.compile(body, re.IGNORECASE if fold else 0), name[:1] in {"*", "?", "["}))
        except re.error:
            return None
    return tuple(steps)


def _name(name: str, unclosed: str) -> str | None:
    """One name of a pattern as a regular expression; `None` when it can never match.

    What follows a `*` is looked for at its first place and kept there (an atomic group), which is never wrong for a
    glob and keeps long names from taking long.
    """
    pieces, piece, index = [], "", 0
    while index < len(name):
        char = name[index]
        if char == "*":
            pieces.append(piece)
            piece = ""
            while name[index : index + 1] == "*":
                index += 1
            continue
        if char == "[":
            close = name.find("]", index + 2)
            if close < 0 and unclosed == "never":
                return None
            if close > 0:
                piece += _set(name[index + 1 : close])
                index = close + 1
                continue
        if char == "\\" and index + 1 < len(name):
            index += 1
            char = name[index]
            piece += re.escape(char)
        else:
            piece += "." if char == "?" else re.escape(char)
        index += 1
    if not pieces:
        return f"(?s:{piece})"
    if name.strip("*") == "":
        return "(?s:.+)"
    middle = "".join(f"(?>.*?{part})" for part in pieces[1:] if part)
    return f"(?s:{pieces[0]}{middle}.*{piece})"


def _set(inner: str) -> str:
    negated = inner[:1] in {"!", "^"}
    body = (inner[1:] if negated else inner).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    body = (
        body.replace("^", "\\^").replace("&&", "&\\&").replace("--", "-\\-").replace("||", "|\\|").replace("~~", "~\\~")
    )
    return f"[{'^' if negated else ''}{body}]"


def ignored(patterns: Iterable[str], path: str, *, fold: bool = False) -> bool:
    """Whether `.gitignore` patterns take a relative path, or a folder above it; the last matching pattern decides."""
    compiled = [item for pattern in patterns if (item := _ignore_rule(pattern, fold))]
    if not compiled or path in {"", "."} or path.startswith(("../", "/")) or path == "..":
        return False
    names = path.split("/")
    for depth in range(1, len(names) + 1):
        place = "/".join(names[:depth])
        verdict = False
        for steps, negated, folder in compiled:
            if (not folder or depth < len(names)) and _fits(steps, place, dot=True):
                verdict = not negated
        if verdict:
            return True
    return False


@lru_cache(maxsize=4096)
def _ignore_rule(pattern: str, fold: bool) -> tuple[_Steps | None, bool, bool] | None:  # noqa: FBT001 - a cache key
    """(steps, negated, only folders) of one line of an ignore file; `None` for a comment or nothing."""
    bare = pattern.rstrip()
    pattern = f"{bare} " if bare.endswith("\\") and bare != pattern.rstrip("\r\n") else bare
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!").removeprefix("\\")
    folder = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    if not pattern or pattern.startswith(("./", "../")) or pattern in {".", ".."}:
        return None
    anchored = "/" in pattern
    pattern = pattern.lstrip("/")
    if not anchored:
        pattern = f"**/{pattern}"
    return _compiled(pattern, fold, "never"), negated, folder
