"""What is worked out once for a view, and when it is worked out again."""

from dataclasses import replace

from support.markers import unpack, view_of
from waybook.checks.listing import listing
from waybook.checks.memo import PerView, text_of


def test_an_answer_is_kept_for_its_view_and_no_other(tmp_path):
    """The same tree with other documents is another view."""
    unpack("-- AGENTS.md --\nx\n", tmp_path)
    view = view_of(tmp_path)
    asked = []
    count = PerView(lambda view: asked.append(view) or len(view.documents))
    assert (count(view), count(view), len(asked)) == (1, 1, 1)
    assert count(replace(view, documents={})) == 0
    assert count(view) == 1
    assert len(asked) == 3


def test_a_listing_asks_for_each_directory_once(tmp_path):
    """Files and directories exist by their exact names; nothing exists below a file or a missing directory."""
    unpack("-- AGENTS.md --\nx\n-- src/a/b.py --\n", tmp_path)
    view = view_of(tmp_path)
    files = listing(view)
    assert files.has("")
    assert files.has("src/a/b.py")
    assert files.is_dir("src/a")
    assert not files.is_dir("src/a/b.py")
    for path in ("src/A/b.py", "src/a/b.py/c", "none/x", "src/a/c.py"):
        assert not files.has(path)
    assert listing(view) is files


def test_the_text_under_check_is_the_newest(tmp_path):
    """A document may be newer than the view's own of that path."""
    unpack("-- AGENTS.md --\nx\n-- CLAUDE.md --\ny\n", tmp_path)
    view = view_of(tmp_path)
    current = type(view.documents["AGENTS.md"])("AGENTS.md", "new")
    assert text_of(view, "AGENTS.md", current) == "new"
    assert text_of(view, "CLAUDE.md", current) == "y\n"
    assert text_of(view, "none.md", current) is None
