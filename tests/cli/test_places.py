"""Which workspace and which target a person means, and names that are hard to print."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from support.workspaces import make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")


def _sources(*arguments: str, cwd: Path) -> tuple[str, str, list[str]]:
    """Workspace, how it was found, and the chain."""
    found = waybook("explain", *arguments, "--json", cwd=cwd, code=0).json
    return found["workspace"], found["workspace_found_by"], [source["path"] for source in found["sources"]]


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A git checkout with a nested guide."""
    return make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n", "a/b/AGENTS.md": "b\n", "a/b/x.py": ""})


def test_a_target_is_relative_to_the_current_directory(ws: Path) -> None:
    """From below, `x.py` is the file beside you and the workspace is the checkout above."""
    assert _sources("x.py", cwd=ws / "a/b") == (str(ws), ".git", ["AGENTS.md", "a/b/AGENTS.md"])
    assert _sources("../../README", cwd=ws / "a/b") == (str(ws), ".git", ["AGENTS.md"])
    assert _sources(cwd=ws / "a/b")[2] == ["AGENTS.md", "a/b/AGENTS.md"]


def test_an_absolute_target_finds_its_own_workspace(ws: Path, tmp_path: Path) -> None:
    """From anywhere, with or without --workspace."""
    assert _sources(str(ws / "a/b/x.py"), cwd=tmp_path) == (str(ws), ".git", ["AGENTS.md", "a/b/AGENTS.md"])
    both = ("--workspace", str(ws), str(ws / "a/b/x.py"))
    assert _sources(*both, cwd=tmp_path) == (str(ws), "argument", ["AGENTS.md", "a/b/AGENTS.md"])


def test_with_a_workspace_the_target_is_relative_to_it(ws: Path, tmp_path: Path) -> None:
    """The protocol's meaning, whatever the current directory is."""
    assert _sources("a/b/x.py", "--workspace", "shop", cwd=tmp_path)[2] == ["AGENTS.md", "a/b/AGENTS.md"]
    outside = waybook("explain", "/etc/hostname", "--workspace", "shop", "--json", cwd=tmp_path, code=2).json
    assert outside["error"]["code"] == "invalid-target"


def test_prayu_marks_a_workspace_and_the_nearest_mark_wins(ws: Path) -> None:
    """A directory with `.prayu` below a checkout is a workspace of its own."""
    make_tree(ws / "a", {".prayu/instructions.md": "inner\n"})
    assert _sources("b/x.py", cwd=ws / "a") == (str(ws / "a"), ".prayu", [".prayu/instructions.md", "b/AGENTS.md"])


def test_without_any_mark_the_current_directory_counts(tmp_path: Path) -> None:
    """And the output says so."""
    make_tree(tmp_path / "plain", {"AGENTS.md": "g\n", "sub/x.py": ""})
    assert _sources("sub/x.py", cwd=tmp_path / "plain") == (
        str(tmp_path / "plain"),
        "current directory",
        ["AGENTS.md"],
    )
    assert "(found by: current directory)" in waybook("explain", cwd=tmp_path / "plain", code=0).out


def test_a_registered_name(ws: Path, tmp_path: Path) -> None:
    """Once pinned, a workspace is known by its directory's name from anywhere."""
    waybook("pin", cwd=ws, code=0)
    elsewhere = make_tree(tmp_path / "elsewhere", {})
    assert waybook("drift", "--workspace", "shop", "--json", cwd=elsewhere, code=0).json["workspace"] == str(ws)
    assert _sources("a/b/x.py", "--workspace", "shop", cwd=elsewhere)[1] == "registered name"
    listed = waybook("workspace", "list", "--json", cwd=elsewhere, code=0).json["workspaces"]
    assert [(item["name"], item["root"]) for item in listed] == [("shop", str(ws))]


def test_a_question_registers_nothing(ws: Path) -> None:
    """Only a pin or a run registers a workspace."""
    for question in (("explain",), ("check",), ("drift",), ("doctor",), ("context", "instructions")):
        waybook(*question, cwd=ws)
    assert waybook("workspace", "list", "--json", cwd=ws, code=0).json["workspaces"] == []


