"""An `@` import that leads to no file.

**What it finds.** An `@path` in the text, written as Claude Code and others read imports, whose file does not exist
relative to the importing file. Only words shaped like a path to a text file count (`@docs/style.md`, `@./local`), or
words that end like a file below a directory that exists.

**Why it matters.** The import is passed over silently: the agent works without the text that was meant to be there.

**Example.** `docs/style.md` was renamed:

    CLAUDE.md:4:3: warning: The import @docs/style.md leads to no file (docs/style.md).

Fixes create the file, or point the import to the one file of that name elsewhere in the workspace.

**Not flagged.** Code spans, code blocks, comments; e-mail addresses; mentions of people (`@alice`); packages (`@scope/name`);
decorators (`@dataclass`); placeholders (`@path/to/file.md`); directories; imports that leave the workspace (import-outside-workspace).

**How to suppress.** `<!-- waybook: allow broken-import -->` above the line, or write the word as code: `` `@word` ``.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from waybook.analysis.findings import CreateFile, Finding, Fix, TextEdit
from waybook.analysis.markdown_imports import Import, candidates, imports, resolve
from waybook.checks.dead_path_words import is_stand_in
from waybook.checks.model import TextCheck
from waybook.checks.moved import moved_to
from waybook.checks.places import base_name, parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each import whose file is missing."""
    if "@" not in document.text:
        return
    missing = {path for path in candidates(document.text) if _missing(document, view, path)}
    for item in imports(document.text) if missing else ():
        if item.path in missing and _is_meant(document, view, item):
            yield _finding(document, view, item)


def _missing(document: Document, view: View, path: str) -> bool:
    target = resolve(document.path, path)
    shaped = "." in path and (path.startswith(".") or "." in base_name(path))
    return target is not None and shaped and not view.tree.exists(target)


def _is_meant(document: Document, view: View, item: Import) -> bool:
    """Whether nothing but a file can be meant."""
    if is_stand_in(item.path):
        return False
    if item.plain:
        return True
    first = resolve(document.path, item.path.partition("/")[0])
    return item.file_like and first is not None and view.tree.is_dir(first)


def _finding(document: Document, view: View, item: Import) -> Finding:
    target = resolve(document.path, item.path) or item.path
    fixes = []
    same_name = moved_to(view, target)
    if same_name is not None:
        path = posixpath.relpath(same_name, parent(document.path) or ".").replace(" ", "\\ ")
        fixes.append(Fix(f"Import {same_name}", (TextEdit(document.path, item.span, f"@{path}"),), preferred=True))
    if item.plain:
        title = base_name(target).rpartition(".")[0].replace("-", " ").replace("_", " ").capitalize() or "Notes"
        fixes.append(Fix(f"Create {target}", (CreateFile(target, f"# {title}\n"),)))
    message = f"The import @{item.path} leads to no file ({target})."
    return Finding(CHECK.code, document.path, item.span, message, fixes=tuple(fixes), data={"target": target})


CHECK = TextCheck("broken-import", "Import without a file", "warning", run)
