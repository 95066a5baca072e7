"""Reading without following links, and noticing every change."""

from __future__ import annotations

import os
import resource
import socket
import stat
from types import SimpleNamespace

import pytest

from waybook.base.errors import DiscoveryError
from waybook.workspace import guard as guard_module
from waybook.workspace.guard import Guard
from waybook.workspace.opening import ByDescriptor, ByPath, kind_of
from workspace.trees import Fifo, Link, Sparse, lay


@pytest.fixture(params=[False, True], ids=["descriptors", "paths"])
def opened(request, tmp_path):
    """A guard on an empty workspace, both ways."""
    root = lay(tmp_path / "ws", {})
    with Guard(root, by_path=request.param) as guard:
        yield guard


def refused(guard: Guard, directory: str, name: str, limit: int = 100) -> DiscoveryError:
    with pytest.raises(DiscoveryError) as caught:
        guard.read(directory, name, limit)
    return caught.value


def test_reads_a_file_and_nothing(opened, tmp_path):
    """Bytes as they are; None for what is missing, also below a missing directory."""
    lay(tmp_path / "ws", {"a/b.md": b"\xff\0x", "empty": ""})
    assert opened.read("a", "b.md", 100) == b"\xff\0x"
    assert opened.read("", "empty", 100) == b""
    assert opened.read("a", "none.md", 100) is None
    assert opened.read("none/deeper", "b.md", 100) is None
    assert opened.kind("a", "b.md") == "file"
    assert opened.kind("", "a") == "directory"
    assert opened.kind("", "none") == "missing"


