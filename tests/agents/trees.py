"""Small trees for the tests of one rule: `{path: text}` below a repository, asked about in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.agents import Loading, Request, profile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

REPO = "/w/r"
HOME = "/h/u"

Tree = dict[str, Any]


class Link(str):
    """The target of a symbolic link."""

    __slots__ = ()


def plant(root: Path, tree: Mapping[str, Any]) -> None:
    """Write a tree: paths relative to the repository, `~/...` in the home, or absolute; `.git` makes a repository."""
    for name, value in {"": None, **tree}.items():
        place = root / absolute(name)[1:]
        if name.endswith(".git"):
            (place / "objects").mkdir(parents=True)
            (place / "HEAD").write_text("ref: refs/heads/main\n")
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if value is None:
            place.mkdir(parents=True, exist_ok=True)
        elif isinstance(value, Link):
            place.symlink_to(value)
        else:
            place.write_bytes(value if isinstance(value, bytes) else value.encode())
    (root / HOME[1:]).mkdir(parents=True, exist_ok=True)


def absolute(path: str) -> str:
    if path.startswith("~/"):
        return f"{HOME}/{path[2:]}"
    return path if path.startswith("/") else f"{REPO}/{path}".rstrip("/")


def ask(root: Path, agent: str, target: str | None = None, cwd: str = "", **more: Any) -> Loading:
    request = Request(
        workspace=REPO,
        cwd=absolute(cwd),
        target=absolute(target) if target else None,
        home=HOME,
        root=str(root),
        **more,
    )
    return profile(agent).load(request)


def start(answer: Loading) -> list[str]:
    return [item.path for item in answer.chain if item.when == "start"]


def lazy(answer: Loading) -> list[str]:
    return [item.path for item in answer.chain if item.when == "lazy"]


def listed(answer: Loading) -> list[str]:
    return [item.path for item in answer.chain if item.when == "listed"]


def reasons(answer: Loading) -> dict[str, str]:
    return {item.path: item.reason for item in answer.not_loaded}
