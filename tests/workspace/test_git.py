"""The Git identity of a directory, on real repositories; and nothing of a repository's is ever run."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from continuity.world import git, repository
from waybook.workspace import git as subject
from waybook.workspace.git import GitIdentity, identify

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_branch_head_and_nothing_uncommitted(tmp_path: Path) -> None:
    """The short branch, the full commit id; also asked from a directory inside."""
    root = repository(tmp_path / "r")
    (root / "inner").mkdir()
    expected = GitIdentity("repository", branch="main", head=git(root, "rev-parse", "HEAD"))
    assert identify(str(root)) == expected
    assert identify(str(root / "inner")) == expected
    git(root, "switch", "-qc", "feature/x")
    assert identify(str(root)).branch == "feature/x"


def test_no_repository_no_directory_no_program(tmp_path: Path) -> None:
    """None of them is an error."""
    assert identify(str(tmp_path)).state == "none"
    assert identify(str(tmp_path / "missing")).state == "none"
    found = identify(str(repository(tmp_path / "r")), environ={"PATH": str(tmp_path)})
    assert (found.state, found.reason) == ("unavailable", "git is not installed")


def test_before_the_first_commit(tmp_path: Path) -> None:
    """A branch without a commit; a new file is uncommitted."""
    git(tmp_path, "init", "-q", "-b", "start")
    assert identify(str(tmp_path)) == GitIdentity("repository", branch="start")
    (tmp_path / "a").write_text("x")
    assert identify(str(tmp_path)).dirty


def test_detached_head(tmp_path: Path) -> None:
    """No branch, but a commit."""
    root = repository(tmp_path / "r")
    git(root, "checkout", "-q", "--detach")
    found = identify(str(root))
    assert (found.branch, found.detached, len(found.head)) == ("", True, 40)


def test_a_linked_worktree(tmp_path: Path) -> None:
    """Has its own branch and its name; the main one has none."""
    root = repository(tmp_path / "r")
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree-two"))
    found = identify(str(tmp_path / "tree-two"))
    assert (found.branch, found.worktree, found.dirty) == ("side", "tree-two", "")
    assert identify(str(root)).worktree == ""
    (tmp_path / "tree-two" / "a.txt").write_text("other\n")
    assert identify(str(tmp_path / "tree-two")).dirty
    assert not identify(str(root)).dirty


def test_the_digest_tells_states_apart(tmp_path: Path) -> None:
    """Changed, staged, new, deleted, made a program: each another digest; the same state again gives the same."""
    root = repository(tmp_path / "r")
    seen = [identify(str(root)).dirty]
    steps = (
        lambda: (root / "a.txt").write_text("two\n"),
        lambda: (root / "a.txt").write_text("three\n"),
        lambda: git(root, "add", "-A"),
        lambda: (root / "new.txt").write_text("n\n"),
        lambda: (root / "new.txt").write_text("m\n"),
        (root / "a.txt").unlink,
    )
    for step in steps:
        step()
        seen.append(identify(str(root)).dirty)
        assert identify(str(root)).dirty == seen[-1]
    assert seen[0] == ""
    assert len(set(seen)) == len(seen)
    git(root, "reset", "-q", "--hard")
    (root / "new.txt").unlink()
    assert identify(str(root)).dirty == ""
    (root / "a.txt").chmod(0o755)
    assert identify(str(root)).dirty


def test_a_touched_file_is_no_change(tmp_path: Path) -> None:
    """Other stamps, the same bytes; the index is not refreshed for that."""
    root = repository(tmp_path / "r")
    index = (root / ".git/index").read_bytes()
    os.utime(root / "a.txt", (1, 1))
    assert identify(str(root)).dirty == ""
    assert (root / ".git/index").read_bytes() == index


def test_ignored_files_do_not_count_and_links_are_not_followed(tmp_path: Path) -> None:
    """A link counts by where it points."""
    root = repository(tmp_path / "r")
    (root / ".gitignore").write_text("*.log\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "ignore")
    (root / "x.log").write_text("noise")
    assert identify(str(root)).dirty == ""
    (root / "link").symlink_to("/etc/passwd")
    one = identify(str(root)).dirty
    (root / "link").unlink()
    (root / "link").symlink_to("/etc/hosts")
    assert one != identify(str(root)).dirty != ""


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound a file counts by size and time."""
    monkeypatch.setattr(subject, "MAX_HASHED_BYTES", 10)
    root = repository(tmp_path / "r")
    (root / "big").write_text("x" * 100)
    os.utime(root / "big", (1, 1))
    one = identify(str(root)).dirty
    (root / "big").write_text("y" * 100)
    os.utime(root / "big", (1, 1))
    assert identify(str(root)).dirty == one
    os.utime(root / "big", (2, 2))
    assert identify(str(root)).dirty != one


