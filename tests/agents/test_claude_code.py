"""Claude Code's rules one by one, beyond the recorded runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents.trees import Link, ask, lazy, plant, reasons, start

if TYPE_CHECKING:
    from pathlib import Path

AGENT = "claude-code"
RULE = ".claude/rules/r.md"


def rule(patterns: str, key: str = "paths") -> str:
    return f"---\n{key}: {patterns}\n---\nbody\n"


def touched(root: Path, tree: dict[str, Any], target: str = "pkg/x.py", cwd: str = "") -> tuple[list[str], list[str]]:
    plant(root, {target: "x", **tree})
    answer = ask(root, AGENT, target, cwd)
    return start(answer), lazy(answer)


@pytest.mark.parametrize(
    "pattern",
    [
        "*.py",
        "x.py",
        "pkg",
        "pkg/",
        "/pkg/x.py",
        "pkg/*.py",
        "PKG/*.PY",
        "*",
        "pkg/[x].py",
        "pkg/*.{py,ts}",
        "**/*",
        "pkg/**",
    ],
)
def test_patterns_match_as_those_of_gitignore(tmp_path: Path, pattern: str) -> None:
    assert touched(tmp_path, {RULE: rule(f'"{pattern}"')}) == ([], [RULE])


@pytest.mark.parametrize("pattern", ["./pkg/x.py", "!pkg/x.py", "../**", "pkg/[x.py", "src/*.py", "other"])
def test_patterns_that_do_not_match(tmp_path: Path, pattern: str) -> None:
    assert touched(tmp_path, {RULE: rule(f'"{pattern}"')}) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        rule('"**"'),
        rule("[]"),
        rule("null"),
        rule('"**/*.ts"', "globs"),
        rule('"**/*.ts"', "applyTo"),
        "\n" + rule('"*.ts"'),
    ],
)
def test_rules_without_a_condition_load_at_the_start(tmp_path: Path, text: str) -> None:
    assert touched(tmp_path, {RULE: text}) == ([RULE], [])


@pytest.mark.parametrize(
    "text",
    [
        rule("**/*.py"),
        rule('["*.ts", "*.py"]'),
        rule("*.ts, *.py"),
        "\ufeff" + rule('"*.py"'),
        rule('"*.py"').replace("\n", "\r\n"),
    ],
)
def test_every_way_to_write_paths_waits_for_its_file(tmp_path: Path, text: str) -> None:
    assert touched(tmp_path, {RULE: text}) == ([], [RULE])


def test_patterns_count_from_the_owner_of_the_rules(tmp_path: Path) -> None:
    """In pkg/.claude/rules the pattern pkg/*.py does not match pkg/x.py; *.py does."""
    tree = {"pkg/.claude/rules/a.md": rule('"pkg/*.py"'), "pkg/.claude/rules/b.md": rule('"*.py"')}
    assert touched(tmp_path, tree) == ([], ["pkg/.claude/rules/b.md"])


def test_unreadable_front_matter_drops_a_rule(tmp_path: Path) -> None:
    plant(tmp_path, {RULE: rule("[")})
    assert reasons(ask(tmp_path, AGENT)) == {RULE: "excluded"}


def test_imports_of_a_waiting_rule_load_at_the_start(tmp_path: Path) -> None:
    tree = {RULE: "---\npaths: '*.ts'\n---\n@../../docs/x.md\n", "docs/x.md": "x"}
    assert touched(tmp_path, tree) == (["docs/x.md"], [])


def test_imports_go_four_files_deep(tmp_path: Path) -> None:
    tree = {"CLAUDE.md": "a @1.md", **{f"{n}.md": f"x @{n + 1}.md" for n in range(1, 7)}}
    plant(tmp_path, tree)
    assert start(ask(tmp_path, AGENT)) == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md"]


def test_an_import_from_outside_needs_approval(tmp_path: Path) -> None:
    plant(
        tmp_path, {"CLAUDE.md": "a @../o.md @~/h.md", "/w/o.md": "o", "~/h.md": "h", "~/.claude/CLAUDE.md": "u @~/h.md"}
    )
    answer = ask(tmp_path, AGENT)
    assert start(answer) == ["~/.claude/CLAUDE.md", "~/h.md", "CLAUDE.md"]
    assert reasons(answer) == {"/w/o.md": "outside"}
    assert any("approval" in note for note in answer.notes)


@pytest.mark.parametrize("own", ["", " \n", "<!-- only this -->\n", "---\na: b\n---\n"])
def test_a_claude_file_without_text_does_not_displace(tmp_path: Path, own: str) -> None:
    plant(tmp_path, {"AGENTS.md": "a", "CLAUDE.md": own})
    answer = ask(tmp_path, AGENT)
    assert start(answer) == ["AGENTS.md"]
    assert reasons(answer) == {"CLAUDE.md": "empty"}


def test_nested_agents_files_beside_a_nested_claude_file(tmp_path: Path) -> None:
    """A directory's own CLAUDE file beats its AGENTS.md; the next directory's AGENTS.md still loads."""
    tree = {"AGENTS.md": "a", "pkg/CLAUDE.md": "c", "pkg/AGENTS.md": "n", "pkg/s/AGENTS.md": "s", "pkg/s/y.py": "y"}
    plant(tmp_path, tree)
    answer = ask(tmp_path, AGENT, "pkg/s/y.py")
    assert (start(answer), sorted(lazy(answer))) == (["AGENTS.md"], ["pkg/CLAUDE.md", "pkg/s/AGENTS.md"])
    assert reasons(answer)["pkg/AGENTS.md"] == "displaced"


def test_a_root_claude_file_displaces_every_nested_agents_file(tmp_path: Path) -> None:
    assert touched(tmp_path, {"CLAUDE.md": "c", "pkg/AGENTS.md": "a"}) == (["CLAUDE.md"], [])


@pytest.mark.parametrize(("more", "loaded"), [(0, ["CLAUDE.md"]), (1, [])])
def test_four_mebibytes_load_and_one_byte_more_does_not(tmp_path: Path, more: int, loaded: list[str]) -> None:
    plant(tmp_path, {"CLAUDE.md": "a" * (4 * 1024 * 1024 + more)})
    assert start(ask(tmp_path, AGENT)) == loaded


def test_a_rule_that_links_outside_is_not_followed(tmp_path: Path) -> None:
    plant(
        tmp_path, {RULE: Link("../../../o.md"), "/w/o.md": "o", ".claude/rules/in.md": Link("../../d.md"), "d.md": "d"}
    )
    answer = ask(tmp_path, AGENT)
    assert start(answer) == [".claude/rules/in.md"]
    assert reasons(answer) == {RULE: "link"}


def test_a_folder_of_rules_that_links_to_itself_ends(tmp_path: Path) -> None:
    plant(tmp_path, {RULE: "r", ".claude/rules/loop": Link("..")})
    assert start(ask(tmp_path, AGENT)) == [RULE]


def test_a_target_that_does_not_exist_yet_brings_its_directory(tmp_path: Path) -> None:
    plant(tmp_path, {"pkg/CLAUDE.md": "c"})
    assert lazy(ask(tmp_path, AGENT, "pkg/new/file.py")) == ["pkg/CLAUDE.md"]


def test_project_settings_cannot_choose_the_instruction_files(tmp_path: Path) -> None:
    choice = '{"pluginConfigs": {"agents-md@builtin": {"options": {"instructionFiles": "claude-md"}}}}'
    plant(tmp_path, {"AGENTS.md": "a", ".claude/settings.json": choice})
    assert start(ask(tmp_path, AGENT)) == ["AGENTS.md"]
    plant(tmp_path, {"~/.claude/settings.json": choice})
    assert start(ask(tmp_path, AGENT)) == []


def test_a_relative_exclusion_takes_nothing(tmp_path: Path) -> None:
    plant(tmp_path, {"CLAUDE.md": "c", ".claude/settings.json": '{"claudeMdExcludes": ["CLAUDE.md"]}'})
    assert start(ask(tmp_path, AGENT)) == ["CLAUDE.md"]


def test_both_kinds_count_one_text_once(tmp_path: Path) -> None:
    choice = '{"pluginConfigs": {"agents-md@builtin": {"options": {"instructionFiles": "claude-md-and-agents-md"}}}}'
    plant(tmp_path, {"AGENTS.md": "same", "CLAUDE.md": "same", "~/.claude/settings.json": choice})
    assert start(ask(tmp_path, AGENT)) == ["CLAUDE.md"]


def test_what_the_sources_of_settings_leave_out(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a", "CLAUDE.local.md": "l", "~/.claude/CLAUDE.md": "u"})
    found = {
        given: start(ask(tmp_path, AGENT, args=("--setting-sources", given)))
        for given in ("user", "project", "project,local")
    }
    assert found == {"user": ["~/.claude/CLAUDE.md"], "project": ["AGENTS.md"], "project,local": ["CLAUDE.local.md"]}


def test_the_users_file_does_not_displace_even_on_the_way_up(tmp_path: Path) -> None:
    """A project inside the home passes ~/.claude once more as a project's folder; it stays the user's."""
    from waybook.agents import Request, profile

    rules = {"~/.claude/rules/a.md": "a", "~/.claude/rules/b.md": rule("x.py")}
    plant(tmp_path, {"~/.claude/CLAUDE.md": "u", "~/p/AGENTS.md": "a", "~/p/x.py": "", **rules})
    request = Request(workspace="/h/u/p", home="/h/u", root=str(tmp_path), target="/h/u/p/x.py")
    answer = profile(AGENT).load(request)
    assert start(answer) == ["~/.claude/CLAUDE.md", "~/.claude/rules/a.md", "AGENTS.md"]
    assert lazy(answer) == ["~/.claude/rules/b.md"]


def test_a_nested_claude_file_hides_the_agents_file_beside_it(tmp_path: Path) -> None:
    assert touched(tmp_path, {"pkg/CLAUDE.md": "c", "pkg/AGENTS.md": "a"}) == ([], ["pkg/CLAUDE.md"])


def test_settings_of_the_command_line_count(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a", "s.json": '{"claudeMdExcludes": ["**/AGENTS.md"]}'})
    choice = '{"pluginConfigs": {"agents-md@builtin": {"options": {"instructionFiles": "claude-md"}}}}'
    assert start(ask(tmp_path, AGENT, args=("--settings", choice))) == []
    assert reasons(ask(tmp_path, AGENT, args=("--settings", "s.json"))) == {"AGENTS.md": "excluded"}
