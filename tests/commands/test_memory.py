"""`memory.*` as the command line spells it, in real processes, and as editors call it."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from support.fakes import FAKES
from support.workspaces import WAYBOOK, Desk, make_tree
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

SECRET = FAKES["FAKE_GITHUB"]


class Terminal:
    """The program `waybook` in one directory."""

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd

    def run(self, *arguments: str, text: str | None = None, code: int = 0) -> str:
        """What it prints on standard output; its error output is in `self.error`."""
        done = subprocess.run(
            [str(WAYBOOK), *arguments], cwd=self.cwd, input=text, stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True, text=True, check=False, timeout=60, env=os.environ,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        self.error = done.stderr
        return done.stdout

    def json(self, *arguments: str, **options: Any) -> Any:
        return json.loads(self.run(*arguments, "--json", **options))


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    make_tree(tmp_path / "demo", {".git": None})
    return Terminal(tmp_path)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None}))


def test_the_documented_examples(terminal: Terminal) -> None:
    """The spellings of the protocol's own page, word for word, one after the other."""
    made = terminal.json(
        *["context", "memory", "create", "--scope", "project", "--workspace", "demo", "--title"], "Test convention",
        "--content", "Run unit tests before packaging", "--retention", "720h",
    )  # fmt: skip
    assert (made["protocol"], made["version"], made["status"]) == ("context_memory.v1", 1, "active")
    assert (made["scope"], made["source_kind"], made["created_by"]) == ("project", "operator_explicit", "tester")
    listed = terminal.json(*["context", "memory", "list", "--scope", "project", "--workspace", "demo", "--all"])
    assert [item["id"] for item in listed["memories"]] == [made["id"]]
    edited = terminal.run(
        *f"context memory edit {made['id']} --version 1 --content".split(), "Run unit and API tests",
        "--reference", "docs/testing.md",
    )  # fmt: skip
    assert "Run unit and API tests" in edited
    assert "docs/testing.md" in edited
    assert terminal.json("context", "memory", "disable", made["id"], "--version", "2")["version"] == 3
    assert terminal.json("context", "memory", "enable", made["id"], "--version", "3")["version"] == 4
    export = json.loads(
        terminal.run(*["context", "memory", "export", "--scope", "project", "--workspace", "demo", "--all"])
    )
    assert export["protocol"] == "context_memory_export.v1"
    assert export["memories"][0]["content"] == "Run unit and API tests"
    gone = terminal.json("context", "memory", "delete", made["id"], "--version", "4")
    assert gone == {"id": made["id"], "version": 4, "recoverable": False, "erasure": "done"}
    assert terminal.json(*["memory", "list", "--scope", "project", "--workspace", "demo", "--all"])["memories"] == []


def test_content_from_anywhere(terminal: Terminal) -> None:
    """An option, a file, `-`, or standard input; given twice or not at all is told."""
    (terminal.cwd / "note.md").write_text("from a file\n", encoding="utf-8")
    one = terminal.json("memory", "create", "--workspace", "demo", "--title", "a", "--file", "note.md")
    two = terminal.json("memory", "create", "--workspace", "demo", "--title", "b", "--file", "-", text="打包\r\n")
    three = terminal.json("memory", "create", "--workspace", "demo", "--title", "c", text="piped")
    assert [item["content"] for item in (one, two, three)] == ["from a file\n", "打包\n", "piped"]
    terminal.run("memory", "create", "--title", "d", "--file", "note.md", "--content", "x", code=2)
    terminal.run("memory", "create", "--title", "d", text="", code=2)
    edited = terminal.json("memory", "edit", one["id"], "--version", "1", "--file", "-", text="new")
    assert (edited["content"], edited["version"], edited["erasure"]) == ("new", 2, "done")


def test_people_get_tidy_tables(terminal: Terminal) -> None:
    """Short lines, aligned; control characters cannot drive the terminal; an empty list says what to do."""
    assert "memory create" in terminal.run("memory", "list")
    terminal.run("memory", "create", "--scope", "user", "--title", "One", "--content", "a \x1b[31mred line\nand more")
    terminal.run("memory", "create", "--scope", "user", "--title", "Two" * 40, "--content", "b", "--retention", "2w")
    lines = terminal.run("memory", "list").splitlines()
    assert len(lines) == 2
    assert lines[0].split()[1:5] == ["v1", "active", "user", lines[0].split()[4]]
    assert max(map(len, lines)) < 140
    assert "\x1b" not in terminal.run("memory", "show", lines[1].split()[0])
    assert "red line" in terminal.run("memory", "search", "RED", "line")
    assert "Nothing found" in terminal.run("memory", "search", "nowhere")


def test_refusals_never_repeat_a_secret(terminal: Terminal) -> None:
    """Neither on the terminal nor in JSON nor in any file; redaction on request."""
    for extra in ((), ("--json",)):
        out = terminal.run(
            "memory", "create", "--workspace", "demo", "--title", "t", "--content", f"x {SECRET}", *extra, code=2
        )
        assert SECRET[4:] not in out + terminal.error
        assert "github" in out + terminal.error
    kept = terminal.json(
        "memory", "create", "--workspace", "demo", "--title", "t", "--redact-sensitive", text=f"x {SECRET} y"
    )
    assert kept["redacted"]
    assert SECRET not in kept["content"]
    terminal.run("memory", "create", "--title", "t", "--source-ref", ".env", "--redact-sensitive", text="x", code=2)
    for file in terminal.cwd.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes()


