"""Running checks: selection, severities, isolation, order."""

import pytest

from support.markers import unpack, view_of
from waybook.analysis.findings import Finding
from waybook.analysis.view import Document
from waybook.base.text import Span
from waybook.checks import CHECKS
from waybook.checks.model import DiskCheck, TextCheck
from waybook.checks.run import Selection, disk_findings, text_findings


@pytest.fixture
def view(tmp_path):
    unpack("-- AGENTS.md --\n`gone/x`\n", tmp_path)
    return view_of(tmp_path)


def broken(*_):
    raise RuntimeError("defect")


def two(document, _view):
    yield Finding("two", document.path, Span(5, 6), "later")
    yield Finding("two", document.path, Span(0, 1), "first")


def test_a_failing_check_costs_only_its_own_findings(view, caplog):
    """The others' findings come, sorted, and the failure is told once."""
    told = []
    checks = (TextCheck("bad", "Bad", "error", broken), TextCheck("two", "Two", "warning", two))
    found = text_findings(
        view.documents["AGENTS.md"], view, checks, Selection(), lambda code, error: told.append((code, str(error)))
    )
    assert [item.message for item in found] == ["first", "later"]
    assert told == [("bad", "defect")]
    assert "bad failed" in caplog.text
    assert disk_findings(view, (DiskCheck("bad", "Bad", "error", broken),), Selection()) == []


def test_severities_and_selections_are_applied(view):
    """A setting wins over the check; off and ignore leave a check out; select leaves out all others."""
    checks = (TextCheck("two", "Two", "warning", two),)
    document = view.documents["AGENTS.md"]
    assert {item.severity for item in text_findings(document, view, checks, Selection())} == {"warning"}
    assert {item.severity for item in text_findings(document, view, checks, Selection(severity={"two": "hint"}))} == {
        "hint"
    }
    assert text_findings(document, view, checks, Selection(severity={"two": "off"})) == []
    assert text_findings(document, view, checks, Selection(ignore=frozenset({"two"}))) == []
    assert text_findings(document, view, checks, Selection(select=frozenset({"one"}))) == []


def test_suppressions_are_read_from_the_text_that_is_checked(view):
    """An unsaved comment counts at once, whatever the disk says."""
    document = Document("AGENTS.md", "abc <!-- waybook: allow two -->\n")
    assert text_findings(document, view, (TextCheck("two", "Two", "warning", two),), Selection()) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_each_check_has_a_manual_page(check):
    """What it finds, why it matters, an example, what is not flagged, and how to suppress it."""
    for heading in (
        "**What it finds.**",
        "**Why it matters.**",
        "**Example.**",
        "**Not flagged.**",
        "**How to suppress.**",
    ):
        assert heading in check.manual, heading
    assert check.title
    assert check.run.__module__ == f"waybook.checks.{check.code.replace('-', '_')}"


def test_codes_are_unique():
    """A code names one flaw."""
    assert len({check.code for check in CHECKS}) == len(CHECKS)


def test_a_text_that_no_profile_reads_is_not_checked(view):
    """Half a million characters are refused anyhow."""
    checks = (TextCheck("two", "Two", "warning", two),)
    assert text_findings(Document("AGENTS.md", "x" * 524_289), view, checks, Selection()) == []
    assert len(text_findings(Document("AGENTS.md", "x" * 524_288), view, checks, Selection())) == 2
