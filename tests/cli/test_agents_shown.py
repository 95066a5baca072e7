"""What `matrix`, `explain --agent` and `agents list` show to people, in a pipe and on a terminal of 100 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.test_streams import on_terminal, posix_only
from support.workspaces import make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

FIVE = "codex,claude-code,copilot-cli,gemini-cli,opencode"


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """Two agents' files at the root, one nested."""
    files = {
        ".git/HEAD": "x\n",
        "AGENTS.md": "Shared.\n",
        "CLAUDE.md": "For Claude.\n",
        "pkg/AGENTS.md": "Nested.\n",
        "pkg/x.py": "",
        "lib/AGENTS.md": "Nested.\n",
    }
    return make_tree(tmp_path / "ws", files)


def test_the_matrix_has_a_row_a_file_and_groups_what_is_lost(ws: Path) -> None:
    """A word for each agent; reasons by agent, each with its files; a legend of the marks that occur."""
    lines = waybook("matrix", "--agent", FIVE, cwd=ws, code=0).out.splitlines()
    assert lines[1].split() == FIVE.split(",")
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:6]}
    assert rows == {
        "AGENTS.md": ["yes", "no", "yes", ".", "yes"],
        "CLAUDE.md": [".", "yes", "yes", ".", "no"],
        "lib/AGENTS.md": ["out", "no", "touch", ".", "touch"],
        "pkg/AGENTS.md": ["out", "no", "touch", ".", "touch"],
    }
    lost = lines.index("claude-code does not load")
    assert lines[lost + 1 : lost + 5] == [
        "  displaced: CLAUDE.md displaces every AGENTS.md of the project.",
        "      AGENTS.md",
        "  displaced: CLAUDE.md displaces it.",
        "      lib/AGENTS.md, pkg/AGENTS.md",
    ]
    assert "  CUT" not in "\n".join(lines)


@posix_only
@pytest.mark.parametrize("agents", [FIVE, "all"])
def test_the_matrix_fits_a_terminal(ws: Path, agents: str) -> None:
    """Many agents get numbers and letters; nothing of the line of progress is left between the rows."""
    code, shown = on_terminal(ws, "matrix", "--agent", agents, env={"NO_COLOR": "1"})
    assert code == 0
    lines = [line.rpartition("\x1b[K")[2] for line in shown.replace("\r\n", "\n").split("\n")]
    assert max(len(line) for line in lines if str(ws) not in line) <= 100
    assert ("1=codex" in shown) == (agents == "all")


def test_an_explanation_keeps_what_other_agents_read_to_one_line(ws: Path) -> None:
    """Files of the agent come with their reason; the rest is named."""
    shown = waybook("explain", "pkg/x.py", "--agent", "codex", cwd=ws, code=0).out
    assert "    pkg/AGENTS.md  outside  Codex does not look here" in shown
    assert "  of other agents: CLAUDE.md" in shown


def test_an_explanation_points_to_the_agents(ws: Path) -> None:
    """On the page for people only."""
    assert "add --agent all" in waybook("explain", "pkg/x.py", cwd=ws, code=0).out
    assert "add --agent all" not in waybook("explain", "pkg/x.py", "--json", cwd=ws, code=0).out


def test_agents_in_use_come_first(ws: Path) -> None:
    """With what the answers rest on, the names and the reach."""
    lines = waybook("agents", "list", cwd=ws, code=0).out.splitlines()
    first = next(index for index, line in enumerate(lines) if "in use" in line)
    assert first == 0
    assert lines[0].split()[0] == "claude-code"
    assert "measured on" in lines[0]
    assert lines[1].startswith("    CLAUDE.md, ")
