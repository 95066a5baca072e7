"""No text makes a check fail, and every finding and fix stays inside the text it speaks of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.markers import unpack, view_of
from waybook.analysis.findings import TextEdit
from waybook.analysis.view import Document
from waybook.checks import CHECKS
from waybook.checks.run import Selection, text_findings
from waybook.checks.suppress import allow_fixes

WORDS = [
    "---", "\n", "\r\n", "\r", " ", "- ", "# ", "> ", "| ", "|\n| --- |\n", "`", "```\n", "**", "[a](", ")", "@a.md", "@docs/x.md",
    "@../../y.md", "`src/gone.py`", "docs/", "paths: ", "*.ts", "[", "]", "<!-- waybook: allow ", "dead-path", "nothing",
    " -->", "Always run the tests before a commit.", "Never use npm.", "Use npm.", "Use tabs.", "Use spaces.", "\u200b",
    "\U000e0041", "\u202e", "\U0001f468\u200d\U0001f469", "\u4e2d\u6587\u3002", "\ud800", "\x00", "\\",
]  # fmt: skip


@pytest.fixture(scope="module")
def view(tmp_path_factory):
    root = tmp_path_factory.mktemp("any")
    unpack("-- AGENTS.md --\nAlways run the tests before a commit.\nUse tabs.\n-- src/a.py --\n-- docs/b.md --\n", root)
    return view_of(root)


def fail(code, error):
    raise AssertionError(code) from error


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(st.sampled_from(WORDS), max_size=25), free=st.text(max_size=12))
def test_any_text_is_checked(view, parts, free):
    """Findings, their edits and their suppressions lie within the document."""
    document = Document("sub/CLAUDE.md", "".join([*parts, free]))
    for found in text_findings(document, view, CHECKS, Selection(), fail):
        assert 0 <= found.span.start <= found.span.end <= len(document.text)
        assert found.message
        for fix in (*found.fixes, *allow_fixes(found, document)):
            for edit in fix.edits:
                if isinstance(edit, TextEdit):
                    assert edit.span.end <= len(document.text)
