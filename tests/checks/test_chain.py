"""Which documents are read before another one."""

from support.markers import unpack, view_of
from waybook.checks.chain import is_dormant, predecessors

TREE = """\
-- AGENTS.md --
root
-- CLAUDE.md --
root
-- .claude/CLAUDE.md --
root
-- .prayu/instructions.md --
root
-- .prayu/rules/b.md --
root
-- .prayu/rules/a.md --
root
-- a/AGENTS.md --
old
-- a/AGENTS.override.md --
new
-- a/b/CLAUDE.md --
near
-- ab/AGENTS.md --
other
"""


def before(view, path):
    return [document.path for document in predecessors(view.documents[path], view)]


def test_the_chain_goes_from_the_root_down_in_the_order_of_the_protocol(tmp_path):
    """Superseded files are left out, and `ab` is not inside `a`."""
    unpack(TREE, tmp_path)
    view = view_of(tmp_path)
    root = [
        "AGENTS.md",
        "CLAUDE.md",
        ".claude/CLAUDE.md",
        ".prayu/instructions.md",
        ".prayu/rules/a.md",
        ".prayu/rules/b.md",
    ]
    assert before(view, "a/b/CLAUDE.md") == [*root, "a/AGENTS.override.md"]
    assert before(view, ".prayu/rules/a.md") == root[:4]
    assert before(view, "ab/AGENTS.md") == root
    assert before(view, "AGENTS.md") == []


def test_the_order_is_that_of_the_snapshot(tmp_path):
    """What discovery answers for the nearest scope is the same list."""
    unpack(TREE, tmp_path)
    view = view_of(tmp_path)
    sources = [source.path for source in view.snapshots["a/b"].sources]
    assert [*before(view, "a/b/CLAUDE.md"), "a/b/CLAUDE.md"] == sources


def test_superseded_and_ignored_files_are_dormant(tmp_path):
    """A blank override supersedes nothing."""
    unpack(
        TREE + "-- .prayu/instructions.ignore --\nab/AGENTS.md\n-- c/AGENTS.md --\nx\n-- c/AGENTS.override.md --\n\n",
        tmp_path,
    )
    view = view_of(tmp_path)
    dormant = {path for path, document in view.documents.items() if is_dormant(document, view)}
    assert {"a/AGENTS.md", "ab/AGENTS.md"} <= dormant
    assert "c/AGENTS.md" not in dormant


def test_a_refused_directory_still_has_a_chain(tmp_path):
    """A link refuses the list of instructions, but texts are checked against one another all the same."""
    unpack("-- AGENTS.md --\nx\n-- CLAUDE.md -> AGENTS.md --\n-- a/AGENTS.md --\ny\n", tmp_path)
    view = view_of(tmp_path)
    assert view.refusals
    assert before(view, "a/AGENTS.md") == ["AGENTS.md"]