def test_a_symlinked_root_is_refused_with_the_real_one_named(ws: Path, tmp_path: Path) -> None:
    """--workspace through a link names where to go; standing in it works, since the shell's path is not ours."""
    (tmp_path / "link").symlink_to(ws)
    done = waybook("explain", "--workspace", "link", cwd=tmp_path, code=2)
    assert "symlink" in done.err
    assert str(ws) in done.err
    assert _sources("a/b/x.py", cwd=tmp_path / "link")[0] == str(ws)


def test_check_takes_paths_in_any_spelling(ws: Path) -> None:
    """`.`, `./a`, `a/`, absolute ones and ones from below mean the same files."""
    (ws / "a/b/AGENTS.md").write_text("")
    (ws / "AGENTS.override.md").write_text("\n")
    for arguments, cwd in [
        (("a",), ws),
        (("./a/",), ws),
        ((str(ws / "a"),), ws),
        ((".",), ws / "a"),
        (("b/AGENTS.md",), ws / "a"),
        (("./a/../a/b", "--workspace", "."), ws),
    ]:
        found = waybook("check", *arguments, "--json", cwd=cwd, code=1).json["findings"]
        assert {item["path"] for item in found} == {"a/b/AGENTS.md"}, arguments
    assert len(waybook("check", "--json", cwd=ws, code=1).json["findings"]) == 2


def test_check_of_paths_in_two_workspaces_is_refused(ws: Path, tmp_path: Path) -> None:
    """One check run is about one workspace."""
    other = make_tree(tmp_path / "other", {".git": None, "AGENTS.md": "o\n"})
    assert "2 workspaces" in waybook("check", str(ws), str(other), cwd=tmp_path, code=2).err


@pytest.mark.parametrize("name", ["with space", "new\nline", "tab\there", "\x1b[31mred", "-dash", "100% #1 ü 🧪"])
def test_odd_names_neither_break_nor_drive_the_terminal(tmp_path: Path, name: str) -> None:
    """Every command works in and on them; no control character reaches the output."""
    root = make_tree(tmp_path / name, {".git": None, "AGENTS.md": "g\n", f"{name}/AGENTS.md": "inner\n"})
    assert _sources(f"./{name}/x", cwd=root)[2] == ["AGENTS.md", f"{name}/AGENTS.md"]
    printable = name.isprintable()
    for arguments in (("explain", f"./{name}"), ("check",), ("check", "--format", "github"), ("doctor",)):
        done = waybook(*arguments, cwd=root, code=0)
        assert "\x1b" not in done.out
        assert f"{name}/" not in done.out or printable
    pinned = waybook("pin", "--json", cwd=root)
    if printable:
        assert [scope["scope"] for scope in pinned.json["scopes"]] == ["", name]
        waybook("drift", cwd=root, code=0)
    else:
        assert pinned.json["error"]["code"] == "bad-name"


@linux_only
def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    """Looking works and the JSON stays valid UTF-8; what has to be kept is refused with a reason."""
    root = os.fsencode(tmp_path) + b"/b\xffd"
    os.makedirs(root + b"/s\xfe")
    for directory in (root, root + b"/s\xfe"):
        with open(directory + b"/AGENTS.md", "w") as file:
            file.write("g\n")
    assert "b\\xffd" in waybook("explain", cwd=root, code=0).out
    assert waybook("explain", "--json", cwd=root, code=0).json["workspace"].endswith("b\ufffdd")
    assert waybook("explain", b"s\xfe", "--json", cwd=root, code=2).json["error"]["code"] == "invalid-target"
    for arguments in (("check",), ("check", "--json"), ("check", "--format", "sarif"), ("check", "--format", "github")):
        waybook(*arguments, cwd=root)
    assert waybook("pin", "--json", cwd=root, code=2).json["error"]["code"] in {
        "bad-text",
        "bad-name",
        "invalid-target",
    }
    assert waybook("run", "create", "--goal", "x", "--json", cwd=root, code=2).json["error"]["code"] == "bad-text"


def test_an_empty_directory(tmp_path: Path) -> None:
    """Nothing applies, nothing is wrong, and the words say so."""
    root = make_tree(tmp_path / "empty", {})
    assert "No instruction file applies" in waybook("explain", cwd=root, code=0).out
    assert "no findings" in waybook("check", cwd=root, code=0).out
    assert "holds no instruction files" in waybook("pin", cwd=root, code=0).out
    assert "No drift" in waybook("drift", cwd=root, code=0).out
