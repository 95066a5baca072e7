"""Workspaces to measure on: any number of files, some of them instruction files, always the same for the same numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from random import Random

from prose import NOUNS, VERBS, Writer

FILES_IN_A_DIRECTORY = 16
_ENDS = (".ts", ".py", ".go", ".rs", ".json", ".md", ".tsx", ".sql")


@dataclass(frozen=True)
class Made:
    """A tree on disk; `target` is a deep file whose chain has several instruction files."""

    root: str
    files: int
    instruction_files: int
    target: str


def make_tree(root: str, *, files: int, instruction_files: int, seed: int = 7) -> Made:
    """Write a monorepo of packages below `root` (made here); directories have 16 files, names are as in real trees."""
    random = Random(seed)
    directories = _directories(random, max(1, (files - instruction_files) // FILES_IN_A_DIRECTORY))
    names: dict[str, list[str]] = {}
    left = files - instruction_files
    for directory in directories:
        os.makedirs(os.path.join(root, directory), exist_ok=True)
        for _ in range(min(left, FILES_IN_A_DIRECTORY)):
            name = f"{random.choice(VERBS)}_{random.choice(NOUNS)}_{left}{random.choice(_ENDS)}"
            with open(os.path.join(root, directory, name), "wb"):
                left -= 1
            names.setdefault(directory, []).append(name)
    os.makedirs(os.path.join(root, ".git"), exist_ok=True)
    chosen = _places(random, directories, instruction_files)
    for path in chosen:
        _instruct(random, root, path, names)
    target = max(directories, key=lambda item: (sum(f"{above}AGENTS.md" in chosen for above in _above(item)), item))
    return Made(root, files, instruction_files, f"{target}/{names[target][0]}")


def _directories(random: Random, count: int) -> list[str]:
    """The root's packages with a few levels below each."""
    made: dict[str, None] = {}
    while len(made) < count:
        package = (
            f"{random.choice(('packages', 'services', 'libs', 'apps'))}/{random.choice(NOUNS)}-{random.choice(NOUNS)}"
        )
        for part in (
            "",
            "src",
            f"src/{random.choice(NOUNS)}",
            f"src/{random.choice(NOUNS)}/{random.choice(VERBS)}",
            "tests",
            "docs",
        ):
            made[f"{package}/{part}".rstrip("/")] = None
    return list(made)[:count]


def _places(random: Random, directories: list[str], count: int) -> set[str]:
    """Where instruction files stand: seven in ten `AGENTS.md`, two `CLAUDE.md`, one a rule; the root has all three."""
    chosen = {"AGENTS.md", "CLAUDE.md", ".prayu/rules/style.md"}
    order = sorted(directories, key=lambda item: (item.count("/"), random.random()))
    kinds = random.choices(("AGENTS.md", "CLAUDE.md", ".prayu/rules/style.md"), weights=(7, 2, 1), k=count * 4)
    for at, kind in enumerate(kinds):
        if len(chosen) >= count:
            break
        chosen.add(f"{order[at % len(order)]}/{kind}")
    return chosen


def _instruct(random: Random, root: str, path: str, names: dict[str, list[str]]) -> None:
    scope = (
        path.removesuffix(".prayu/rules/style.md").rstrip("/") if path.endswith("style.md") else path.rpartition("/")[0]
    )
    prefix = f"{scope}/" if scope else ""
    places = [scope, *(f"{prefix}{part}" for part in ("src", "tests", "docs"))] if scope else list(names)[:200]
    known = [f"{place}/{name}".removeprefix(prefix) for place in places for name in names.get(place, ())[:8]]
    text = Writer(random, scope.rpartition("/")[2] or "monorepo", known).text()
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def _above(directory: str) -> list[str]:
    parts = directory.split("/")
    return ["", *("/".join(parts[: count + 1]) + "/" for count in range(len(parts)))]
