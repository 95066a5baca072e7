"""The rule files of one directory: everything under `.prayu/rules`, in the protocol's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import DiscoveryError
from waybook.instructions.protocol import MAX_DEPTH, RULE_SUFFIX
from waybook.workspace import refusals

if TYPE_CHECKING:
    from waybook.workspace.guard import Guard


def rule_paths(guard: Guard, folder: str) -> list[str]:
    """The slash paths of the rule files under `folder` (a real directory), in byte order.

    A link or special file anywhere below is refused, whatever its name and whether ignored or not; so is anything more
    than 32 levels down. Source: the .prayu protocol.
    """
    found: list[str] = []
    _collect(guard, folder, 1, found)
    found.sort(key=lambda path: path.encode("utf-8"))
    return found


def _collect(guard: Guard, folder: str, level: int, found: list[str]) -> None:
    for name, kind in guard.entries(folder):
        path = f"{folder}/{name}"
        if level > MAX_DEPTH:
            raise _too_deep(path)
        if kind == "directory":
            _collect(guard, path, level + 1, found)
        elif kind == "symlink":
            raise _link(guard, folder, name)
        elif kind == "special":
            raise refusals.special_file(path)
        elif name.lower().endswith(RULE_SUFFIX):
            if not _is_unicode(name):
                raise _bad_name(path)
            found.append(path)


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _link(guard: Guard, folder: str, name: str) -> DiscoveryError:
    path = f"{folder}/{name}"
    link_target = guard.link_target(folder, name)
    return DiscoveryError(
        f"{path} is a symlink to {link_target or 'an unknown place'}; a rules folder holds no links, ignored or not.",
        code="symlink",
        path=path,
        hint="Replace the link by a regular file or a real directory, or move it out of the rules folder.",
        link_target=link_target,
    )


def _too_deep(path: str) -> DiscoveryError:
    return DiscoveryError(
        f"{path} lies more than {MAX_DEPTH} levels below its rules folder.",
        code="too-deep",
        path=path,
        limit=MAX_DEPTH,
        hint="Move it up; rules need few folders.",
        found=MAX_DEPTH + 1,
    )


def _bad_name(path: str) -> DiscoveryError:
    shown = path.encode("utf-8", "backslashreplace").decode("ascii", "replace")
    return DiscoveryError(
        f"The name of the rule {shown} is not valid UTF-8.",
        code="not-utf8",
        path=shown,
        hint="Rename the file.",
    )
