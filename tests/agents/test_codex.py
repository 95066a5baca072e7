"""Codex's rules one by one, beyond the recorded runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.trees import Link, ask, plant, reasons, start

if TYPE_CHECKING:
    from pathlib import Path


def test_an_empty_override_shadows(tmp_path: Path) -> None:
    """Existence takes the slot, not content."""
    plant(tmp_path, {".git": None, "AGENTS.md": "a", "AGENTS.override.md": "", "pkg/AGENTS.md": "p"})
    answer = ask(tmp_path, "codex", cwd="pkg")
    assert start(answer) == ["pkg/AGENTS.md"]
    assert reasons(answer) == {"AGENTS.md": "shadowed", "AGENTS.override.md": "empty"}


def test_the_budget_loses_the_nearest_file(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "a" * 40_000, "pkg/AGENTS.md": "p"})
    answer = ask(tmp_path, "codex", cwd="pkg")
    (root,) = answer.chain
    assert (root.cut_at, root.bytes, root.complete, answer.bytes) == (32_768, 40_000, False, 32_768)
    assert reasons(answer) == {"pkg/AGENTS.md": "over_budget"}


def test_a_split_character_ends_the_cut(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "€" * 5, "~/.codex/config.toml": "project_doc_max_bytes = 7"})
    assert [item.cut_at for item in ask(tmp_path, "codex").chain] == [7]


def test_the_users_empty_override_falls_through(tmp_path: Path) -> None:
    plant(tmp_path, {"~/.codex/AGENTS.override.md": " \n", "~/.codex/AGENTS.md": "u"})
    assert start(ask(tmp_path, "codex")) == ["~/.codex/AGENTS.md"]


def test_an_untrusted_project_gives_nothing(tmp_path: Path) -> None:
    config = '[projects."/w/r"]\ntrust_level = "untrusted"\n'
    plant(tmp_path, {".git": None, "AGENTS.md": "a", "~/.codex/config.toml": config, "~/.codex/AGENTS.md": "u"})
    answer = ask(tmp_path, "codex")
    assert start(answer) == ["~/.codex/AGENTS.md"]
    assert reasons(answer) == {"AGENTS.md": "excluded"}


def test_only_a_trusted_project_changes_the_budget_and_none_its_markers(tmp_path: Path) -> None:
    own = 'project_doc_max_bytes = 3\nproject_root_markers = [".x"]\n'
    plant(tmp_path, {".git": None, "AGENTS.md": "abcdef", ".codex/config.toml": own, "pkg/.x": "", "pkg/y": ""})
    assert [item.cut_at for item in ask(tmp_path, "codex", cwd="pkg").chain] == [None]
    plant(tmp_path, {"~/.codex/config.toml": '[projects."/w/r"]\ntrust_level = "trusted"\n'})
    assert [item.cut_at for item in ask(tmp_path, "codex", cwd="pkg").chain] == [3]


def test_links_are_followed_and_broken_ones_are_absent(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.override.md": Link("gone.md"), "AGENTS.md": Link("/w/o.md"), "/w/o.md": "o"})
    answer = ask(tmp_path, "codex")
    assert start(answer) == ["AGENTS.md"]
    assert reasons(answer) == {"AGENTS.override.md": "link"}


def test_what_codex_does_not_read_says_why(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "agents.md": "a", "CLAUDE.md": "c", "pkg/AGENTS.md": "p", "pkg/x.py": ""})
    answer = ask(tmp_path, "codex", "pkg/x.py")
    assert reasons(answer) == {"agents.md": "wrong_name", "CLAUDE.md": "wrong_name", "pkg/AGENTS.md": "outside"}


def test_the_command_line_overrides_the_settings(tmp_path: Path) -> None:
    plant(tmp_path, {".git": None, "AGENTS.md": "abcdef", "pkg/.x": "", "pkg/TEAM.md": "t"})
    args = ("-c", "project_doc_max_bytes=3", "-c", 'project_doc_fallback_filenames=["TEAM.md"]', "-c", "broken")
    assert [(item.path, item.cut_at) for item in ask(tmp_path, "codex", args=args).chain] == [("AGENTS.md", 3)]
    marked = (*args, "--config", 'project_root_markers=[".x"]', "-C", "pkg")
    assert start(ask(tmp_path, "codex", args=marked)) == ["pkg/TEAM.md"]
    distrust = ("-c", 'projects."/w/r".trust_level="untrusted"')
    assert start(ask(tmp_path, "codex", args=distrust)) == []
