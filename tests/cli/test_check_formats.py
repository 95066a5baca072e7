"""`check` for people, for programs and for services, and its fixes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from support.workspaces import make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

LINKED: dict[str, str | bytes | None] = {
    ".git": None,
    "AGENTS.md": "# Guide\nRun the tests.\n",
    "svc/AGENTS.md": "# Service\n",
    "svc/CLAUDE.md": "-> AGENTS.md",
    "svc/sub/AGENTS.md": "# Below\n",
    "pkg/a b%, :ü/AGENTS.md": "",
}


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A linked file in one directory, an empty one under an awkward name."""
    return make_tree(tmp_path / "shop", LINKED)


def test_text_groups_findings_by_file_and_sums_up(ws: Path) -> None:
    """Place, severity and code on one line, the message below; then the sum and what can be fixed."""
    done = waybook("check", cwd=ws, code=1)
    assert "svc/CLAUDE.md\n  1:1     error  discovery-failed\n" in done.out
    assert re.search(r"^5 instruction files checked: \d findings \(.*errors?.*\)\.$", done.out, re.MULTILINE)
    assert f"workspace {ws} (found by: .git)" in done.out
    assert "1 finding can be fixed now: `waybook check --fix`" in done.out


def test_json_findings_have_a_place_and_say_which_fix(ws: Path) -> None:
    """Lines and columns count from 1."""
    found = waybook("check", "--json", cwd=ws, code=1).json
    by_code = {item["code"]: item for item in found["findings"]}
    link = by_code["symlinked-file"]
    assert (link["path"], link["line"], link["column"], link["fix"]) == ("svc/CLAUDE.md", 1, 1, "plain")
    assert found["files"] == 5
    assert waybook("check", "--format", "json", cwd=ws, code=1).json == found


def test_columns_are_characters(tmp_path: Path) -> None:
    """A finding after an emoji and a Chinese word stands at the column that people count."""
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "a\n🚀測\u200b試\n"})
    done = waybook("check", "--select", "hidden-unicode", "--json", cwd=root, code=1)
    (found,) = done.json["findings"]
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (2, 3, 2, 4)


def test_select_and_ignore(ws: Path) -> None:
    """Codes by comma or repeated; --ignore wins."""

    def codes(*arguments: str) -> set[str]:
        return {item["code"] for item in waybook("check", *arguments, "--json", cwd=ws).json["findings"]}

    everything = codes()
    assert codes("--select", "symlinked-file") == {"symlinked-file"}
    assert codes("--select", "symlinked-file,discovery-failed") == {"symlinked-file", "discovery-failed"}
    assert codes("--select", "symlinked-file", "--select", "discovery-failed") == everything & {
        "symlinked-file",
        "discovery-failed",
    }
    assert codes("--ignore", "symlinked-file") == everything - {"symlinked-file"}
    waybook("check", "--select", "dead-glob", cwd=ws, code=0)


def test_github_annotations_are_escaped(ws: Path) -> None:
    """A path with a colon, a comma and a percent sign stays one property; a message stays one line."""
    lines = waybook("check", "--format", "github", cwd=ws, code=1).out.splitlines()
    assert all(re.fullmatch(r"::(error|warning|notice) file=[^,:]+(,[A-Za-z]+=[^,:]+)*::.+", line) for line in lines)
    (awkward,) = [line for line in lines if "pkg/" in line.split("::")[1]]
    path = re.search(r"file=([^,]+),", awkward)
    assert path is not None
    assert path[1] == "pkg/a b%25%2C %3Aü/AGENTS.md"
    assert "%" not in awkward.rpartition("::")[2].replace("%25", "")


def test_sarif_is_2_1_0(ws: Path) -> None:
    """The parts of the standard that readers rely on (sarif-v2.1.0, sections 3.13, 3.14, 3.19, 3.27 to 3.30, 3.49)."""
    log = waybook("check", "--format", "sarif", cwd=ws, code=1).json
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "waybook"
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", driver["version"])
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == f"{ws.as_uri()}/"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    for rule in driver["rules"]:
        assert set(rule["defaultConfiguration"]) == {"level"}
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    for result in run["results"]:
        _check_result(result, rules, ws)
    assert run["results"]


def _check_result(result: dict[str, Any], rules: list[str], ws: Path) -> None:
    assert result["level"] in {"none", "note", "warning", "error"}
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    artifact, region = place["artifactLocation"], place["region"]
    assert artifact["uriBaseId"] == "SRCROOT"
    assert re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=@%/-]+", artifact["uri"]), "a relative URI reference"
    assert os.path.lexists(ws / unquote(artifact["uri"]))
    assert min(region.values()) >= 1
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_sarif_without_findings_is_a_whole_log(tmp_path: Path) -> None:
    """An empty result list, so that a service closes what it knew."""
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "fine\n"})
    (run,) = waybook("check", "--format", "sarif", cwd=root, code=0).json["runs"]
    assert run["results"] == []


def test_a_refusal_from_above_shows_on_the_paths_below(ws: Path) -> None:
    """`check svc/sub` is not clean while a link in svc leaves it without instructions."""
    for path in ("svc/sub", "svc/sub/AGENTS.md"):
        found = waybook("check", path, "--json", cwd=ws, code=1).json["findings"]
        assert [(item["code"], item["path"]) for item in found] == [("discovery-failed", "svc/CLAUDE.md")]
    waybook("check", "svc/sub", "--fix", cwd=ws, code=1)
    assert (ws / "svc/CLAUDE.md").is_symlink(), "a fix stays inside the paths named"


def test_fix_replaces_the_link_and_leaves_choices_alone(ws: Path) -> None:
    """The plain fix is applied and reported; an empty file, which needs a choice, stays and still counts."""
    done = waybook("check", "--fix", cwd=ws, code=1)
    assert "fixed svc/CLAUDE.md" in done.out
    assert not (ws / "svc/CLAUDE.md").is_symlink()
    assert (ws / "svc/CLAUDE.md").read_bytes() == b"@AGENTS.md\n"
    assert (ws / "svc/AGENTS.md").read_text() == "# Service\n"
    assert (ws / "pkg/a b%, :ü/AGENTS.md").read_bytes() == b""
    again = waybook("check", "--fix", "--json", cwd=ws, code=1).json
    assert again["fixed"] == []
    assert {item["path"] for item in again["findings"]} == {"pkg/a b%, :ü/AGENTS.md"}


def test_fix_touches_only_the_paths_named(ws: Path) -> None:
    """`check pkg --fix` leaves other directories alone."""
    waybook("check", "pkg", "--fix", cwd=ws, code=1)
    assert (ws / "svc/CLAUDE.md").is_symlink()


def test_fix_keeps_mode_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    """Only the faulty characters go; everything around them stays byte for byte, and the file's mode too."""
    text = b"\xef\xbb\xbf# Guide\r\nKeep\xe2\x80\x8b secrets out.\r\nlast line without an end"
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": text})
    (root / "AGENTS.md").chmod(0o640)
    checked = waybook("check", "--select", "hidden-unicode", "--json", cwd=root, code=1).json
    assert [item["fix"] for item in checked["findings"]] == ["plain"]
    waybook("check", "--select", "hidden-unicode", "--fix", cwd=root, code=0)
    assert (root / "AGENTS.md").read_bytes() == text.replace(b"\xe2\x80\x8b", b"")
    assert (root / "AGENTS.md").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in root.iterdir() if path.name.startswith(".waybook")] == []