def test_a_conflict_shows_the_current_version(terminal: Terminal) -> None:
    """Exit code 2, the current version in words and in JSON."""
    made = terminal.json("memory", "create", "--workspace", "demo", "--title", "t", text="x")
    terminal.json("memory", "edit", made["id"], "--version", "1", "--content", "y")
    error = terminal.json("memory", "edit", made["id"], "--version", "1", "--content", "z", code=2)["error"]
    assert (error["code"], error["details"]["current_version"]) == ("version-conflict", 2)
    assert "--version 2" in error["hint"]


def test_export_and_import(terminal: Terminal, tmp_path: Path) -> None:
    """A file goes to another workspace; a second import adds nothing; a broken file imports nothing."""
    terminal.run("memory", "create", "--workspace", "demo", "--title", "t", "--reference", "a.md", text="x")
    terminal.run("memory", "create", "--scope", "user", "--title", "mine", text="y")
    (tmp_path / "out.json").write_text(terminal.run("memory", "export", "--workspace", "demo"), encoding="utf-8")
    make_tree(tmp_path / "other", {".git": None})
    first = terminal.json("memory", "import", "out.json", "--workspace", "other")
    assert (len(first["added"]), first["already_there"]) == (1, 1)
    assert terminal.json("memory", "import", "out.json", "--workspace", "other")["added"] == []
    listed = terminal.json("memory", "list", "--scope", "project", "--workspace", "other")["memories"]
    assert [(item["title"], item["references"], item["source_kind"]) for item in listed] == [
        ("t", ["a.md"], "operator_import_explicit")
    ]
    terminal.run("memory", "import", "-", text="{}", code=2)
    assert "nothing was imported" in terminal.error


def test_a_document_through_the_command_line(terminal: Terminal) -> None:
    """Read, edit, save: the next version; a stale save is a conflict."""
    made = terminal.json("memory", "create", "--workspace", "demo", "--title", "t", text="x")
    uri = f"waybook-memory:/project/{made['id']}.md"
    text = terminal.run("memory", "document", "read", uri)
    assert "stays at version 1" in terminal.run("memory", "document", "save", uri, text=text)
    assert "as version 2" in terminal.run("memory", "document", "save", uri, text=text.replace("\nx\n", "\nnew\n"))
    terminal.run("memory", "document", "save", uri, text=text.replace("\nx\n", "\nother\n"), code=2)
    assert terminal.json("memory", "show", made["id"])["content"] == "new"


def test_documents_for_editors(desk: Desk) -> None:
    """`memory.read_document` and `memory.save_document`: the version opened is the one expected."""
    made = desk.call("memory.create", title="t", content="x").memory
    uri = f"waybook-memory:/project/{made.id}.md"
    opened = desk.call("memory.read_document", uri=uri)
    assert (opened.version, opened.uri) == (1, uri)
    saved = desk.call("memory.save_document", uri=uri, text=opened.text.replace("title: t", "title: u"), version=1)
    assert (saved.document.version, saved.document.memory.title, saved.unchanged) == (2, "u", False)
    assert "version: 2" in saved.document.text
    for version in (1, 3):
        with pytest.raises(ConflictError):
            desk.call("memory.save_document", uri=uri, text=saved.document.text, version=version)
    with pytest.raises(ConflictError):
        desk.call("memory.save_document", uri=uri, text=opened.text, version=2)
    with pytest.raises(NotFoundError):
        desk.call("memory.read_document", uri=uri.replace("project", "user"))
    with pytest.raises(UsageError):
        desk.call("memory.save_document", uri=uri, text="no front matter", version=2)
    with pytest.raises(RefusedError):
        desk.call("memory.save_document", uri=uri, text=saved.document.text + SECRET, version=2)


def test_every_verb_in_one_process(desk: Desk) -> None:
    """`memory.list`, `memory.show`, `memory.search`, `memory.enable`, `memory.disable`, `memory.edit`, `memory.delete`,
    `memory.export`, `memory.import`: the records people and editors get.
    """
    made = desk.call("memory.create", title="t", content="one two", reference=("b", "a")).memory
    assert made.references == ("a", "b")
    assert desk.call("memory.edit", memory=made.id, version=1, no_references=True).memory.references == ()
    assert desk.call("memory.disable", memory=made.id, version=2).memory.state == "disabled"
    assert desk.call("memory.search", words=("two",)).total == 0
    assert desk.call("memory.search", words=("two",), all=True).total == 1
    assert desk.call("memory.list").memories == ()
    assert desk.call("memory.enable", memory=made.id, version=3).memory.state == "active"
    assert desk.call("memory.show", memory=made.id).version == 4
    assert [item.id for item in desk.call("memory.export", scope="project").memories] == [made.id]
    assert desk.call("memory.list", scope="user").memories == ()
    assert desk.call("memory.delete", memory=made.id, version=4).erasure == "done"
    with pytest.raises(UsageError):
        desk.call("memory.import", document="[]")
    with pytest.raises(UsageError):
        desk.call("memory.list", scope="team")
