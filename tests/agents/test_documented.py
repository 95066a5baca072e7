"""Agents known by their documents: the documented examples hold, and every answer says that nothing was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.trees import ask, lazy, listed, plant, reasons, start
from waybook.agents import DOCUMENTED, MEASURED, profile

if TYPE_CHECKING:
    from pathlib import Path


def test_every_documented_answer_says_so(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a"})
    for agent in DOCUMENTED:
        answer = ask(tmp_path, agent)
        assert answer.confidence != "measured"
        assert any("measured" in note for note in answer.notes), agent
    assert all(profile(agent).confidence == "measured" for agent in MEASURED)


def test_cursor(tmp_path: Path) -> None:
    rules = ".cursor/rules"
    plant(
        tmp_path,
        {
            f"{rules}/a.mdc": "---\nalwaysApply: true\n---\na", f"{rules}/b.mdc": "---\nglobs: '*.ts'\n---\nb",
            f"{rules}/c.md": "c", f"{rules}/d.mdc": "---\ndescription: d\n---\nd", f"{rules}/e.mdc": '---\nalwaysApply: "true"\n---\ne',
            "AGENTS.md": "A", "pkg/AGENTS.md": "P", "pkg/x.py": "",
        },
    )  # fmt: skip
    answer = ask(tmp_path, "cursor", "pkg/x.py")
    assert start(answer) == [f"{rules}/a.mdc", "AGENTS.md"]
    assert (lazy(answer), listed(answer)) == (["pkg/AGENTS.md"], [f"{rules}/d.mdc"])
    assert reasons(answer) == {
        f"{rules}/b.mdc": "conditional",
        f"{rules}/c.md": "wrong_name",
        f"{rules}/e.mdc": "conditional",
    }


def test_zed_takes_the_first_of_its_list(tmp_path: Path) -> None:
    plant(tmp_path, {".cursorrules": "c", "AGENTS.md": "a"})
    answer = ask(tmp_path, "zed")
    assert (start(answer), reasons(answer)) == ([".cursorrules"], {"AGENTS.md": "shadowed"})


def test_amp_walks_up_to_the_home(tmp_path: Path) -> None:
    from waybook.agents import Request

    plant(
        tmp_path, {"~/AGENTS.md": "h", "~/w/r/.git": None, "~/w/r/CLAUDE.md": "see @docs/*.md", "~/w/r/docs/a.md": "a"}
    )
    request = Request(workspace="/h/u/w/r", home="/h/u", root=str(tmp_path))
    assert start(profile("amp").load(request)) == ["~/AGENTS.md", "CLAUDE.md", "docs/a.md"]


def test_roo_code(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"AGENTS.md": "a", "AGENTS.local.md": "l", ".roo/rules/b.md": "b", ".roo/rules/A.md": "A", ".roorules": "old"},
    )
    answer = ask(tmp_path, "roo-code")
    assert start(answer) == ["AGENTS.md", "AGENTS.local.md", ".roo/rules/A.md", ".roo/rules/b.md"]
    assert reasons(answer) == {".roorules": "shadowed"}


def test_windsurf_rules_have_triggers(tmp_path: Path) -> None:
    rules = ".windsurf/rules"
    plant(
        tmp_path,
        {
            "AGENTS.md": "a", "pkg/AGENTS.md": "p", "pkg/x.py": "", f"{rules}/a.md": "---\ntrigger: always_on\n---\n" + "x" * 12_001,
            f"{rules}/b.md": "---\ntrigger: glob\nglobs: '**/*.py'\n---\nb", f"{rules}/c.md": "---\ntrigger: manual\n---\nc",
        },
    )  # fmt: skip
    answer = ask(tmp_path, "windsurf", "pkg/x.py")
    assert (start(answer), lazy(answer)) == (["AGENTS.md", f"{rules}/a.md"], [f"{rules}/b.md", "pkg/AGENTS.md"])
    assert [item.path for item in answer.chain if not item.complete] == [f"{rules}/a.md"]
    assert reasons(answer) == {f"{rules}/c.md": "conditional"}


def test_vscode_offers_what_has_no_pattern(tmp_path: Path) -> None:
    folder = ".github/instructions"
    plant(
        tmp_path,
        {
            "AGENTS.md": "a", "pkg/AGENTS.md": "p", "pkg/x.py": "", f"{folder}/a.instructions.md": "a",
            f"{folder}/b.instructions.md": "---\napplyTo: '*.PY'\n---\nb", "CLAUDE.md": "c",
            ".vscode/settings.json": '{\n  // off\n  "chat.useClaudeMdFile": false,\n  "chat.useNestedAgentsMdFiles": true,\n}',
        },
    )  # fmt: skip
    answer = ask(tmp_path, "vscode-copilot", "pkg/x.py")
    assert start(answer) == ["AGENTS.md"]
    assert (lazy(answer), listed(answer)) == (
        [f"{folder}/b.instructions.md"],
        ["pkg/AGENTS.md", f"{folder}/a.instructions.md"],
    )
    assert reasons(answer) == {"CLAUDE.md": "excluded"}


def test_dsh_claims_nothing(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a"})
    answer = ask(tmp_path, "dsh")
    assert (answer.chain, answer.not_loaded) == ((), ())