def test_refuses_before_opening(opened, tmp_path, monkeypatch):
    """Links, pipes, sockets, directories and long files are refused without an open call on them."""
    root = lay(
        tmp_path / "ws",
        {
            "real": "x",
            "link": Link("real"),
            "pipe": Fifo(),
            "folder/x": "",
            "long": "x" * 101,
            "huge": Sparse(209_715_200),
        },
    )
    bound = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(root)
    bound.bind("socket")
    monkeypatch.setattr(type(opened._open), "file", lambda *_: pytest.fail("opened"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    codes = {name: refused(opened, "", name).code for name in ("link", "pipe", "socket", "folder", "long", "huge")}
    bound.close()
    assert codes == {
        "link": "symlink",
        "pipe": "not-regular",
        "socket": "not-regular",
        "folder": "not-regular",
        "long": "too-large",
        "huge": "too-large",
    }
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_directories_must_be_real(opened, tmp_path):
    """A linked directory and a file in a directory's place are refused, at any level."""
    lay(tmp_path / "ws", {"real/in/x": "x", "real/link": Link("in"), "alias": Link("real"), "file": "x"})
    assert opened.read("real/in", "x", 9) == b"x"
    for directory, path, code in (
        ("alias", "alias", "symlink"),
        ("alias/in", "alias", "symlink"),
        ("real/link", "real/link", "symlink"),
        ("file", "file", "not-a-directory"),
    ):
        error = refused(opened, directory, "x")
        assert (error.code, error.path) == (code, path)
    with pytest.raises(DiscoveryError):
        opened.has_folder("", "alias")
    assert opened.has_folder("", "real")
    assert not opened.has_folder("", "none")


def test_changes_while_reading(opened, tmp_path, monkeypatch):
    """Growing, shrinking, another text of the same length and time, and a swapped file are all refused."""
    path = tmp_path / "ws/AGENTS.md"
    original = guard_module._contents
    times = (1_000_000_000, 1_000_000_000)

    def meddle(change):
        path.write_bytes(b"first text")
        os.utime(path, ns=times)
        calls = []

        def contents(descriptor, size):
            data = original(descriptor, size)
            if not calls:
                change()
            calls.append(size)
            return data

        monkeypatch.setattr(guard_module, "_contents", contents)
        error = refused(opened, "", "AGENTS.md")
        monkeypatch.setattr(guard_module, "_contents", original)
        assert (error.code, error.path) == ("changed-while-reading", "AGENTS.md")
        assert "changed while reading" in error.message

    def same_status():
        path.write_bytes(b"other text")
        os.utime(path, ns=times)

    meddle(lambda: path.write_bytes(b"first text and more"))
    meddle(lambda: path.write_bytes(b"fir"))
    meddle(lambda: os.utime(path))
    meddle(same_status)
    assert opened.read("", "AGENTS.md", 100) == b"other text"


@pytest.mark.parametrize("swap", ["link", "fifo", "gone", "other"])
def test_swapped_between_the_look_and_the_open(opened, tmp_path, monkeypatch, swap):
    """What takes the file's place after the look is neither followed nor waited for."""
    path = tmp_path / "ws/AGENTS.md"
    path.write_text("text")
    (tmp_path / "secret").write_text("text")
    open_file = type(opened._open).file

    def swapped(self, parent, name):
        path.unlink()
        if swap == "link":
            path.symlink_to(tmp_path / "secret")
        elif swap == "fifo":
            os.mkfifo(path)
        elif swap == "other":
            (tmp_path / "secret").rename(path)
        return open_file(self, parent, name)

    monkeypatch.setattr(type(opened._open), "file", swapped)
    assert refused(opened, "", "AGENTS.md").code == "changed-while-reading"


def test_a_directory_swapped_for_a_link_leads_nowhere(tmp_path):
    """An open directory stays the one that was checked (descriptors), or the swap is noticed (paths)."""
    root = lay(tmp_path / "ws", {"d/AGENTS.md": "inside"})
    outside = lay(tmp_path / "outside", {"AGENTS.md": "canary"})
    for by_path in (False, True):
        with Guard(root, by_path=by_path) as guard:
            assert guard.has_directory("d")
            os.rename(f"{root}/d", f"{root}/kept")
            os.symlink(outside, f"{root}/d")
            if by_path:
                assert refused(guard, "d", "AGENTS.md").code == "changed-while-reading"
            else:
                assert guard.read("d", "AGENTS.md", 100) == b"inside"
            os.unlink(f"{root}/d")
            os.rename(f"{root}/kept", f"{root}/d")


class FoldingDescriptors(ByDescriptor):
    """A file system that finds a name in any case, as on macOS and Windows."""

    def stat(self, parent, name):
        for spelled, _ in super().entries(parent):
            if spelled.lower() == name.lower():
                return super().stat(parent, spelled)
        raise FileNotFoundError(2, "no such file", name)

    def file(self, parent, name):
        spelled = next(entry for entry, _ in super().entries(parent) if entry.lower() == name.lower())
        return super().file(parent, spelled)


def test_names_are_exact_where_case_folds(tmp_path):
    """`agents.md` is not `AGENTS.md`, even if the disk says so."""
    root = lay(tmp_path / "ws", {"a/agents.md": "x", "b/AGENTS.md": "y", "c/123": "z"})
    with Guard(root) as guard:
        guard._open = FoldingDescriptors()
        assert guard.read("a", "AGENTS.md", 9) is None
        assert guard.kind("a", "AGENTS.md") == "missing"
        assert guard.read("b", "AGENTS.md", 9) == b"y"
        assert guard.read("c", "123", 9) == b"z"


def test_hard_links_are_two_names(tmp_path):
    """Two spellings of one inode on a file system that tells case apart are both there."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "x"})
    os.link(f"{root}/AGENTS.md", f"{root}/agents.MD")
    with Guard(root) as guard:
        assert guard.read("", "AGENTS.md", 9) == b"x"


def test_descriptors_are_given_back(tmp_path):
    """A thousand directories in one pass keep few descriptors open, and none afterwards."""
    root = lay(tmp_path / "ws", {f"d{number}/sub/x": "x" for number in range(500)})
    before = len(os.listdir("/proc/self/fd"))
    with Guard(root) as guard:
        for number in range(500):
            assert guard.read(f"d{number}/sub", "x", 9) == b"x"
        assert len(os.listdir("/proc/self/fd")) - before < 250
        assert guard.read("d0/sub", "x", 9) == b"x"
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("by_path", [False, True])
def test_a_linked_root_is_refused(tmp_path, by_path):
    """Neither the root nor a directory above it may be a link; the error names the real path."""
    lay(tmp_path / "real", {"ws/x": ""})
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(DiscoveryError) as caught, Guard(str(tmp_path / "link/ws"), by_path=by_path):
        pass
    assert caught.value.code == "bad-root"
    assert str(tmp_path / "real/ws") in caught.value.hint


def test_unreadable_is_an_error_not_an_absence(tmp_path, monkeypatch):
    """Without permission the discovery is refused."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "x"})

    def denied(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(ByPath, "file", denied)
    with Guard(root, by_path=True) as guard:
        assert refused(guard, "", "AGENTS.md").code == "permission-denied"


def test_the_root_may_be_spelled_freely(tmp_path, monkeypatch):
    """A relative root, or one with `..`, is made absolute and checked; an empty one is refused."""
    root = lay(tmp_path / "ws", {"sub/x": "x"})
    monkeypatch.chdir(root)
    for spelled in (".", f"{root}/sub/..", f"{root}/"):
        with Guard(spelled) as guard:
            assert guard.root == root
            assert guard.read("sub", "x", 9) == b"x"
    with pytest.raises(DiscoveryError), Guard(""):
        pass


def test_junctions_are_links():
    """On Windows any reparse point counts as a link, though its mode says directory."""
    junction = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_file_attributes=0x410)
    plain = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_file_attributes=0x10)
    assert (kind_of(junction), kind_of(plain)) == ("symlink", "directory")


def test_a_name_too_long_is_an_error(opened):
    """What the system refuses to look up is not taken for missing."""
    assert refused(opened, "", "x" * 300).code == "unreadable"
