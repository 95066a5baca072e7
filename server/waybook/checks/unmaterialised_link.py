"""An instruction file whose whole text is a file name: a link that was checked out as a text file.

**What it finds.** A file that holds nothing but a relative path to another Markdown file that exists.

**Why it matters.** Git on Windows (and some archives) writes a symbolic link as a small text file with the target's name.
An agent then reads that name as its only instruction, and the guidance is lost without any error.

**Example.** `CLAUDE.md` with the nine bytes `AGENTS.md`:

    CLAUDE.md:1:1: warning: CLAUDE.md holds only the name "AGENTS.md": it looks like a link that was not checked out as one.

The fix turns it into an import, `@AGENTS.md`.

**Not flagged.** A line with an `@` before it (that is an import), a sentence, a name that leads to no file.

**How to suppress.** Write a sentence around the name, or set the severity of `unmaterialised-link` in your settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.base.text import Span
from waybook.checks.model import TextCheck
from waybook.checks.places import base_name, whole
from waybook.checks.symlinked_file import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

_NAME = re.compile(r"(?:\.{1,2}/)*[\w.\-]+(?:/[\w.\-]+)*\.md", re.IGNORECASE)
MAX_LENGTH = 512
"""A link's text is a path; a longer text is no name."""


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on a text that is nothing but the name of another file."""
    if len(document.text) > MAX_LENGTH:
        return
    name = document.text.strip()
    if not _NAME.fullmatch(name):
        return
    target = resolve(document.path, name)
    if target is None or target == document.path or not view.tree.exists(target):
        return
    fixes: tuple[Fix, ...] = ()
    if base_name(document.path) == "CLAUDE.md":
        edit = TextEdit(document.path, whole(document), f"@{name}\n")
        fixes = (Fix(f"Import {name} instead", (edit,), preferred=True),)
    message = f'{document.path} holds only the name "{name}": it looks like a link that was not checked out as one.'
    start = document.text.index(name)
    yield Finding(CHECK.code, document.path, Span(start, start + len(name)), message, fixes=fixes)


CHECK = TextCheck("unmaterialised-link", "Link checked out as text", "warning", run)
