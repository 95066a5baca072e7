"""The recorded behaviour of the original program, case by case, with our three deliberate differences named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from waybook.base.errors import DiscoveryError
from waybook.instructions.discover import discover
from waybook.workspace.guard import Guard
from workspace.trees import Folder, Link, expand, lay

CASES = json.loads((Path(__file__).parents[2] / "fixtures/golden/prayu.json").read_text(encoding="utf-8"))
BY_NAME = {case["name"]: case for case in CASES}
DIFFERENT = {"exact-64k", "nine-rules-one-deeper", "ignore-dir-slash"}
SHORTENED = {"ignore-path"}
"""Recorded with its first source only; the fingerprint covers them all."""
SUCCESSES = [case["name"] for case in CASES if "snapshot" in case and case["name"] not in DIFFERENT]
IGNORE = ".prayu/instructions.ignore"
DEEP = "/".join(f"d{level}" for level in range(33))
FAILURES = {
    "missing-dir": ("missing-directory", "internal/nope", None),
    "escape": ("escapes-workspace", "../outside", None),
    "absolute": ("invalid-target", "/etc/passwd", None),
    "whitespace-only": ("empty", "AGENTS.md", 65_536),
    "over-64k": ("too-large", "AGENTS.md", 65_536),
    "ignore-negation": ("ignore-file-invalid", IGNORE, None),
    "ignore-dotdot-inside": ("ignore-file-invalid", IGNORE, None),
    "ignore-dot": ("ignore-file-invalid", IGNORE, None),
    "ignore-129": ("ignore-file-invalid", IGNORE, 128),
    "symlink-agents": ("symlink", "AGENTS.md", None),
    "symlink-target": ("symlink", "link", None),
    "symlink-in-rules": ("symlink", ".prayu/rules/l.md", None),
    "symlink-in-rules-ignored": ("symlink", ".prayu/rules/l.md", None),
    "agents-is-dir": ("not-regular", "AGENTS.md", None),
    "total-over-256k": ("total-too-large", ".prayu/rules/003.md", 262_144),
    "depth-33": ("too-deep", DEEP, 32),
}


def lay_case(root: Path, case: dict) -> str:
    """The recorded tree; `@repeat:N` stands for N times the letter x."""
    tree: dict = {
        path: "x" * int(text[8:]) if text.startswith("@repeat:") else text for path, text in case["files"].items()
    }
    tree |= {path: Folder() for path in case.get("dirs", ())}
    tree |= {path: Link(to) for path, to in case.get("symlinks", {}).items()}
    return lay(root / "ws", tree)


@pytest.fixture(params=[False, True], ids=["descriptors", "paths"])
def by_path(request) -> bool:
    """Both ways of opening files must agree."""
    return request.param


def run(root, target, by_path):
    with Guard(root, by_path=by_path) as guard:
        return discover(guard, target, "2026-01-01T00:00:00.000000Z")


def comparable(snapshot: dict) -> dict:
    """A snapshot without what is no part of the protocol's truth: times and the wording of why."""
    copy = {key: value for key, value in snapshot.items() if key != "loaded_at"}
    copy["sources"] = [
        {key: value for key, value in source.items() if key not in {"loaded_at", "why_effective"}}
        for source in snapshot["sources"]
    ]
    return copy


@pytest.mark.parametrize("name", SUCCESSES)
def test_recorded_success(name, tmp_path, by_path):
    """Every recorded field and the fingerprint come out byte for byte."""
    case = BY_NAME[name]
    snapshot = run(lay_case(tmp_path, case), case["target"], by_path).to_json()
    wanted = comparable(case["snapshot"])
    for source in wanted["sources"]:
        if source["content"].startswith("@repeat:"):
            source["content"] = "x" * int(source["content"][8:].removesuffix("+newline")) + "\n"
    got = comparable(snapshot)
    if name in SHORTENED:
        del got["sources"][len(wanted["sources"]) :]
    assert got == wanted
    assert all(source["why_effective"] for source in snapshot["sources"])


@pytest.mark.parametrize("name", FAILURES)
def test_recorded_failure(name, tmp_path, by_path):
    """Every recorded failure is one error that names the cause, the path and the limit, and says what to do."""
    case = BY_NAME[name]
    root = lay_case(tmp_path, case)
    with pytest.raises(DiscoveryError) as caught:
        run(root, case["target"], by_path)
    error = caught.value
    assert (error.code, error.path, error.limit) == FAILURES[name]
    assert error.path in error.message
    assert error.hint
    assert error.limit is None or f"{error.limit:,}" in error.message


def test_no_recorded_case_is_left_out():
    """Each case is a success, a failure or one of the three differences."""
    assert {case["name"] for case in CASES} == {*SUCCESSES, *FAILURES, *DIFFERENT}


def test_difference_exact_64k(tmp_path, by_path):
    """A file of exactly 65,536 bytes without a final newline passes: the raw size decides, not the newline we add."""
    case = BY_NAME["exact-64k"]
    source = run(lay_case(tmp_path, case), ".", by_path).sources[0]
    assert source.raw_bytes == 65_536
    assert source.content == "x" * 65_536 + "\n"


def test_difference_many_rules_above_a_deeper_source(tmp_path, by_path):
    """Nine rules above a nearer file do not refuse; the precedence never falls."""
    case = BY_NAME["nine-rules-one-deeper"]
    numbers = [source.precedence for source in run(lay_case(tmp_path, case), case["target"], by_path).sources]
    assert numbers == [*range(103, 112), 111]


def test_difference_trailing_slash_hides_the_subtree(tmp_path, by_path):
    """`.prayu/rules/` hides every rule and says so; all else is as recorded."""
    case = BY_NAME["ignore-dir-slash"]
    snapshot = run(lay_case(tmp_path, case), case["target"], by_path)
    recorded = [source["path"] for source in case["snapshot"]["sources"]]
    assert [source.path for source in snapshot.sources] == [path for path in recorded if "/rules/" not in path]
    assert [item.path for item in snapshot.ignored] == [IGNORE, ".prayu/rules/10-style.md", ".prayu/rules/20-tests.md"]
    assert {item.reason for item in snapshot.ignored[1:]} == {"matched .prayu/instructions.ignore"}


def test_placeholders_are_expanded():
    """The recorded secret case stands in the fixture by placeholder only."""
    text = BY_NAME["secret"]["files"]["AGENTS.md"]
    assert "${FAKE_API_KEY}" in text
    assert "$" not in expand(text)
