"""Hundreds of generated repositories, shaped like public ones: every agent answers, soon, and without contradiction."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from waybook.agents import DOCUMENTED, MEASURED, Request, explain, ids
from waybook.agents.parts.known import on_the_way
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from pathlib import Path

REPOSITORIES = 300
SECONDS = 2.0
"""What all agents together may take for one target, with room for a busy machine."""

NAMES = ["AGENTS.md"] * 20 + ["CLAUDE.md"] * 10 + [
    "AGENTS.override.md", ".claude/CLAUDE.md", "agents.md", "Claude.md", "GEMINI.md", "QWEN.md", ".cursorrules", ".clinerules",
    ".clinerules/a.md", ".claude/rules/r.md", ".github/copilot-instructions.md", ".github/instructions/i.instructions.md",
    ".cursor/rules/c.mdc", ".windsurf/rules/w.md", ".qwen/rules/q.md", ".roo/rules/r.md", "CLAUDE.local.md", "opencode.json",
    ".codex/config.toml", ".gemini/settings.json", ".claude/settings.json", ".vscode/settings.json", ".gitignore",
]  # fmt: skip
HEADS = [
    "", "", "", "---\npaths: '**/*.py'\n---\n", "---\napplyTo: '**'\n---\n", "---\npaths: [\n---\n", "---\nname: x\nenabled: false\n---\n",
    "---\nglobs: *.ts\nalwaysApply: true\n---\n", "---\ntrigger: glob\n---\n", "\ufeff",
]  # fmt: skip
LINES = [
    "Use tabs.\n", "@AGENTS.md\n", "@../CLAUDE.md\n", "See @docs/a.md and @~/b.md.\n", "`@x.md`\n", "```\n@y.md\n", "<!-- hidden\n",
    "指示を読む。🎼\n", "- item @CLAUDE.md\n", "\x00\x1b[31m\n", "@" * 40 + "\n", "`" * 30 + "\n", "    @code.md\n",
    '{"instructions": ["**/*.md", "../*"], "claudeMdExcludes": ["**/a/**"]}\n', "@/etc/passwd\n",
]  # fmt: skip


def count(dice: random.Random) -> int:
    """Files of a repository: median 3, a tenth above 25, 115 at most."""
    return dice.choices([dice.randint(1, 5), dice.randint(6, 25), dice.randint(26, 115)], [70, 22, 8])[0]


def size(dice: random.Random) -> int:
    """Bytes of a file: median about 2 KB, a hundredth above 40 KB, 126 KB at most."""
    return dice.choices(
        [0, dice.randint(1, 4_000), dice.randint(4_000, 40_000), dice.randint(40_000, 126_000)], [2, 70, 26, 2]
    )[0]


def text(dice: random.Random) -> bytes:
    body = "".join(dice.choices(LINES, [30] + [2] * (len(LINES) - 1), k=12))
    length = size(dice)
    data = (dice.choice(HEADS) + body * (length // max(1, len(body)) + 1)).encode()[:length]
    return data + (b"\xff\xfe" if dice.random() < 0.02 else b"")


def grow(dice: random.Random, root: Path) -> list[str]:
    """Make one repository below `root` and give some targets in it."""
    repo = root / "w" / "repo"
    places = ["", "a", "a/b", "a/b/c", "docs", "packages/x", "packages/x/src", "a/b/c/d/e/f/g/h/i/j"]
    if dice.random() < 0.8:
        (repo / ".git").mkdir(parents=True)
        (repo / ".git/HEAD").write_text("ref: refs/heads/main\n")
    for _ in range(count(dice)):
        place = repo / dice.choice(places)
        path = place / dice.choice(NAMES)
        if path.exists() or path.is_symlink() or (path.parent.is_symlink() or path.parent.is_file()):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if dice.random() < 0.08:
            path.symlink_to(
                dice.choice(
                    ["AGENTS.md", "CLAUDE.md", "../AGENTS.md", "gone", ".", "..", "/w/repo/AGENTS.md", path.name]
                )
            )
        elif dice.random() < 0.02:
            path.mkdir()
        else:
            path.write_bytes(text(dice))
    return [f"/w/repo/{dice.choice(places)}/f.py", "/w/repo/none/yet.py", "/w/other/x.py", "/w/repo"]


@pytest.mark.parametrize("seed", range(10))
def test_every_agent_answers_for_every_repository(tmp_path: Path, seed: int) -> None:
    """No crash, bounded time, and the answer fits the disk and itself."""
    for number in range(REPOSITORIES // 10):
        root = tmp_path / str(number)
        dice = random.Random(seed * 1000 + number)
        targets = grow(dice, root)
        cwd = dice.choice(["/w/repo", "/w/repo/a", "/w/repo/docs"])
        (root / cwd[1:]).mkdir(parents=True, exist_ok=True)
        for target in (targets[0], dice.choice(targets)):
            box = Box(str(root))
            began = time.process_time()
            request = Request(
                "/w/repo", cwd=cwd, target=target, home="/w/repo" if dice.random() < 0.05 else "/h", root=str(root)
            )
            answers = explain(ids(), request, box)
            assert time.process_time() - began < SECONDS
            for answer in answers:
                check(answer, box, request)


def check(answer, box: Box, request: Request) -> None:
    """What loads is there and whole or cut; nothing is both loaded and not; every known file on the way is spoken of."""
    loaded = [item.abs_path for item in answer.chain]
    missed = [item.abs_path for item in answer.not_loaded]
    assert len(set(loaded)) == len(loaded), (answer.agent, loaded)
    assert not set(loaded) & set(missed), answer.agent
    assert all(item.why for item in (*answer.chain, *answer.not_loaded))
    for item in answer.chain:
        assert box.is_file(item.abs_path), (answer.agent, item)
        assert item.bytes == box.size(item.abs_path)
        assert item.cut_at is None or (0 < item.cut_at < item.bytes and not item.complete)
    assert answer.to_json()["bytes"] == sum(item.delivered for item in answer.chain)
    if answer.agent in {*MEASURED, *DOCUMENTED} - {"dsh"}:
        bottom = request.target.rpartition("/")[0].rstrip("/") if request.target.startswith("/w/repo/") else "/w/repo"
        known = {f"{place}/{name}" for place, name in on_the_way(box, "/w/repo", bottom)}
        assert known <= {*loaded, *missed}, (answer.agent, known - {*loaded, *missed})
