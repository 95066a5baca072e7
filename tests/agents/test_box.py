"""The agents' view of the disk: links, boxes, bounds, and nothing opened that could block."""

from __future__ import annotations

import os
import time

import pytest

from waybook.agents import Request, profile
from waybook.workspace.box import Box


@pytest.fixture
def root(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/f").write_text("text")
    return tmp_path


def test_links_stay_in_the_box(root) -> None:
    """An absolute target is a path of the box; one that names the box's real place is too; nothing leads out."""
    (root / "inner").symlink_to("/a/f")
    (root / "real").symlink_to(f"{os.path.realpath(root)}/a/f")
    (root / "out").symlink_to("../" * 40 + "etc/hostname")
    box = Box(str(root))
    assert [box.real(path) for path in ("/inner", "/real", "/a/../a/f")] == ["/a/f"] * 3
    assert box.read("/inner") == b"text"
    assert box.real("/out") is None


def test_circles_and_broken_links_are_absent(root) -> None:
    (root / "x").symlink_to("y")
    (root / "y").symlink_to("x")
    (root / "a/up").symlink_to("..")
    box = Box(str(root))
    assert (box.real("/x"), box.kind("/y"), box.is_link("/x")) == (None, "", True)
    assert box.real("/a/up/a/up/a/f") == "/a/f"
    assert box.walk("/a") == ["/a/f"]


def test_pipes_are_seen_and_never_opened(root) -> None:
    os.mkfifo(root / "pipe")
    box = Box(str(root))
    assert (box.kind("/pipe"), box.read("/pipe"), box.text("/pipe")) == ("other", None, None)


def test_reads_are_bounded_and_remembered(root) -> None:
    box = Box(str(root), max_bytes=2)
    assert (box.read("/a/f"), box.size("/a/f")) == (b"te", 4)
    (root / "a/f").write_text("other")
    assert box.read("/a/f") == b"te"
    assert Box(str(root)).read("/a/f") == b"other"


def test_text_is_lenient(root) -> None:
    (root / "x").write_bytes(b"\xef\xbb\xbfa\xff\x00b")
    assert Box(str(root)).text("/x") == "a\ufffd\x00b"


def test_spellings_and_kinds(root) -> None:
    for name in ("AGENTS.md", "agents.MD"):
        (root / name).write_text("x")
    box = Box(str(root))
    assert box.spellings("/", "Agents.md") == ["AGENTS.md", "agents.MD"]
    assert (box.kind("/"), box.kind("/a"), box.kind("/none"), box.entries("/none")) == ("dir", "dir", "", {})
    assert box.identity("/a/f") == Box(str(root)).identity("/a/../a/f")


def test_strange_names_are_absent(root) -> None:
    box = Box(str(root))
    assert (box.kind("/a\x00b"), box.read("/" + "x" * 5000), box.real("/a/f/g")) == ("", None, None)


def test_very_deep_paths_are_absent_and_long_chains_of_links_end(root) -> None:
    for number in range(300):
        (root / f"l{number}").symlink_to(f"l{number + 1}")
    (root / "l300").write_text("end")
    box = Box(str(root))
    assert (box.kind("/x" * 2_000), box.kind("/l0")) == ("", "file")
    assert profile("codex").load(Request("/a", target="/a" + "/x" * 2_000, root=str(root))).chain == ()


@pytest.mark.parametrize("name", ["new", "sub/new"])
def test_a_quiet_directory_vouches_for_its_names_until_it_changes(tmp_path, name):
    """A name that was asked for and was not there shows as soon as it comes, however often nothing had changed."""
    (tmp_path / "sub").mkdir()
    time.sleep(0.08)
    box = Box()
    assert not box.is_file(f"{tmp_path}/{name}")
    time.sleep(0.08)
    assert [box.unchanged() for _ in range(3)] == [True] * 3
    (tmp_path / name).write_text("x")
    assert not box.unchanged()