def test_nothing_of_the_repository_is_run(tmp_path: Path) -> None:
    """Monitors, hooks, filters, aliases, external diffs: each would leave a mark."""
    root = repository(tmp_path / "r")
    mark, evil = tmp_path / "mark", tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\necho $0 $@ >> {mark}\ncat\n")
    evil.chmod(evil.stat().st_mode | stat.S_IXUSR)
    for name in ("core.fsmonitor", "core.pager", "diff.external", "filter.f.clean", "filter.f.process", "diff.d.textconv",
                 "core.sshCommand", "core.editor", "alias.rev-parse", "alias.ls-files"):  # fmt: skip
        git(root, "config", name, str(evil))
    git(root, "config", "core.hooksPath", str(tmp_path))
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (tmp_path / hook).symlink_to(evil)
        (root / ".git/hooks").mkdir(exist_ok=True)
        (root / ".git/hooks" / hook).symlink_to(evil)
    (root / ".gitattributes").write_text("* filter=f diff=d\n")
    (root / "a.txt").write_text("one\n")
    os.utime(root / "a.txt", (1, 1))
    assert identify(str(root)).state == "repository"
    assert not mark.exists(), mark.read_text()
    git(root, "status")
    assert mark.exists(), "the trap works"


def test_the_caller_s_environment_does_not_lead_elsewhere(tmp_path: Path) -> None:
    """GIT_DIR and its like are dropped."""
    root, other = repository(tmp_path / "r"), repository(tmp_path / "other")
    git(other, "switch", "-qc", "elsewhere")
    environ = {**os.environ, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other), "GIT_INDEX_FILE": "/nowhere"}
    assert identify(str(root), environ=environ).branch == "main"


def test_a_program_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time limit the identity is unavailable, and no process is left behind."""
    root = repository(tmp_path / "r")
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    fake.chmod(0o755)
    monkeypatch.setattr(subject, "SECONDS", 0.3)
    began = time.monotonic()
    found = identify(str(root), environ={"PATH": str(fake.parent)})
    assert time.monotonic() - began < 5
    assert found.state == "unavailable"
    assert "0.3 seconds" in found.reason
    listed = subprocess.run(["ps", "-ef"], capture_output=True, text=True, check=False).stdout
    assert str(fake) not in listed


def test_a_git_inside_the_workspace_is_not_run(tmp_path: Path) -> None:
    """A program named git that came with the files is not trusted."""
    fake = tmp_path / "r" / "bin" / "git"
    repository(tmp_path / "r")
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    assert identify(str(tmp_path / "r"), environ={"PATH": str(fake.parent)}).state == "unavailable"


def test_a_damaged_repository_is_told(tmp_path: Path) -> None:
    """With git's own first line."""
    root = repository(tmp_path / "r")
    (root / ".git/config").write_text("[core\n")
    found = identify(str(root))
    assert found.state == "unavailable"
    assert "config" in found.reason


def test_sha256_repositories(tmp_path: Path) -> None:
    """Commit ids of 64 digits, and touched files are no change there either."""
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main")
    (tmp_path / "a").write_text("x")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x")
    os.utime(tmp_path / "a", (1, 1))
    found = identify(str(tmp_path))
    assert (len(found.head), found.dirty) == (64, "")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A branch of bytes that are not UTF-8 still gives an identity that a database takes."""
    root = repository(tmp_path / "r")
    head = git(root, "rev-parse", "HEAD")
    name = b"refs/heads/x\xff"
    (root / ".git/HEAD").write_bytes(b"ref: " + name + b"\n")
    (root / ".git" / os.fsdecode(name)).write_text(head + "\n")
    found = identify(str(root))
    found.branch.encode()
    assert found.head == head
