"""Small words that every page of output shares."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_WIDTH = 100
MIN_TEXT = 24
MOST_LISTED = 20
"""Longer lists are cut for people, with a word about it; `--json` has all."""


def size(count: int) -> str:
    """`1,203 bytes`."""
    return f"{count:,} byte{'' if count == 1 else 's'}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 file`, `3 files`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def safe(text: str) -> str:
    """Text from a file or its name, with control characters made visible so that it cannot drive the terminal."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(char: str) -> str:
    """An escape as Python and most shells write it; a byte that is no UTF-8 is shown as that byte."""
    if char.isprintable():
        return char
    if "\udc80" <= char <= "\udcff":
        return f"\\x{os.fsencode(char).hex()}"
    return char.encode("unicode_escape").decode("ascii")


def listed(names: Sequence[str]) -> str:
    """`a, b and 3 more`."""
    more = f" and {len(names) - MOST_LISTED:,} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def workspace_line(result: Any) -> str:
    """Which workspace an answer is about, and how it was chosen."""
    return f"workspace {safe(result.workspace)} (found by: {result.workspace_found_by})"


def when(stamp: str) -> str:
    """`2026-01-05 10:00:00 UTC` for a stored time."""
    return f"{stamp[:10]} {stamp[11:19]} UTC"


def paragraph(text: str, indent: str, first: str = "") -> str:
    """Text under `first`, wrapped at the width of the terminal; one line where nobody reads it on a terminal."""
    if not sys.stdout.isatty():
        return f"{first or indent}{text}"
    width = min(MAX_WIDTH, shutil.get_terminal_size().columns)
    return textwrap.fill(
        text,
        max(width, len(indent) + MIN_TEXT),
        initial_indent=first or indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def heading(text: str) -> None:
    """A bold line."""
    click.secho(text, bold=True)


def table(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> None:
    """Rows with aligned columns; the last column is free, and wrapped on a terminal."""
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        before = indent + "".join(f"{cell}  " for cell in cells)
        click.echo(paragraph(row[-1], " " * len(before), before).rstrip())
