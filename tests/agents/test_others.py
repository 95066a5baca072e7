"""Rules of the other measured agents, one by one, beyond the recorded runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents.trees import REPO, Link, ask, lazy, listed, plant, reasons, start
from waybook.agents.cline import collation_key

if TYPE_CHECKING:
    from pathlib import Path

I = ".github/instructions"  # noqa: E741 - short on purpose: every line of this file uses it


def test_copilot_lists_what_waits_and_loads_it_when_viewed(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".git": None, "AGENTS.md": "a", "pkg/AGENTS.md": "p", "pkg/x.py": "",
            f"{I}/a.instructions.md": '---\napplyTo: "**/*.py"\n---\nx', f"{I}/b.instructions.md": "b",
        },
    )  # fmt: skip
    assert listed(ask(tmp_path, "copilot-cli")) == [f"{I}/a.instructions.md"]
    answer = ask(tmp_path, "copilot-cli", "pkg/x.py")
    assert start(answer) == ["AGENTS.md", f"{I}/b.instructions.md"]
    assert lazy(answer) == [f"{I}/a.instructions.md", "pkg/AGENTS.md"]


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [("*.py", True), ("x.py", True), ("./pkg/x.py", True), ("pkg/*.py", True), ("PKG/*.py", False),
     ("/pkg/x.py", False), ("pkg", False), ("pkg/", False), ("*.ts, *.py", True)],
)  # fmt: skip
def test_copilot_patterns(tmp_path: Path, pattern: str, matches) -> None:
    path = f"{I}/a.instructions.md"
    plant(tmp_path, {".git": None, path: f'---\napplyTo: "{pattern}"\n---\nx', "pkg/x.py": ""})
    answer = ask(tmp_path, "copilot-cli", "pkg/x.py")
    assert (lazy(answer), listed(answer)) == (([path], []) if matches else ([], [path]))


def test_copilot_counts_one_text_once_but_not_an_import(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "same", "CLAUDE.md": "same", "GEMINI.md": "g @x.md", "x.md": "x"})
    answer = ask(tmp_path, "copilot-cli")
    assert start(answer) == ["AGENTS.md", "GEMINI.md"]
    assert reasons(answer) == {"CLAUDE.md": "displaced"}


def test_gemini_sorts_by_path_so_a_folder_may_come_before_its_parent(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "GEMINI.md": "g", "Code/GEMINI.md": "c"})
    assert start(ask(tmp_path, "gemini-cli", cwd="Code")) == ["Code/GEMINI.md", "GEMINI.md"]


def test_gemini_loads_on_touch_from_the_boundary_down(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "GEMINI.md": "g", "pkg/GEMINI.md": "p", "pkg/x.py": ""})
    answer = ask(tmp_path, "gemini-cli", "pkg/x.py")
    assert (start(answer), lazy(answer)) == (["GEMINI.md"], ["pkg/GEMINI.md"])


def test_gemini_counts_hard_links_once(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "GEMINI.md": "g", "a/x": ""})
    (tmp_path / REPO[1:] / "a/GEMINI.md").hardlink_to(tmp_path / REPO[1:] / "GEMINI.md")
    answer = ask(tmp_path, "gemini-cli", cwd="a")
    assert start(answer) == ["GEMINI.md"]
    assert reasons(answer) == {"a/GEMINI.md": "displaced"}


def test_gemini_untrusted_gives_only_the_users_file(tmp_path: Path) -> None:
    trust = f'{{"{REPO}": "DO_NOT_TRUST"}}'
    plant(tmp_path, {"GEMINI.md": "g", "~/.gemini/GEMINI.md": "u", "~/.gemini/trustedFolders.json": trust})
    answer = ask(tmp_path, "gemini-cli")
    assert (start(answer), reasons(answer)) == (["~/.gemini/GEMINI.md"], {"GEMINI.md": "excluded"})


def test_gemini_imports_end_after_five_files(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "GEMINI.md": "@n1.md", **{f"n{n}.md": f"@n{n + 1}.md" for n in range(1, 8)}})
    answer = ask(tmp_path, "gemini-cli")
    assert start(answer) == ["GEMINI.md", *(f"n{n}.md" for n in range(1, 6))]
    assert reasons(answer) == {"n6.md": "over_budget"}


def test_many_crossing_imports_end_quickly(tmp_path: Path) -> None:
    """Every file imports every other one: the answer stays linear."""
    names = [f"n{n}.md" for n in range(40)]
    everything = " ".join(f"@{name}" for name in names)
    plant(
        tmp_path,
        {
            ".git": None,
            "GEMINI.md": everything,
            "QWEN.md": everything,
            "CLAUDE.md": everything,
            **dict.fromkeys(names, everything),
        },
    )
    for agent in ("gemini-cli", "qwen-code", "claude-code", "copilot-cli"):
        assert set(names) <= set(start(ask(tmp_path, agent)))


def test_qwen_rules_wait_for_their_paths_and_local_files_belong_to_the_root(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".git": None, ".qwen/rules/b.md": "b", ".qwen/rules/a.md": "---\npaths:\n  - '**/*.py'\n---\na",
            ".qwen/rules/c.md": "<!-- only -->", ".qwen/QWEN.local.md": "l", "pkg/x.py": "", "pkg/QWEN.md": "n",
        },
    )  # fmt: skip
    answer = ask(tmp_path, "qwen-code", "pkg/x.py")
    assert start(answer) == [".qwen/QWEN.local.md", ".qwen/rules/b.md"]
    assert lazy(answer) == [".qwen/rules/a.md"]
    assert reasons(answer) == {".qwen/rules/c.md": "empty", "pkg/QWEN.md": "outside"}


def test_qwen_untrusted_gives_only_the_users_files(tmp_path: Path) -> None:
    settings = '{"security": {"folderTrust": {"enabled": true}}}'
    plant(tmp_path, {"QWEN.md": "q", "AGENTS.md": "a", "~/.qwen/AGENTS.md": "u", "~/.qwen/settings.json": settings})
    answer = ask(tmp_path, "qwen-code")
    assert start(answer) == ["~/.qwen/AGENTS.md"]
    assert reasons(answer) == {"QWEN.md": "excluded", "AGENTS.md": "excluded"}


def test_opencode_chooses_one_name_even_by_an_empty_file_or_a_folder(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "CLAUDE.md": "c", "pkg/AGENTS.md": "p"})
    answer = ask(tmp_path, "opencode", cwd="pkg")
    assert (start(answer), reasons(answer)) == (["pkg/AGENTS.md"], {"CLAUDE.md": "displaced"})
    plant(tmp_path, {"AGENTS.md": None})
    assert start(ask(tmp_path, "opencode")) == []


def test_opencode_touches_the_nearest_first_and_each_directory_by_its_own_name(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "a", "p/CLAUDE.md": "c", "p/q/AGENTS.md": "q", "p/q/x.py": ""})
    assert lazy(ask(tmp_path, "opencode", "p/q/x.py")) == ["p/q/AGENTS.md", "p/CLAUDE.md"]


def test_pi_keeps_the_place_for_a_blank_file(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": " ", "CLAUDE.md": "c", "a/AGENTS.MD": "u", "/AGENTS.md": "top"})
    answer = ask(tmp_path, "pi", cwd="a")
    assert start(answer) == ["/AGENTS.md", "a/AGENTS.MD"]
    assert reasons(answer) == {"AGENTS.md": "empty", "CLAUDE.md": "shadowed"}


def test_cline_sorts_and_keeps_one_rule_of_a_name(tmp_path: Path) -> None:
    names = ["B", "a", "2-a", "10-b", "_u"]
    plant(
        tmp_path,
        {
            **{f".clinerules/{name}.md": name for name in names},
            "~/.cline/rules/a.md": "user", "~/Documents/Cline/Rules/A.md": "mine", ".clinerules/off.md": "---\nenabled: false\n---\nx",
            ".clinerules/l.md": Link("a.md"),
        },
    )  # fmt: skip
    answer = ask(tmp_path, "cline")
    assert start(answer) == [
        ".clinerules/_u.md", ".clinerules/10-b.md", ".clinerules/2-a.md", "~/Documents/Cline/Rules/A.md", ".clinerules/B.md",
    ]  # fmt: skip
    assert reasons(answer) == {
        ".clinerules/a.md": "displaced", "~/.cline/rules/a.md": "displaced", ".clinerules/off.md": "excluded", ".clinerules/l.md": "link",
    }  # fmt: skip


def test_names_sort_as_readers_expect() -> None:
    assert sorted(["B", "a", "2-a", "10-b", "_u", "A"], key=collation_key) == ["_u", "10-b", "2-a", "a", "A", "B"]


def test_vibe_needs_trust(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a", "~/.vibe/AGENTS.md": "u"})
    answer = ask(tmp_path, "vibe", settings={"trusted": False})
    assert (start(answer), reasons(answer)) == (["~/.vibe/AGENTS.md"], {"AGENTS.md": "excluded"})
    assert any("trust" in note for note in ask(tmp_path, "vibe").notes)


def test_only_vibe_reads_utf_16(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "a".encode("utf-16")})
    for agent in ("codex", "claude-code", "copilot-cli", "opencode", "pi", "cline", "qwen-code"):
        assert reasons(ask(tmp_path, agent)) == {"AGENTS.md": "empty"}
    assert [item.complete for item in ask(tmp_path, "vibe").chain] == [True]


def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path: Path) -> None:
    """Copilot CLI asks git itself; a worktree's file that leads to a repository counts."""
    plant(tmp_path, {"AGENTS.md": "a", ".git/x": "", "pkg/.git": None, "tree/AGENTS.md": "t"})
    (tmp_path / REPO[1:] / "tree/sub").mkdir()
    git = tmp_path / REPO[1:] / "tree/.git"
    git.write_text("gitdir: ../gone\n")
    assert start(ask(tmp_path, "copilot-cli", cwd="tree/sub")) == []
    git.write_text("gitdir: ../pkg/.git\n")
    assert start(ask(tmp_path, "copilot-cli", cwd="tree/sub")) == ["tree/AGENTS.md"]
