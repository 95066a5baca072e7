"""Workspace-relative targets: cleaned, and never outside the workspace."""

from __future__ import annotations

import os

from waybook.base.errors import DiscoveryError

WINDOWS = os.name == "nt"


def clean_target(raw: str) -> str:
    """The slash path of `raw` below the root, without `.`, `..` and doubled slashes; "." for the root itself.

    A real `..` component may not lead above the root; names that merely contain dots (`..data`, `v1..v2.py`) are
    names. A backslash is an ordinary character except on Windows. Raises `DiscoveryError` (`invalid-target` for an
    absolute path, NUL or text that is not Unicode; `escapes-workspace`). Source: the .prayu protocol.
    """
    if "\0" in raw:
        raise _invalid(raw, "it holds a NUL character")
    if not raw.isascii() and any("\ud800" <= char <= "\udfff" for char in raw):
        raise _invalid(raw, "it is not valid Unicode")
    text = raw.replace("\\", "/") if WINDOWS else raw
    if text.startswith("/") or (WINDOWS and len(text) > 1 and text[1] == ":"):
        raise _invalid(raw, "it is an absolute path, and a target is relative to the workspace root")
    parts: list[str] = []
    for part in text.split("/"):
        if part in {"", "."}:
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise _escapes(raw)
    return "/".join(parts) or "."


def join(directory: str, name: str) -> str:
    """The slash path of `name` in `directory` ("" is the root)."""
    return f"{directory}/{name}" if directory else name


def _invalid(raw: str, why: str) -> DiscoveryError:
    return DiscoveryError(
        f"{raw!r} is an invalid target: {why}.",
        code="invalid-target",
        path=raw,
        hint="Name a file or directory relative to the workspace root, such as src/app.py.",
    )


def _escapes(raw: str) -> DiscoveryError:
    return DiscoveryError(
        f"The target {raw!r} escapes the workspace: its `..` leads above the root.",
        code="escapes-workspace",
        path=raw,
        hint="Name a path inside the workspace, or open the other folder as a workspace of its own.",
    )
