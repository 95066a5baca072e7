"""Kept findings are never stale: after any edits, a run with them says what a run without them says."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fakes import expand
from waybook.analysis.finding_json import decode, encode
from waybook.analysis.findings import CreateFile, DeleteFile, Finding, Fix, Related, TextEdit
from waybook.analysis.loading import AgentContext
from waybook.analysis.service import Analysis
from waybook.base.cancel import Progress
from waybook.base.clock import SystemClock
from waybook.base.text import Span
from waybook.checks import CHECKS
from waybook.checks.kept_findings import KeptFindings
from waybook.checks.model import DiskCheck, TextCheck
from waybook.checks.run import Selection, disk_findings, text_findings

TEXTS = (
    "# Rules\n\nAlways run the tests before a commit.\n",
    "Always run the tests before a commit.\nSee `src/app.py` and [setup](docs/setup.md).\n",
    "Use tabs for indentation.\n\n@docs/setup.md\n",
    "Use spaces for indentation.\nNever use npm.\n",
    "Use npm.\n\n@CLAUDE.md\n",
    "@AGENTS.md\n",
    "@a/AGENTS.md\n",
    "@../AGENTS.md\n",
    "AGENTS.md",
    "---\npaths: ['src/**/*.py', 'none/*.ts']\n---\nKeep it short.\n",
    "hidden\u200btext and @../outside.md\n<!-- waybook: allow dead-path -->\n`src/gone.py` is not here.\n",
    " \n",
    "password = ${FAKE_GITHUB}\n",
)
PATHS = (
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "agents.md",
    "a/AGENTS.md",
    "a/CLAUDE.md",
    "a/.claude/CLAUDE.md",
    "a/b/AGENTS.md",
    ".prayu/rules/x.md",
    "a/.prayu/instructions.md",
)
OTHERS = (
    "src/app.py",
    "src/gone.py",
    "docs/setup.md",
    "a/src/app.py",
    "none/x.ts",
    "node_modules/src/app.py",
    "pkg/docs/setup.md",
)
IGNORES = ("", "CLAUDE.md\n", "a/\n", "/bad\n")

STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
    st.tuples(st.just("write"), st.just(".prayu/instructions.ignore"), st.sampled_from(IGNORES)),
    st.tuples(
        st.just("remove"),
        st.sampled_from((*PATHS, *OTHERS, ".prayu/instructions.ignore", "src", "a/src", "docs")),
        st.just(""),
    ),
    st.tuples(st.just("write"), st.sampled_from(OTHERS), st.just("")),
    st.tuples(st.just("link"), st.sampled_from((*PATHS, *OTHERS)), st.sampled_from(("AGENTS.md", "../a", "nowhere"))),
    st.tuples(st.just("rewrite"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
)


def apply(root: Path, step: tuple[str, str, str]) -> None:
    """One edit of the tree; one that the tree does not allow now changes nothing."""
    kind, name, text = step
    path = root / name
    try:
        if kind == "rewrite":  # the same times and, where it can be, the same size
            before = path.stat()
            path.write_text(expand(text), encoding="utf-8")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            return
        if kind == "remove":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "link":
            path.symlink_to(text)
        else:
            path.write_text(expand(text), encoding="utf-8")
    except OSError:
        return


def ordered(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda found: (found.path, found.span, found.code, found.message))


def plain(root: Path) -> list[Finding]:
    """Every finding, nothing kept."""
    view = Analysis(str(root), SystemClock(), lambda: None).view()
    found = disk_findings(view, CHECKS, Selection())
    for document in view.documents.values():
        found += text_findings(document, view, CHECKS, Selection())
    return ordered(found)


def kept(root: Path, place: Path, key: str = "1") -> list[Finding]:
    """Every finding as a new process says that keeps its findings at `place`."""
    view = Analysis(str(root), SystemClock(), lambda: None).view(late=True)
    return ordered(KeptFindings(str(place), key, CHECKS).findings(view, Progress()))


BEGIN = st.dictionaries(st.sampled_from(PATHS), st.sampled_from(TEXTS), min_size=3)


@settings(max_examples=150, deadline=None)
@given(BEGIN, st.lists(STEP, max_size=4), st.lists(st.lists(STEP, min_size=1, max_size=2), min_size=1, max_size=5))
def test_kept_findings_are_what_a_run_without_them_finds(begin, more, rounds):
    with TemporaryDirectory() as directory:
        base = Path(os.path.realpath(directory))
        root = base / "ws"
        root.mkdir()
        for path, text in begin.items():
            apply(root, ("write", path, text))
        for steps in (more, [], *rounds):
            for step in steps:
                apply(root, step)
            assert kept(root, base / "kept.json") == plain(root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with one dead path and a rule that stands twice."""
    top = tmp_path / "ws"
    for name, text in {
        "AGENTS.md": "Always run the tests before a commit.\n",
        "a/AGENTS.md": "Always run the tests before a commit.\n\nSee `src/gone.py`.\n",
        "b/AGENTS.md": "Nothing.\n",
        "a/src/app.py": "",
    }.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    return top


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents whose text was checked."""
    seen: list[str] = []
    real = text_findings

    def counting(document, view, checks, selection, failed=None):
        seen.append(document.path)
        return real(document, view, checks, selection, failed)

    monkeypatch.setattr("waybook.checks.kept_findings.text_findings", counting)
    return seen


def test_nothing_is_checked_again_in_the_same_world(root, tmp_path, counted):
    first = kept(root, tmp_path / "kept.json")
    assert {found.code for found in first} == {"duplicate-rule", "dead-path"}
    counted.clear()
    assert kept(root, tmp_path / "kept.json") == first
    assert counted == []


def test_only_what_rests_on_a_change_is_checked_again(root, tmp_path, counted):
    kept(root, tmp_path / "kept.json")
    counted.clear()
    (root / "b/AGENTS.md").write_text("Something else.\n", encoding="utf-8")
    kept(root, tmp_path / "kept.json")
    assert set(counted) == {"b/AGENTS.md"}
    counted.clear()
    (root / "a/src/gone.py").write_text("", encoding="utf-8")
    assert {found.code for found in kept(root, tmp_path / "kept.json")} == {"duplicate-rule"}
    assert set(counted) == {"a/AGENTS.md"}


def test_a_text_further_down_that_was_asked_for_counts(tmp_path):
    """A cycle through a nearer file is over when that file changes, although nobody reads it before."""
    top = tmp_path / "ws"
    (top / "a").mkdir(parents=True)
    (top / "AGENTS.md").write_text("@a/AGENTS.md\n", encoding="utf-8")
    (top / "a/AGENTS.md").write_text("@../AGENTS.md\n", encoding="utf-8")
    assert [found.path for found in kept(top, tmp_path / "kept.json")] == ["AGENTS.md", "a/AGENTS.md"]
    (top / "a/AGENTS.md").write_text("No import.\n", encoding="utf-8")
    assert kept(top, tmp_path / "kept.json") == []


def test_the_file_is_private(root, tmp_path):
    place = tmp_path / "deep/kept.json"
    kept(root, place)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("flaw", ["cut", "changed", "empty", "no json", "not ours", "a directory", "a link"])
def test_a_file_that_is_not_whole_and_ours_is_passed_over(root, tmp_path, flaw):
    place = tmp_path / "kept.json"
    expected = kept(root, place)
    whole = place.read_bytes()
    if flaw == "cut":
        place.write_bytes(whole[:-20])
    elif flaw == "changed":
        place.write_bytes(whole.replace(b"dead-path", b"dead_path"))
    elif flaw == "empty":
        place.write_bytes(b"")
    elif flaw == "no json":
        place.write_bytes(b"\0\1")
    elif flaw == "not ours":
        place.write_bytes(whole.replace(b"dead-path", b"dead_path"))
        place.chmod(0o666)
    elif flaw == "a directory":
        place.unlink()
        place.mkdir()
    else:
        place.rename(tmp_path / "elsewhere")
        place.symlink_to("elsewhere")
    assert kept(root, place) == expected


def test_another_key_is_another_answer(root, tmp_path, counted):
    kept(root, tmp_path / "kept.json", "1")
    counted.clear()
    kept(root, tmp_path / "kept.json", "2")
    assert counted


def test_no_secret_is_kept(root, tmp_path):
    """Findings quote texts; one that quotes a secret is worked out anew each time."""
    secret = expand("${FAKE_GITHUB}")
    rule = f"Always use {secret} for the tests of the parser."
    (root / "AGENTS.md").write_text(f"{rule}\n\nNever use `x`.\n", encoding="utf-8")
    quoting = TextCheck(
        "quoting", "", "hint", lambda document, _: [Finding("quoting", document.path, Span(0, 1), document.text)]
    )
    view = Analysis(str(root), SystemClock(), lambda: None).view(late=True)
    place = tmp_path / "kept.json"
    checks = (*CHECKS, quoting)
    first = ordered(KeptFindings(str(place), "1", checks).findings(view, Progress()))
    assert any(secret in found.message for found in first)
    assert secret.encode() not in place.read_bytes()
    assert ordered(KeptFindings(str(place), "1", checks).findings(view, Progress())) == first


def test_what_agents_look_at_counts_wherever_it_lies(root, tmp_path):
    """A check that asks the agents runs again when a file outside the workspace changed, and only then."""
    home = tmp_path / "home"
    home.mkdir()
    ran: list[str] = []

    def run(document, view):
        ran.append(document.path)
        return [Finding("elsewhere", document.path, Span(0, 0), view.agents.read("../home/note").decode())]

    def about_all(view):
        return [Finding("elsewhere-too", "AGENTS.md", Span(0, 0), view.agents.read("../home/note").decode())]

    checks = (*CHECKS, TextCheck("elsewhere", "", "hint", run), DiskCheck("elsewhere-too", "", "hint", about_all))

    def messages(environ: dict[str, str] | None = None) -> list[str]:
        ran.clear()
        context = AgentContext(str(home), environ or {})
        view = Analysis(str(root), SystemClock(), lambda: None, agents=context).view(late=True)
        found = KeptFindings(str(tmp_path / "kept.json"), "1", checks).findings(view, Progress())
        return [item.message for item in found if item.code.startswith("elsewhere")]

    for word in ("one", "two", "three"):
        (home / "note").write_text(word, encoding="utf-8")
        assert messages() == [word] * 4
        assert len(ran) == 3
        assert messages() == [word] * 4
        assert ran == []
    messages({"CODEX_HOME": "/elsewhere"})
    assert len(ran) == 3
    (home / "note").unlink()
    (home / "note").symlink_to("other")
    (home / "other").write_text("four", encoding="utf-8")
    assert messages() == ["four"] * 4
    (home / "other").write_text("five", encoding="utf-8")
    assert messages() == ["five"] * 4


def test_findings_of_a_crashed_check_are_not_kept(root, tmp_path):
    crashing = [True]

    def run(document, _view):
        if crashing[0]:
            raise RuntimeError
        return [Finding("fragile", document.path, Span(0, 0), "back")]

    checks = (*CHECKS, TextCheck("fragile", "", "hint", run))
    for expected in (0, 3):
        view = Analysis(str(root), SystemClock(), lambda: None).view(late=True)
        found = KeptFindings(str(tmp_path / "kept.json"), "1", checks).findings(view, Progress())
        assert sum(item.code == "fragile" for item in found) == expected
        crashing[0] = False


def test_findings_survive_their_json():
    """Every part of a finding comes back."""
    edits = (TextEdit("a", Span(1, 2), "x"), CreateFile("b", "text"), DeleteFile("c"))
    whole = Finding(
        "code", "path", Span(3, 9), "message", "error", ("unnecessary",), (Related("r", Span(0, 1), "there"),),
        (Fix("mend", edits, preferred=True),), ("codex",), {"cycle": ["a", "b"], "n": None},
    )  # fmt: skip
    assert decode(encode(whole)) == whole
    assert decode(encode(replace(whole, related=(), fixes=(), data={}))) == replace(
        whole, related=(), fixes=(), data={}
    )
