"""Instruction texts in the manner of real ones, from a seed: headings, lists, code blocks, tables, paths, a few flaws.

Proportions follow what 240 instruction files of public repositories have per 1,000 characters: five code spans, one of them
a path, three bullets or more, one link in every second, a code block in every fourth. Lengths spread around 2.2 KB.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

MEDIAN_BYTES = 2_200
SMALLEST, LARGEST = 160, 28_000
DEAD_PATHS = 0.004
"""The share of named paths that lead nowhere."""

NOUNS = [
    "parser",
    "cache",
    "session",
    "queue",
    "invoice",
    "ledger",
    "router",
    "worker",
    "token",
    "schema",
    "migration",
    "fixture",
    "snapshot",
    "widget",
    "index",
    "adapter",
    "client",
    "server",
    "handler",
    "store",
    "reducer",
    "mapper",
    "codec",
    "stream",
    "buffer",
    "policy",
    "role",
    "tenant",
    "order",
    "payment",
    "cart",
    "catalog",
    "report",
    "job",
    "scheduler",
    "lock",
    "metric",
    "trace",
    "span",
    "event",
    "topic",
    "consumer",
    "producer",
    "batch",
    "shard",
    "replica",
    "region",
    "bucket",
    "object",
    "blob",
    "image",
    "font",
    "theme",
    "layout",
    "form",
    "field",
    "validator",
    "locale",
    "message",
    "template",
    "mailer",
    "webhook",
]
VERBS = [
    "load",
    "parse",
    "render",
    "build",
    "fetch",
    "merge",
    "resolve",
    "compute",
    "validate",
    "encode",
    "decode",
    "publish",
    "store",
    "migrate",
    "retry",
    "flush",
]
WHEN = [
    "before a commit",
    "after a change",
    "in every pull request",
    "while it runs",
    "in tests",
    "on start-up",
    "at review",
]
TOOLS = ["make", "npm run", "pnpm", "cargo", "uv run", "just", "go", "bazel", "yarn", "poetry run"]
TASKS = ["test", "lint", "build", "check", "fmt", "typecheck", "bench", "e2e", "coverage", "release"]
HEADS = [
    "Commands",
    "Layout",
    "Testing",
    "Conventions",
    "Style",
    "Pitfalls",
    "Architecture",
    "Review",
    "Data",
    "Errors",
    "Release",
]
CODE = {
    "bash": "{tool} {task}\n{tool} {task} -- --filter {noun}\n",
    "python": "def {verb}_{noun}(value: str) -> str:\n    return {noun}.{verb}(value, {noun}={number})\n",
    "ts": "export function {verb}{Noun}(id: string): Promise<{Noun}> {{\n  return client.{verb}(`/{noun}s/{number}/${{id}}`, {{ {noun}: {number} }});\n}}\n",
    "yaml": "{noun}:\n  retries: 3\n  timeout: 30s\n",
}


class Writer:
    """Writes texts for one place of a tree; `paths` are files that exist, as seen from that place."""

    def __init__(self, random: Random, name: str, paths: list[str]) -> None:
        self._random = random
        self._name = name
        self._paths = paths

    def text(self) -> str:
        """One whole instruction file."""
        wanted = min(LARGEST, max(SMALLEST, int(self._random.lognormvariate(math.log(MEDIAN_BYTES), 0.9))))
        parts = [f"# {self._name.capitalize()}\n", self._paragraph()]
        size = sum(map(len, parts))
        while size < wanted:
            made = self._random.choices(self._sections(), weights=(10, 3, 3, 1))[0]()
            parts.append(made)
            size += len(made) + 1
        return "\n".join(parts)

    def _sections(self) -> list[Callable[[], str]]:
        return [self._list, self._paragraph, self._code, self._table]

    def _list(self) -> str:
        head = f"## {self._random.choice(HEADS)}\n"
        return head + "".join(f"\n- {self._sentence()}" for _ in range(self._random.randint(3, 7))) + "\n"

    def _paragraph(self) -> str:
        return " ".join(self._sentence() for _ in range(self._random.randint(1, 4))) + "\n"

    def _code(self) -> str:
        language = self._random.choice(list(CODE))
        return f"```{language}\n{self._fill(CODE[language])}```\n"

    def _table(self) -> str:
        rows = "".join(
            f"| `{self._fill('{verb}_{noun}')}` | {self._fill('{noun} of the {noun}')} |\n" for _ in range(4)
        )
        return f"| Name | Meaning |\n| --- | --- |\n{rows}"

    def _sentence(self) -> str:
        templates = (
            "Always {verb} the {noun} through `{verb}_{noun}` {when}.",
            "Never {verb} a {noun} without its {noun}; the {noun} depends on it.",
            "Use `{tool} {task}` {when}, and read what it says about the {noun}.",
            "The {noun} lives in `{path}`; its {noun} is made by `{verb}{Noun}()`.",
            "**{Noun}**: see [the {noun} guide]({path}) and `{path}`.",
            "Prefer the {noun} over the {noun} where the {name} package has both.",
            "When the {noun} fails, look at the {noun} first: most often it was not {verb}ed {when}.",
            "Tests for the {noun} use the `{noun}_{noun}` fixture and `{tool} {task}`.",
            "Do not edit `{path}` by hand; {name} generates it from the {noun}.",
            "A {noun} has at most {number} {noun}s, and each {noun} keeps the {noun} it came from.",
            "Keep functions of the {noun} small, and name them for the {noun} they {verb} (`{verb}_{noun}`).",
            "`{Noun}Error` means that the {noun} of {name} could not {verb} the {noun} {when}.",
        )
        return self._fill(self._random.choice(templates))

    def _fill(self, template: str) -> str:
        choose = self._random.choice
        out = template.replace("{name}", self._name)
        for mark, values in (
            ("{noun}", NOUNS),
            ("{verb}", VERBS),
            ("{when}", WHEN),
            ("{tool}", TOOLS),
            ("{task}", TASKS),
        ):
            while mark in out:
                out = out.replace(mark, choose(values), 1)
        while "{Noun}" in out:
            out = out.replace("{Noun}", choose(NOUNS).capitalize(), 1)
        while "{path}" in out:
            out = out.replace("{path}", self._path(), 1)
        out = out.replace("{number}", str(self._random.randint(2, 900)))
        return out.replace("{{", "{").replace("}}", "}")

    def _path(self) -> str:
        if self._random.random() < DEAD_PATHS or not self._paths:
            return f"src/{self._random.choice(NOUNS)}/{self._random.choice(NOUNS)}_old.py"
        return self._random.choice(self._paths)
