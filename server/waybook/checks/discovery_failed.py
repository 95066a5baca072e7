"""The instructions of a directory cannot be determined: discovery refused them as a whole.

**What it finds.** Discovery fails closed. A link where a regular file must be, an empty instruction file, text that is
no UTF-8, a file over 65,536 bytes, more than 64 files or 262,144 bytes in all, more than 32 directory levels, a file
that changed while it was read: each refuses the whole list for the directory and everything below it. The finding sits
on the file that caused it, or on the nearest existing instruction file, and appears once per cause however many
directories inherit it.

**Why it matters.** A partial list would look like an answer. Until the cause is gone nobody can say which rules apply,
nothing can be pinned or confirmed, and agents that are less strict may still load some of the files.

**Example.** `pkg/CLAUDE.md` is empty:

    pkg/CLAUDE.md:1:1: error: pkg/CLAUDE.md is empty. Remove it, or write the instructions it should hold.

**Not flagged.** A blank `AGENTS.override.md` (see empty-override: `AGENTS.md` applies instead), a file that the ignore
file hides, directories without instruction files. A bad ignore file is reported by ignore-file-invalid alone.

**How to suppress.** A file cannot switch this off for itself. Hide the file with `.prayu/instructions.ignore`, or set
the severity of `discovery-failed` in your settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import CreateFile, DeleteFile, Finding, Fix, TextEdit
from waybook.checks.model import DiskCheck
from waybook.checks.places import (
    IGNORE_FILE,
    START,
    base_name,
    first_line,
    listed,
    named,
    nearest_file,
    scope_of_file,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View
    from waybook.base.errors import DiscoveryError

PLACEHOLDER = "# Instructions\n\n<!-- Say here what an agent has to know about this directory. -->\n"


def run(view: View) -> Iterator[Finding]:
    """One finding for each cause of a refusal."""
    causes: dict[tuple[str, str], list[str]] = {}
    errors: dict[tuple[str, str], DiscoveryError] = {}
    for scope, error in sorted(view.refusals.items(), key=lambda item: (item[0].count("/"), item[0])):
        if error.path == IGNORE_FILE:
            continue
        key = (error.code, error.path or error.message)
        causes.setdefault(key, []).append(scope)
        errors.setdefault(key, error)
    for key, scopes in causes.items():
        yield _finding(view, errors[key], scopes)


def _finding(view: View, error: DiscoveryError, scopes: list[str]) -> Finding:
    path = _place(view, error, scopes[0])
    inherited = f" Nothing below {named(scopes[0])} has instructions until then ({len(scopes)} directories)."
    message = error.message + (f" {error.hint}" if error.hint else "") + (inherited if len(scopes) > 1 else "")
    return Finding(
        code=CHECK.code,
        path=path,
        span=first_line(view, path) if view.documents.get(path) else START,
        message=message,
        fixes=fill_or_remove(view, path) if path == error.path else (),
        data={"error": error.to_json(), "scopes": listed(scopes, most=20)},
    )


def _place(view: View, error: DiscoveryError, scope: str) -> str:
    """The offending file where it can be shown, else the nearest instruction file, else the file named anyway."""
    if error.path and (error.path in view.documents or error.path in view.links):
        return error.path
    near = nearest_file(view, scope_of_file(error.path) if error.path else scope)
    return near or error.path or scope


def fill_or_remove(view: View, path: str) -> tuple[Fix, ...]:
    """The two ways to mend a blank file; neither is applied unasked, both change what agents read."""
    document = view.documents.get(path)
    if document is None or document.text.strip("\ufeff \t\r\n\f\v"):
        return ()
    fill = TextEdit(path, whole(document), PLACEHOLDER) if document.text else CreateFile(path, PLACEHOLDER)
    edits = (fill,) if document.text else (DeleteFile(path), fill)
    name = base_name(path)
    return Fix(f"Remove the empty {name}", (DeleteFile(path),)), Fix(f"Fill {name} with a first heading", edits)


CHECK = DiskCheck("discovery-failed", "Instructions cannot be determined", "error", run)
