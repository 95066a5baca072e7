"""Configuration files of editors, which lie outside any workspace: read here, and only ever added to."""

from __future__ import annotations

import os
import stat

from waybook.base.errors import RefusedError
from waybook.workspace.edit import write_text

MAX_BYTES = 1024 * 1024
"""A larger file is no configuration that a person wrote."""


def read_config(path: str) -> str | None:
    """The text as it stands, without a byte order mark; None when there is no such file. Links are followed.

    Raises `RefusedError` for what is no UTF-8 text file of at most 1 MiB.
    """
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            raise RefusedError(
                f"{path} is no configuration file of at most {MAX_BYTES:,} bytes; it is left alone.", path=path
            )
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"{path} cannot be read; it is left alone ({error}).", path=path) from error


def add_to_config(path: str, before: str | None, addition: str) -> None:
    """Append to a file that still says `before`, or make it (None). The whole file or nothing; links are not written.

    Raises `ConflictError` when it changed meanwhile, `RefusedError` for a link or what cannot be written.
    """
    directory = os.path.dirname(path)
    while not os.path.isdir(directory):
        directory = os.path.dirname(directory)
    root = os.path.realpath(directory)
    relative = os.path.relpath(path, directory)
    gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    try:
        write_text(root, relative, (before or "") + gap + addition, expected=before)
    except OSError as error:
        raise RefusedError(f"{path} cannot be written ({error}).", path=path) from error
