"""Apply fixes to the disk: what `waybook check --fix` does. Editors apply the same fixes as workspace edits."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from waybook.analysis.findings import CreateFile, DeleteFile, Fix, TextEdit
from waybook.base.errors import ConflictError
from waybook.workspace.edit import Replacement, delete, replaced, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def apply_fixes(root: str, fixes: Iterable[Fix], texts: Mapping[str, str]) -> tuple[str, ...]:
    """Apply fixes in order; the paths written, sorted. `texts` are the texts the fixes were computed for.

    Text edits of one file are applied together (an edit that overlaps an earlier one waits for the next run; so does a
    fix about a file that an earlier fix removed or replaced). A file that changed or vanished meanwhile raises
    `ConflictError`; files written before that stay written.
    """
    edits: dict[str, list[Replacement]] = defaultdict(list)
    written: set[str] = set()
    for fix in dict.fromkeys(fixes):
        if any(edit.path in written for edit in fix.edits):
            continue
        for edit in fix.edits:
            if isinstance(edit, TextEdit):
                edits[edit.path].append(Replacement(edit.span, edit.new_text))
            elif isinstance(edit, DeleteFile):
                _delete(root, edit.path)
                written.add(edit.path)
            elif isinstance(edit, CreateFile):
                write_text(root, edit.path, edit.text, expected=None)
                written.add(edit.path)
    for path, replacements in edits.items():
        if path in written:
            continue
        write_text(root, path, replaced(texts[path], replacements), expected=texts[path])
        written.add(path)
    return tuple(sorted(written))


def _delete(root: str, path: str) -> None:
    try:
        delete(root, path)
    except FileNotFoundError as error:
        raise ConflictError(f"{path} is gone already.", path=path, hint="Check again.") from error
