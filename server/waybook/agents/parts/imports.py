"""Which `@path` in a text is an import: one function for each agent's dialect. Resolving and limits are the agents'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from posixpath import dirname, splitext
from typing import TYPE_CHECKING

from waybook.agents.parts.markdown import masked
from waybook.agents.parts.walk import inside, resolve

if TYPE_CHECKING:
    from waybook.agents.parts.trace import Trace

Find = Callable[[str], tuple[str, ...]]

_CLAUDE = re.compile(r"(?:^|(?<=[ \t\n]))([*_~]{0,3})@((?:\\ |[^\s\\\x00])+)", re.MULTILINE)
_COPILOT = re.compile(r"(?<![\w@])@([^\s\"'<>()\[\]{}|,;\x00]+)")
_WORD = re.compile(r"(?:^|(?<=[ \t\r\n]))@([./A-Za-z][^ \t\r\n]*)")
_BACKTICKS = re.compile(r"`+")

TEXT_ENDS = frozenset({
    ".md", ".mdx", ".markdown", ".txt", ".text", ".rst", ".adoc", ".org", ".json", ".jsonc", ".json5", ".yaml",
    ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".xml", ".csv", ".tsv", ".html", ".htm", ".css", ".scss",
    ".sass", ".less", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".vue", ".svelte", ".py", ".pyi",
    ".rb", ".go", ".rs", ".java", ".kt", ".kts", ".scala", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hxx", ".cs",
    ".fs", ".swift", ".m", ".mm", ".php", ".pl", ".pm", ".lua", ".r", ".jl", ".ex", ".exs", ".erl", ".hs", ".ml",
    ".clj", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".sql", ".graphql", ".gql", ".proto", ".prisma",
    ".tf", ".hcl", ".cmake", ".make", ".gradle", ".properties", ".lock", ".log", ".diff", ".patch", ".dart", ".zig",
    ".nim", ".astro", ".pug", ".ejs", ".hbs", ".tex", ".bib",
})  # fmt: skip
"""Endings that Claude Code takes as text; a name without one counts as text too."""


def claude(text: str) -> tuple[str, ...]:
    """Claude Code: at a line's start or after a blank, also in bold; never in code or comments; a blank is escaped."""
    if "@" not in text:
        return ()
    prose = masked(text, "fence", "tilde", "indented", "span", "comment", "remark")
    found = []
    for match in _CLAUDE.finditer(prose):
        path = match[2]
        if match[1]:
            path = path.partition(match[1])[0]
        path = path.partition("#")[0].replace("\\ ", " ")
        if re.match(r"[A-Za-z0-9._~/-]", path) and splitext(path)[1].lower() in TEXT_ENDS | {""}:
            found.append(path)
    return tuple(found)


def copilot(text: str) -> tuple[str, ...]:
    """Copilot CLI: not after a letter or digit; never in fences and code spans, but in comments and indented code."""
    if "@" not in text:
        return ()
    prose = masked(text, "fence", "tilde", "span")
    return tuple(match[1].rstrip(".:!?") for match in _COPILOT.finditer(prose))


def gemini(text: str) -> tuple[str, ...]:
    """Gemini CLI: after white space, beginning with `.`, `/` or a letter; only backticks protect."""
    if "@" not in text:
        return ()
    code = _backticked(text) if "`" in text else []
    starts = [start for start, _ in code]
    return tuple(
        match[1]
        for match in _WORD.finditer(text)
        if not (index := bisect_right(starts, match.start())) or match.start() >= code[index - 1][1]
    )


def _backticked(text: str) -> list[tuple[int, int]]:
    """What backticks protect in Gemini CLI: from as many of a run as a later run has, to there; else inside the run."""
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
    longest = [0] * (len(runs) + 1)
    for index in range(len(runs) - 1, -1, -1):
        longest[index] = max(longest[index + 1], runs[index][1] - runs[index][0])
    code: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        width = min(end - start, longest[index + 1])
        index += 1
        if 2 * width > end - start:
            while runs[index][1] - runs[index][0] < width:
                index += 1
            close = runs[index][0] + width
            code.append((start, close))
            if close < runs[index][1]:
                runs[index] = (close, runs[index][1])
            else:
                index += 1
        elif end - start > 1:
            close = start + 2 * ((end - start) // 2)
            code.append((start, close))
            if close < end:
                index -= 1
                runs[index] = (close, end)
    return code


def qwen(text: str) -> tuple[str, ...]:
    """Qwen Code: as Gemini CLI, but every form of Markdown code protects."""
    if "@" not in text:
        return ()
    prose = masked(text, "fence", "tilde", "indented", "span")
    return tuple(match[1] for match in _WORD.finditer(prose))


def inline(trace: Trace, path: str, find: Find, top: str, hops: int, load: Callable[[str, str], None]) -> None:
    """Follow imports that are put in place of their line, as deep as `hops`, for files inside `top` only.

    `load(path, importer)` is called for each file in the order of arrival, once. A file in its own chain of importers
    is not taken again. What exists and may not be imported is noted.
    """
    reached: dict[str, int] = {}

    def visit(importer: str, chain: tuple[str, ...]) -> None:
        for given in find(trace.text(importer)):
            target = resolve(dirname(importer), given, "") if not given.startswith("~") else ""
            if not target or not trace.box.is_file(target):
                continue
            if not inside(target, top):
                why = f"{trace.show(importer)} imports it, but only files inside {trace.show(top)} may be imported."
                trace.miss(target, "outside", why, importer)
            elif target in chain:
                continue
            elif len(chain) > hops:
                why = f"{trace.show(importer)} imports it, but imports end after {hops} files in a row."
                trace.miss(target, "over_budget", why, importer)
            else:
                first = target not in reached
                if first:
                    load(target, importer)
                if first or reached[target] > len(chain):
                    reached[target] = len(chain)
                    visit(target, (*chain, target))

    visit(path, (path,))


def appended(trace: Trace, path: str, find: Find, top: str, hops: int, load: Callable[[str, str], None]) -> None:
    """Follow imports of the flat format: each file once, after its importer, a file's last import first."""
    seen = {path}

    def visit(importer: str, depth: int) -> None:
        for given in reversed(find(trace.text(importer))):
            target = resolve(dirname(importer), given, "") if not given.startswith("~") else ""
            if target and target not in seen and depth < hops and inside(target, top) and trace.box.is_file(target):
                seen.add(target)
                load(target, importer)
                visit(target, depth + 1)

    visit(path, 0)
