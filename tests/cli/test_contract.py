"""What scripts rely on: spellings, JSON shapes and exit codes of the real program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from support.workspaces import Done, make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

TREE: dict[str, str | bytes | None] = {
    ".git": None,
    "AGENTS.md": "# Root\nRun the tests.\n",
    "pkg/CLAUDE.md": "# Pkg\nKeep it small.\n",
    "pkg/x.py": "",
}
SNAPSHOT = [
    "protocol_version",
    "target_path",
    "sources",
    "ignored",
    "conflicts",
    "fingerprint",
    "loaded_at",
    "limits",
]
INSPECTION = [
    "run_id",
    "workspace_id",
    "pinned",
    "live",
    "diff",
    "history",
    "pinned_present",
    "stale",
    "refresh_confirmed",
    "capability_grant",
]
ERROR = {"code", "message", "path", "limit", "hint"}


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace with two levels."""
    return make_tree(tmp_path / "shop", TREE)


def error_of(done: Done) -> dict[str, object]:
    """The one error object on standard output, checked for its shape."""
    assert done.code == 2
    assert set(done.json) == {"error"}
    error: dict[str, object] = done.json["error"]
    assert ERROR <= set(error) <= ERROR | {"details"}
    assert error["code"]
    assert error["message"]
    return error


def test_context_instructions_prints_the_snapshot(ws: Path) -> None:
    """`context instructions --workspace --target --json` is the protocol's snapshot with two spaces of indent."""
    done = waybook("context", "instructions", "--workspace", str(ws), "--target", "pkg/x.py", "--json", cwd=ws, code=0)
    assert list(done.json) == SNAPSHOT
    assert done.json["protocol_version"] == "project_instruction_snapshot.v1"
    assert [source["path"] for source in done.json["sources"]] == ["AGENTS.md", "pkg/CLAUDE.md"]
    assert done.json["sources"][0]["content"] == "# Root\nRun the tests.\n"
    assert done.out.startswith('{\n  "protocol_version"')
    assert done.out.endswith("}\n")


def test_a_run_from_creation_to_confirmation(ws: Path) -> None:
    """The whole story of a run: created, unchanged (0), stale (1), confirmed (0), unchanged again (0)."""
    create = ("run", "create", "--workspace", ".", "--goal", "review parser", "--profile", "review")
    run = waybook(*create, "--target", "pkg/x.py", "--json", cwd=ws, code=0).json
    assert (run["goal"], run["profile"], run["target"], run["revision"]) == ("review parser", "review", "pkg/x.py", 1)
    inspect = ("context", "instructions", "--run", run["id"])
    fresh = waybook(*inspect, "--json", cwd=ws, code=0).json
    assert [key for key in fresh if key != "error"] == INSPECTION
    assert (fresh["stale"], fresh["pinned_present"], fresh["capability_grant"]) == (False, True, False)
    assert fresh["workspace_id"] == run["workspace_id"]
    assert list(fresh["pinned"]) == list(fresh["live"]) == SNAPSHOT

    (ws / "AGENTS.md").write_text("# Root\nRun make test.\n")
    stale = waybook(*inspect, "--json", cwd=ws, code=1).json
    assert stale["diff"]["changed"] == ["AGENTS.md"]
    pinned, live = stale["pinned"]["fingerprint"], stale["live"]["fingerprint"]
    fingerprints = ("--expected-fingerprint", pinned, "--expected-live-fingerprint", live)
    confirmed = waybook(*inspect, "--confirm", *fingerprints, "--json", cwd=ws, code=0).json
    assert (confirmed["stale"], confirmed["refresh_confirmed"]) == (False, True)
    assert [item["revision"] for item in confirmed["history"]] == [1, 2]
    assert confirmed["history"][1]["confirmed_by"] == "tester"
    waybook(*inspect, cwd=ws, code=0)
    replay = error_of(waybook(*inspect, "--confirm", *fingerprints, "--json", cwd=ws))
    assert replay["code"] == "pin-changed"


@pytest.mark.parametrize(
    ("missing", "code"),
    [((), "pin-changed"), (("--expected-fingerprint", "PINNED"), "live-changed")],
)
def test_a_confirmation_without_the_fingerprints_is_refused(ws: Path, missing: tuple[str, ...], code: str) -> None:
    """--confirm alone, or with only one of the two fingerprints, writes nothing."""
    run = waybook("run", "create", "--goal", "x", "--json", cwd=ws, code=0).json
    (ws / "AGENTS.md").write_text("other\n")
    given = [run["fingerprint"] if word == "PINNED" else word for word in missing]
    done = waybook("context", "instructions", "--run", run["id"], "--confirm", *given, "--json", cwd=ws)
    assert error_of(done)["code"] == code
    assert waybook("run", "show", run["id"], "--json", cwd=ws, code=0).json["revision"] == 1


def test_confirm_goes_with_a_run(ws: Path) -> None:
    """`context instructions --confirm` without --run, and fingerprints without --confirm, are usage errors."""
    error_of(waybook("context", "instructions", "--confirm", "--json", cwd=ws))
    error_of(waybook("context", "instructions", "--expected-fingerprint", "a", "--json", cwd=ws))


