"""What a check is: a code that names the flaw, a severity, and one function over a `View`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from inspect import cleandoc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from waybook.analysis.findings import Finding, Severity
    from waybook.analysis.view import Document, View


@dataclass(frozen=True, slots=True)
class DiskCheck:
    """A check of what agents would read: runs once per view, never on unsaved text.

    `suppressible`: whether a comment in the file concerned may silence it. Not by default: what a file changed, or why
    it is refused, is not for that file to hide.
    """

    code: str
    title: str
    severity: Severity
    run: Callable[[View], Iterable[Finding]]
    suppressible: bool = False

    @property
    def manual(self) -> str:
        """The check's manual page in Markdown: its module's docstring."""
        return _manual(self.run)


@dataclass(frozen=True, slots=True)
class TextCheck:
    """A check of one document's text, unsaved changes included. A comment in the text may silence it.

    `local`: it looks at the document's path and text alone, so that its findings may be kept by content.
    """

    code: str
    title: str
    severity: Severity
    run: Callable[[Document, View], Iterable[Finding]]
    suppressible: bool = True
    local: bool = False

    @property
    def manual(self) -> str:
        """The check's manual page in Markdown: its module's docstring."""
        return _manual(self.run)


Check = DiskCheck | TextCheck


def _manual(run: Callable[..., object]) -> str:
    return cleandoc(sys.modules[run.__module__].__doc__ or "")
