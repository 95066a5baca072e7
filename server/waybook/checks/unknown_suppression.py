"""A suppression comment with a code that no check has, or one that a comment cannot silence.

**What it finds.** Codes in `<!-- waybook: allow CODE -->` and `<!-- waybook: allow-file CODE -->` that are misspelled,
gone, or belong to a check that looks at the file from outside (a refusal, drift against the pin).

**Why it matters.** Such a comment does nothing, while its author believes that it does.

**Example.** A missing letter:

    AGENTS.md:3:21: hint: There is no check "dead-pth". Did you mean dead-path?

**Not flagged.** Known codes whose check finds nothing here; comments of other programs; comments in code blocks.

**How to suppress.** Correct or remove the comment.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.checks.model import TextCheck
from waybook.checks.suppress import allowances

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, _view: View) -> Iterator[Finding]:
    """A hint on each code that silences nothing."""
    if "waybook:" not in document.text:
        return
    from waybook.checks import CHECKS

    suppressible = {check.code: check.suppressible for check in CHECKS}
    for item in allowances(document.text):
        if suppressible.get(item.code):
            continue
        if item.code in suppressible:
            message = f"A comment cannot silence {item.code}: it looks at the file from outside."
            yield Finding(CHECK.code, document.path, item.span, message)
            continue
        near = get_close_matches(item.code, [code for code, may in suppressible.items() if may], n=1)
        message = f'There is no check "{item.code}".' + (f" Did you mean {near[0]}?" if near else "")
        fixes = tuple(Fix(f"Change to {code}", (TextEdit(document.path, item.span, code),)) for code in near)
        yield Finding(CHECK.code, document.path, item.span, message, fixes=fixes)


CHECK = TextCheck("unknown-suppression", "Suppression comment without effect", "hint", run, local=True)
