"""Which folder owns a file."""

from __future__ import annotations

from pathlib import Path

from waybook.lsp.folders import Folders


def _folders(*paths: str) -> Folders:
    folders = Folders()
    folders.add([Path(path).as_uri() for path in paths])
    return folders


def test_the_innermost_folder_owns_a_file() -> None:
    """A folder inside another one speaks for its files, whatever the order they were added in."""
    for order in (("/w", "/w/packages/web"), ("/w/packages/web", "/w")):
        folders = _folders(*order)
        owner = folders.owner("/w/packages/web/x.ts")
        assert owner is not None
        assert owner.root == "/w/packages/web"
        assert owner.relative("/w/packages/web/x.ts") == "x.ts"


def test_names_are_compared_by_whole_components() -> None:
    """`webapp` is not inside `web`."""
    folders = _folders("/w", "/w/packages/web")
    owner = folders.owner("/w/packages/webapp/x.ts")
    assert owner is not None
    assert owner.root == "/w"


def test_a_removed_folder_hands_its_files_to_the_outer_one() -> None:
    """Afterwards the outer folder owns what was inside."""
    folders = _folders("/w", "/w/packages/web")
    assert [folder.root for folder in folders.remove(["file:///w/packages/web"])] == ["/w/packages/web"]
    owner = folders.owner("/w/packages/web/x.ts")
    assert owner is not None
    assert owner.relative("/w/packages/web/x.ts") == "packages/web/x.ts"


def test_foreign_and_repeated_folders_are_passed_over() -> None:
    """Only local directories count, each once; a trailing slash makes no other folder."""
    folders = Folders()
    folders.add(["untitled:x", "vscode-vfs://github/a", "file:///w/", "file:///w"])
    assert [folder.root for folder in folders.all()] == ["/w"]


def test_the_folder_itself_and_the_root_directory() -> None:
    """A folder's own path is "", and the root directory can be a folder."""
    folders = _folders("/")
    owner = folders.owner("/x/y.md")
    assert owner is not None
    assert owner.relative("/x/y.md") == "x/y.md"
    assert owner.relative("/") == ""
    assert owner.absolute("x/y.md") == "/x/y.md"
