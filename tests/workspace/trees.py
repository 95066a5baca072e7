"""Lays small trees on disk for tests; fake secrets are put together here so that no file holds one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FAKES = {
    "FAKE_API_KEY": "sk" + "-" + "abcdefghijklmnopqrstuvwxyz",
    "FAKE_VALUE": "abcdefgh" + "12345678",
    "FAKE_MIMO": "tp" + "-" + "A1b2" * 8,
    "FAKE_GITHUB": "ghp" + "_" + "A1b2C3d4" * 4,
    "FAKE_GITHUB_PAT": "github" + "_pat_" + "A1b2C3d4" * 4,
    "FAKE_AWS": "AKIA" + "Q3EGRIJKLMNO7PQR",
    "FAKE_JWT": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiJkZW1vIn0." + "c2lnbmF0dXJlLW5vdC1yZWFs",
    "FAKE_BEARER": "Zx9Yw8Vu7Ts6Rq5Po4" + "Nm3Lk2Ji1",
    "FAKE_PEM": "-----BEGIN RSA " + "PRIVATE KEY-----\nMC4CAQAwBQ\n-----END RSA " + "PRIVATE KEY-----",
}


def expand(text: str) -> str:
    """Put the fake secrets in place of their `${NAMES}`."""
    for name, value in FAKES.items():
        text = text.replace(f"${{{name}}}", value)
    return text


@dataclass(frozen=True)
class Link:
    """A symbolic link to `to`."""

    to: str


@dataclass(frozen=True)
class Sparse:
    """A file of this many bytes that takes no room."""

    size: int


class Fifo:
    """A named pipe."""


class Folder:
    """An empty directory."""


def lay(root: Path, tree: Mapping[str, str | bytes | Link | Sparse | Fifo | Folder]) -> str:
    """Make the tree below `root`; returns the root as text."""
    root.mkdir(parents=True, exist_ok=True)
    for name, value in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match value:
            case str():
                path.write_text(expand(value), encoding="utf-8", newline="")
            case bytes():
                path.write_bytes(value)
            case Link():
                path.symlink_to(value.to)
            case Sparse():
                with path.open("wb") as file:
                    file.truncate(value.size)
            case Fifo():
                os.mkfifo(path)
            case Folder():
                path.mkdir(exist_ok=True)
    return str(root)
