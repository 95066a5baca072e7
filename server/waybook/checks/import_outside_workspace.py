"""An `@` import that leaves the workspace.

**What it finds.** `@~/...`, `@/...` and `@../...` imports that lead above the workspace root.

**Why it matters.** The file is not part of the repository: others do not have it, it is not reviewed, pinned or watched
here, and Claude Code (2.1.332, measured) loads it only after a person approved it, and drops it in unattended runs.

**Example.** Personal notes in a shared file:

    CLAUDE.md:9:3: information: @~/.claude/team.md lies outside the workspace: others may not have it.

**Not flagged.** `..` that stays inside the workspace, code spans and code blocks, aliases such as `@/components/Button.tsx`.

**How to suppress.** `<!-- waybook: allow import-outside-workspace -->` above the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.analysis.markdown_imports import Import, candidates, imports, resolve
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


_SYSTEM = frozenset(
    {"data", "etc", "home", "mnt", "opt", "private", "root", "srv", "tmp", "usr", "Users", "var", "Volumes"}
)


def run(document: Document, _view: View) -> Iterator[Finding]:
    """A finding on each import that leads out of the workspace."""
    if "@" not in document.text or not any(_leaves(document, path) for path in candidates(document.text)):
        return
    for item in imports(document.text):
        if _leaves(document, item.path) and _is_file(item):
            message = f"@{item.path} lies outside the workspace: others may not have it, and it is not reviewed here."
            yield Finding(CHECK.code, document.path, item.span, message)


def _leaves(document: Document, path: str) -> bool:
    return path.startswith(("~/", "/", "../")) and resolve(document.path, path) is None


def _is_file(item: Import) -> bool:
    """Home and parent paths are plain; an absolute one must be a system's, as `@/` is an alias in many projects."""
    if item.path.startswith("/"):
        return item.plain and item.path.split("/")[1] in _SYSTEM
    return True


CHECK = TextCheck("import-outside-workspace", "Import from outside the workspace", "information", run, local=True)
