"""Text that people give as an option, in a file or on standard input, taken over exactly as it is."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING

import click
from click.core import ParameterSource

from waybook.base.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from waybook.cli.spelling import Leaf

FILE = "text_file"
MAX_BYTES = 1024 * 1024
"""More than any text that Waybook keeps: whoever pipes a log in by mistake is told so before all of it is read."""


def text_file(leaf: Leaf) -> click.Option:
    """The option `--file` of a spelling whose parameter `leaf.text` may come from a file."""
    return click.Option(
        ["--file", FILE],
        type=click.File("rb"),
        metavar="PATH",
        help=f"Read the {leaf.text} from this file; - is standard input.",
    )


def given_text(leaf: Leaf, file: IO[bytes] | None, option: str | None) -> str | None:
    """The text of the option, of the file, or (where `leaf.piped`) of standard input; None where there is none.

    Bytes are decoded as UTF-8 and nothing else is done to them: line ends and spaces stay. Raises `UsageError` for
    text given twice or not at all, `RefusedError` for bytes that are not UTF-8 or more than 1 MiB.
    """
    name = f"--{leaf.text.replace('_', '-')}"
    typed = click.get_current_context().get_parameter_source(leaf.text) is ParameterSource.COMMANDLINE
    if file is not None and typed:
        raise UsageError(f"Give the text with {name} or with --file, not with both.", code="text-twice")
    if file is not None:
        return _decoded(file, getattr(file, "name", "the file"))
    if typed or not leaf.piped:
        return option
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            f"The {leaf.text} is missing.",
            code="text-missing",
            hint=f"Pass {name} TEXT, --file PATH, or pipe the text in.",
        )
    return _decoded(sys.stdin.buffer, "standard input")


def _decoded(file: IO[bytes], name: str) -> str:
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        msg = f"{name} holds more than {MAX_BYTES:,} bytes."
        raise RefusedError(msg, code="text-too-long", limit=MAX_BYTES, hint="Give the part that is to be kept.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        msg = f"{name} is not UTF-8: byte {error.start} cannot be read."
        raise RefusedError(msg, code="not-utf8", hint="Convert it to UTF-8 first.", byte_offset=error.start) from error
