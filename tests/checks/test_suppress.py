"""Suppression comments: what they reach, and the edits that write them."""

from support.markers import check_markers, view_of
from waybook.analysis.findings import TextEdit
from waybook.analysis.view import Document
from waybook.base.text import Span
from waybook.checks import CHECKS
from waybook.checks.run import Selection, text_findings
from waybook.checks.suppress import allow_fixes, allowances

TREE = "-- docs/a.md --\n"


def test_a_comment_counts_for_its_line_or_the_next_block(tmp_path):
    """The same line, the paragraph below, the table below, but nothing after them."""
    check_markers(
        TREE
        + """\
-- AGENTS.md --
<!-- waybook: allow dead-path -->
One `docs/one.md`
and `docs/two.md`

Two `docs/three.md`
     ^^^ dead-path: docs/three.md

Three `docs/three.md` <!-- waybook: allow dead-path -->
and `docs/four.md`
     ^^^ dead-path: docs/four.md

<!-- waybook: allow broken-import, dead-path -->

| `docs/five.md` | x |
| --- | --- |
| y | `docs/six.md` |

- <!-- waybook: allow dead-path --> `docs/seven.md`
- `docs/eight.md`
   ^^^ dead-path: docs/eight.md
""",
        tmp_path,
        "dead-path",
    )


def test_allow_file_counts_everywhere_and_only_for_its_code(tmp_path):
    """Wherever it stands in the file."""
    check_markers(
        TREE
        + """\
-- AGENTS.md --
`docs/one.md` and @docs/gone.md
                  ^^^ broken-import: docs/gone.md

Last. <!-- waybook: allow-file dead-path -->
""",
        tmp_path,
        "dead-path",
        "broken-import",
    )


def test_text_without_comments_is_not_parsed():
    """The word alone, outside a comment, allows nothing."""
    assert allowances("waybook: allow dead-path") == ()


def test_the_fixes_silence_what_they_were_made_for(tmp_path):
    """Applying either edit leaves no finding of that code; CRLF and tables included."""
    text = (
        "---\ndescription: x\n---\n# Head `docs/nine.md`\r\n\r\nPara `docs/one.md`\r\nmore\r\n\r\n- item `docs/ten.md`\n\n"
        "| `docs/eleven.md` | b |\n| --- | --- |\n| a | `docs/twelve.md` |\n"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "real.md").write_text("x")
    (tmp_path / "AGENTS.md").write_bytes(text.encode())
    view = view_of(tmp_path)
    document = view.documents["AGENTS.md"]
    found = [item for item in text_findings(document, view, CHECKS, Selection()) if item.code == "dead-path"]
    assert len(found) == 5
    for item in found:
        for fix in allow_fixes(item, document):
            changed = Document("AGENTS.md", _applied(document.text, fix.edits))
            left = {other.data.get("x", other.message) for other in text_findings(changed, view, CHECKS, Selection())}
            assert item.message not in left, fix


def test_a_finding_outside_any_block_gets_the_file_wide_fix(tmp_path):
    """Front matter cannot hold a comment."""
    document = Document("AGENTS.md", "---\npaths: 1\n---\ntext\n")
    found = _finding(document)
    (only,) = allow_fixes(found, document)
    assert only.title == "Allow bad-front-matter in this file"
    assert only.edits[0].span == Span(17, 17)


def _finding(document):
    from waybook.checks import bad_front_matter

    (found,) = bad_front_matter.run(document, None)
    return found


def _applied(text, edits):
    for edit in edits:
        assert isinstance(edit, TextEdit)
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    return text