def test_pin_drift_and_confirm_of_a_workspace(ws: Path) -> None:
    """pin 0, drift 0, then 1 after a change, and the unattended confirmation names what drift said."""
    pinned = waybook("pin", "--json", cwd=ws, code=0).json
    assert [scope["scope"] for scope in pinned["scopes"]] == ["", "pkg"]
    assert waybook("drift", "--json", cwd=ws, code=0).json["stale"] is False
    (ws / "pkg/CLAUDE.md").write_text("changed\n")
    drift = waybook("drift", "--json", cwd=ws, code=1).json
    assert [(item["path"], item["change"]) for item in drift["files"]] == [("pkg/CLAUDE.md", "changed")]
    assert "-Keep it small." in drift["files"][0]["difference"]
    fingerprints = (
        "--expected-fingerprint",
        drift["expected_fingerprint"],
        "--expected-live-fingerprint",
        drift["expected_live_fingerprint"],
    )
    assert error_of(waybook("confirm", *fingerprints, "--json", cwd=ws))["code"] == "confirm-missing"
    assert waybook("confirm", "--confirm", *fingerprints, "--json", cwd=ws, code=0).json["revision"] == 2
    waybook("drift", cwd=ws, code=0)


@pytest.mark.parametrize("options", [(), ("--json",), ("--confirm",)])
def test_confirm_never_confirms_unseen(ws: Path, options: tuple[str, ...]) -> None:
    """Away from a terminal, `confirm` without fingerprints is refused and says how to go on."""
    waybook("pin", cwd=ws, code=0)
    (ws / "AGENTS.md").write_text("changed\n")
    done = waybook("confirm", *options, cwd=ws, code=2)
    assert "waybook drift --json" in (done.err + done.out)
    assert waybook("drift", "--json", cwd=ws, code=1).json["revision"] == 1


def test_explain_and_check(ws: Path) -> None:
    """`explain` 0; `check` 0 without and 1 with findings; both say which workspace and how it was found."""
    explained = waybook("explain", "pkg/x.py", "--json", cwd=ws, code=0).json
    assert (explained["workspace"], explained["workspace_found_by"]) == (str(ws), ".git")
    assert [source["path"] for source in explained["sources"]] == ["AGENTS.md", "pkg/CLAUDE.md"]
    assert "content" not in explained["sources"][0]
    assert waybook("check", "--json", cwd=ws, code=0).json["findings"] == []
    (ws / "pkg/AGENTS.md").write_text("")
    checked = waybook("check", "--json", cwd=ws, code=1).json
    assert {item["code"] for item in checked["findings"]} == {"discovery-failed"}
    assert checked["counts"] == {"error": 1}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("explain", "../../../etc/hostname", "--workspace", "."), "escapes-workspace"),
        (("explain", "no/such/dir/x"), "missing-directory"),
        (("check", "--select", "no-such-check"), "unknown-check"),
        (("check", "mistyped.md"), "no-path"),
        (("drift",), "no-baseline"),
        (("run", "show", "run_x"), "no-run"),
        (("run", "show"), "usage"),
        (("run", "create"), "usage"),
        (("run", "list", "--limit", "0"), "bad-limit"),
        (("run", "list", "--limit", "many"), "usage"),
        (("explain", "--colour"), "usage"),
        (("explain", "a", "b"), "usage"),
        (("nonsense",), "usage"),
        (("explain", "--workspace", "nowhere"), "no-workspace"),
        (("explain", "--workspace", "no/where"), "no-workspace"),
    ],
)
def test_every_error_is_an_object_with_json_and_a_sentence_without(
    ws: Path, arguments: tuple[str, ...], code: str
) -> None:
    """Exit code 2 either way; JSON on standard output, people's words on standard error, and what to do next."""
    error = error_of(waybook(*arguments, "--json", cwd=ws))
    assert error["code"] == code
    assert error["hint"]
    plain = waybook(*arguments, cwd=ws, code=2)
    assert plain.out == ""
    assert str(error["message"]).splitlines()[0] in plain.err


def test_a_limit_is_in_the_error(ws: Path) -> None:
    """An oversized file: the path, the limit as a number, and the remedy."""
    (ws / "AGENTS.md").write_text("x" * 65_537)
    error = error_of(waybook("explain", "--json", cwd=ws))
    assert (error["code"], error["path"], error["limit"]) == ("too-large", "AGENTS.md", 65_536)


def test_format_json_has_json_errors_too(ws: Path) -> None:
    """`check --format json` is read by programs as well."""
    error_of(waybook("check", "--format", "json", "--select", "nope", cwd=ws))
    error_of(waybook("check", "--format=json", "--select", "nope", cwd=ws))


def test_python_dash_m(ws: Path) -> None:
    """`python -m waybook` is the same program."""
    done = waybook("--version", cwd=ws, program=(sys.executable, "-m", "waybook"), code=0)
    assert done.out == waybook("--version", cwd=ws, code=0).out


def test_doctor(ws: Path, own_data_directory: Path) -> None:
    """`doctor` reports facts (0), and problems with 1."""
    report = waybook("doctor", "--json", cwd=ws, code=0).json
    assert report["store"]["path"].startswith(str(own_data_directory))
    assert report["problems"] == []
    (ws / "AGENTS.md").write_text("")
    assert "AGENTS.md is empty" in waybook("doctor", cwd=ws, code=1).out


def test_store_option(ws: Path, tmp_path: Path) -> None:
    """--store URL is the database that is used."""
    url = f"sqlite:///{tmp_path / 'elsewhere' / 'own.db'}"
    waybook("pin", "--store", url, cwd=ws, code=0)
    assert (tmp_path / "elsewhere/own.db").exists()
    assert error_of(waybook("drift", "--json", cwd=ws))["code"] == "no-baseline"
    waybook("drift", "--store", url, cwd=ws, code=0)
