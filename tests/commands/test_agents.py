"""agents.list, agents.explain and agents.matrix through the program, on real trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waybook.app import App
from waybook.base.actor import Actor
from waybook.base.errors import NotFoundError, UsageError
from waybook.base.records import to_json
from waybook.commands.model import Call
from waybook.commands.registry import load

if TYPE_CHECKING:
    from pathlib import Path

CALL = Call(Actor("agent", "any"))


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A directory that stands for `/`: a home, a machine-wide file, a repository with a nested package."""
    root = tmp_path / "box"
    for path, text in {
        "etc/claude-code/CLAUDE.md": "managed\n",
        "home/robin/.codex/AGENTS.md": "codex home\n",
        "srv/repo/AGENTS.md": "root guide\n",
        "srv/repo/CLAUDE.md": "claude root\n",
        "srv/repo/pkg/AGENTS.md": "package guide\n",
        "srv/repo/pkg/CLAUDE.md": "claude package\n",
        "srv/repo/pkg/x.py": "",
    }.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (root / "srv/repo/.git").mkdir()
    return root.resolve()


def ask(command_id: str, here: Path, **values: Any) -> Any:
    command = load(command_id)
    app = App(environ={"HOME": "/nonexistent"}, cwd=str(here))
    return to_json(command.run(app, command.params(**values), CALL))


def chains(answer: dict[str, Any]) -> dict[str, list[tuple[str, str]]]:
    return {item["agent"]: [(found["path"], found["when"]) for found in item["chain"]] for item in answer["agents"]}


def test_explain_answers_each_agent_in_a_box(box: Path) -> None:
    """agents.explain: machine-wide, home and nested files, by agent, with paths as people read them."""
    answer = ask(
        "agents.explain",
        box / "srv/repo",
        target="pkg/x.py",
        agent=("codex,claude-code",),
        root=str(box),
        home=str(box / "home/robin"),
    )
    assert chains(answer) == {
        "codex": [("~/.codex/AGENTS.md", "start"), ("AGENTS.md", "start")],
        "claude-code": [("/etc/claude-code/CLAUDE.md", "start"), ("CLAUDE.md", "start"), ("pkg/CLAUDE.md", "lazy")],
    }
    assert answer["workspace"] == str(box / "srv/repo")
    assert answer["workspace_found_by"] == ".git"
    assert answer["target"] == "pkg/x.py"
    assert answer["cwd"] == str(box / "srv/repo")
    first = answer["agents"][0]["chain"][0]
    assert first["abs_path"] == str(box / "home/robin/.codex/AGENTS.md")
    assert {"version", "confidence", "chain", "not_loaded", "notes", "bytes", "tokens"} < set(answer["agents"][0])
    assert answer["agents"][0]["tokens"] > 0


def test_explain_depends_on_where_the_agent_was_started(box: Path) -> None:
    """Started in the package, Codex reads the package's guide too."""
    answer = ask("agents.explain", box / "srv/repo", agent=("codex",), cwd="pkg", root=str(box))
    assert chains(answer)["codex"] == [("AGENTS.md", "start"), ("pkg/AGENTS.md", "start")]


def test_paths_inside_the_box_may_be_named_as_the_agent_sees_them(box: Path, tmp_path: Path) -> None:
    """With --root, /srv/repo means the box's /srv/repo."""
    answer = ask(
        "agents.explain", tmp_path, agent=("codex",), cwd="/srv/repo/pkg", workspace="/srv/repo", root=str(box)
    )
    assert answer["cwd"] == str(box / "srv/repo/pkg")
    assert chains(answer)["codex"] == [("AGENTS.md", "start"), ("pkg/AGENTS.md", "start")]


def test_targets_outside_the_workspace_and_directories_are_allowed(box: Path) -> None:
    """A target may lie beside the workspace, or be a directory."""
    (box / "srv/other").mkdir()
    for target in ("../other/new.py", "pkg"):
        answer = ask("agents.explain", box / "srv/repo", target=target, agent=("all",), workspace=".", root=str(box))
        assert len(answer["agents"]) == 17


def test_prayu_is_an_agent_like_the_others(box: Path) -> None:
    """The profile that pins are made of answers in the same form, a refusal included."""
    answer = ask("agents.explain", box / "srv/repo", target="pkg/x.py", agent=("prayu",), root=str(box))
    assert [path for path, _ in chains(answer)["prayu"]] == ["AGENTS.md", "CLAUDE.md", "pkg/AGENTS.md", "pkg/CLAUDE.md"]
    (box / "srv/repo/pkg/CLAUDE.md").unlink()
    (box / "srv/repo/pkg/CLAUDE.md").symlink_to("AGENTS.md")
    refused = ask("agents.explain", box / "srv/repo", target="pkg/x.py", agent=("prayu",), root=str(box))["agents"][0]
    assert refused["chain"] == []
    assert {item["path"]: item["reason"] for item in refused["not_loaded"]}["AGENTS.md"] == "link"
    assert "symlink" in refused["notes"][0]


def test_unknown_agents_and_missing_directories_are_named(box: Path) -> None:
    """Errors say what was typed and what there is."""
    with pytest.raises(UsageError, match="no agent 'kodex'"):
        ask("agents.explain", box / "srv/repo", agent=("kodex",))
    with pytest.raises(NotFoundError, match="nowhere is no directory"):
        ask("agents.explain", box / "srv/repo", agent=("codex",), cwd="nowhere")


def test_list_says_which_agents_left_traces(box: Path) -> None:
    """agents.list: in use are those with something of their own here or in the home."""
    (box / "srv/repo/.cursor").mkdir()
    answer = ask("agents.list", box / "srv/repo")
    assert {item["id"] for item in answer["agents"] if item["in_use"]} == {"claude-code", "cursor"}
    assert {item["confidence"] for item in answer["agents"]} <= {"measured", "source", "documented", "reported"}


def test_the_agents_that_matter_are_a_setting(box: Path) -> None:
    """`agents` in waybook.toml replaces what traces say."""
    (box / "srv/repo/waybook.toml").write_text('agents = ["codex"]\n')
    assert chains(ask("agents.explain", box / "srv/repo")).keys() == {"codex"}


def test_matrix_tells_the_agents_apart(box: Path) -> None:
    """agents.matrix: one row a file, the state for each agent, emitted row by row."""
    command = load("agents.matrix")
    parts: list[Any] = []
    app = App(environ={"HOME": "/nonexistent"}, cwd=str(box / "srv/repo"))
    params = command.params(agent=("codex", "claude-code", "copilot-cli"), root=str(box))
    result = command.run(app, params, Call(Actor("agent", "any"), emit=parts.append))
    answer = to_json(result)
    states = {
        row["path"]: [row["agents"][name]["state"] for name in ("codex", "claude-code", "copilot-cli")]
        for row in answer["rows"]
    }
    assert states["AGENTS.md"] == ["start", "not_loaded", "start"]
    assert states["CLAUDE.md"] == ["unread", "start", "start"]
    assert states["pkg/AGENTS.md"] == ["not_loaded", "not_loaded", "lazy"]
    assert states["pkg/CLAUDE.md"] == ["unread", "lazy", "lazy"]
    assert len(parts) == 1 + len(answer["rows"])
