"""Small words that every page of output shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


def size(count: int) -> str:
    """`1,203 bytes`."""
    return f"{count:,} byte{'' if count == 1 else 's'}"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 file`, `3 files`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def safe(text: str) -> str:
    """Text from a file or its name, with control characters made visible so that it cannot drive the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\x{ord(char):02x}" for char in text)


def heading(text: str) -> None:
    """A bold line."""
    click.secho(text, bold=True)


def table(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> None:
    """Rows with aligned columns; the last column is free."""
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        click.echo(f"{indent}{'  '.join([*cells, row[-1]])}".rstrip())
