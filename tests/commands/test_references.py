"""`references.encode`, `references.decode`, `references.parse`, `references.prepare`, `references.candidates`."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from references.sources import add
from support.workspaces import WAYBOOK, Desk, make_tree, waybook
from waybook.base.errors import RefusedError, UsageError
from waybook.base.records import to_json

if TYPE_CHECKING:
    from pathlib import Path

MENTION = "@[Parser](dsh-session:InNlc18xIg)"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A workspace, and a database that knows two sessions."""
    desk = Desk(make_tree(tmp_path / "shop", {".git": None}))
    rows = [{"text": "use tabs"}, {"text": "done <b>", "kind": "answer", "role": "assistant"}]
    add(
        desk.app.store(),
        "ses_1",
        *rows,
        title="Parser\x1b[2J",
        cwd=str(desk.root),
        updated_at="2026-01-01T00:00:00.000000Z",
    )
    add(
        desk.app.store(),
        "ses_2",
        {"text": "other"},
        title="Other",
        cwd="/else",
        updated_at="2026-01-02T00:00:00.000000Z",
    )
    return desk


def test_encode_and_decode(desk: Desk) -> None:
    """`references.encode` gives URI and mention, `references.decode` the id; agents may ask as well."""
    made = desk.call("references.encode", id="ses_1", label="Parser", agent=True)
    assert made.mention == MENTION
    assert desk.call("references.decode", uri=made.uri, agent=True).id == "ses_1"
    with pytest.raises(UsageError):
        desk.call("references.decode", uri="dsh-session:")


def test_parse_looks_nothing_up(desk: Desk) -> None:
    """`references.parse` gives text and references as programs read them."""
    found = to_json(desk.call("references.parse", text=f"see {MENTION}", agent=True))
    assert found == {"text": "see @Parser", "references": [{"session_id": "ses_1", "label": "Parser"}]}


def test_prepare_and_candidates_are_a_person_s(desk: Desk) -> None:
    """An agent does not browse other sessions by itself."""
    for command, params in (("references.prepare", {"text": MENTION}), ("references.candidates", {})):
        with pytest.raises(RefusedError, match="operator"):
            desk.call(command, agent=True, **params)


def test_prepare(desk: Desk) -> None:
    """`references.prepare` gives the message, what people see, and the provenance; bounds are checked."""
    prepared = desk.call("references.prepare", text=f"see {MENTION}", session="ses_2")
    assert prepared.text.endswith("## My request:\n\nsee @Parser")
    assert '"text":"done \\u003cb>"' in prepared.text
    assert asdict(prepared.references[0])["retained_messages"] == 2
    with pytest.raises(UsageError) as caught:
        desk.call("references.prepare", text=MENTION, max_references=4)
    assert caught.value.code == "SESSION_REFERENCE_INVALID_CONFIG"
    with pytest.raises(RefusedError):
        desk.call("references.prepare", text=MENTION, session="ses_1")


def test_candidates(desk: Desk) -> None:
    """`references.candidates`: sessions of this directory first; titles cannot drive a terminal."""
    found = desk.call("references.candidates").candidates
    assert [item.id for item in found] == ["ses_1", "ses_2"]
    assert found[0].label == "Parser\\x1b[2J"
    assert found[0].same_cwd
    assert [item.id for item in desk.call("references.candidates", query="other").candidates] == ["ses_2"]
    assert (
        desk.call("references.candidates", workspace=str(desk.root), session="ses_1", limit=1).candidates[0].id
        == "ses_2"
    )


def _piped(arguments: tuple[str, ...], text: bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    command = [str(WAYBOOK), "references", *arguments]
    return subprocess.run(command, input=text, cwd=cwd, env=os.environ, capture_output=True, timeout=60, check=False)


def test_the_program(desk: Desk) -> None:
    """Spellings, files and pipes, JSON, exit codes and error codes of the real program."""
    root = desk.root
    (root / "prompt.md").write_text(f"see {MENTION}", encoding="utf-8")
    assert waybook("references", "encode", "ses_1", cwd=root, code=0).out == "dsh-session:InNlc18xIg\n"
    assert waybook("references", "decode", "dsh-session:Ilx1ZDgwMCI", "--json", cwd=root, code=0).json["id"] == "\ud800"
    parsed = waybook("references", "parse", "--file", "prompt.md", "--json", cwd=root, code=0)
    assert parsed.json == {"text": "see @Parser", "references": [{"session_id": "ses_1", "label": "Parser"}]}
    prepared = waybook("references", "prepare", "--file", "prompt.md", cwd=root, code=0)
    assert prepared.out.endswith("## My request:\n\nsee @Parser")
    assert "Parser: 2 of 2 messages" in prepared.err
    done = _piped(("prepare", "--json", "--file", "-"), b"see @[x](dsh-session:ImdvbmUi)", root)
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["details"]) == ("SESSION_REFERENCE_READ_FAILED", {"session_id": "gone"})
    done = _piped(("parse", "--json"), b"bare dsh-session:zzz", root)
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (2, "SESSION_REFERENCE_INVALID_REFERENCE")
    listed = waybook("references", "candidates", "parser", cwd=root, code=0)
    assert "\x1b" not in listed.out
    assert "To mention the first: @[Parser\\\\x1b[2J](dsh-session:InNlc18xIg)" in listed.out
    assert waybook("references", "candidates", "nothing-like-it", cwd=root, code=0).out.startswith("No session found")


def test_what_a_prompt_without_mentions_costs(desk: Desk) -> None:
    """It comes out byte for byte, line ends included."""
    assert (
        _piped(("prepare",), b"plain\r\n\ttext \xf0\x9f\xaa\x81\n\n", desk.root).stdout
        == b"plain\r\n\ttext \xf0\x9f\xaa\x81\n\n"
    )
