"""The ignore file `.prayu/instructions.ignore` cannot be read as it is.

**What it finds.** A pattern that is absolute, holds a backslash or `..`, starts with `!`, or cleans to nothing; more
than 128 patterns; a file over 16 KiB, no UTF-8, with a NUL, or that is a link. The finding names the line.

**Why it matters.** An ignore file that is only half understood could hide the wrong files, so it refuses every
directory of the workspace.

**Example.** Line 3 tries to negate:

    .prayu/instructions.ignore:3:1: error: Line 3 of .prayu/instructions.ignore: "!docs/AGENTS.md" is no pattern.

**Not flagged.** Comments, blank lines, CRLF line ends, a pattern that matches no file.

**How to suppress.** Not by a comment: nothing applies until the file is mended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.model import DiskCheck
from waybook.checks.places import IGNORE_FILE, START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View
    from waybook.base.text import Span


def run(view: View) -> Iterator[Finding]:
    """One finding for the ignore file's first flaw."""
    for error in view.refusals.values():
        if error.path == IGNORE_FILE:
            message = error.message + (f" {error.hint}" if error.hint else "")
            told = error.details.get("line")
            line = told if isinstance(told, int) else 1
            data = {"error": error.to_json(), "line": line}
            yield Finding(CHECK.code, IGNORE_FILE, _line(view, line), message, data=data)
            return


def _line(view: View, line: int) -> Span:
    """The span of a line counted from 1, where the ignore file's text is at hand."""
    document = view.documents.get(IGNORE_FILE)
    return document.lines.line_span(line - 1) if document is not None else START


CHECK = DiskCheck("ignore-file-invalid", "Ignore file cannot be used", "error", run)
