"""A glob in front matter that matches no file.

**What it finds.** Each glob of `paths`, `globs` and `applyTo` that no file of the workspace matches, neither from the root nor
from the directory the rule belongs to. A glob without `/` is tried at any depth.

**Why it matters.** The rule never applies, and nothing says so.

**Example.** `src/` was renamed to `app/`:

    .prayu/rules/api.md:2:10: warning: No file matches src/api/**/*.ts.

**Not flagged.** Globs that cannot be read, negated globs, globs for files that builds make, globs in the text itself.

**How to suppress.** `<!-- waybook: allow-file dead-glob -->` in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.analysis.markdown_front import globs
from waybook.checks.dead_path_words import is_made_by_tools
from waybook.checks.model import TextCheck
from waybook.checks.places import join, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each glob without a file."""
    if not document.text.startswith("---"):
        return
    for pattern, span in globs(document.text):
        if not pattern.startswith("!") and not is_made_by_tools(pattern) and not _lives(document, view, pattern):
            yield Finding(CHECK.code, document.path, span, f"No file matches {pattern}.", data={"glob": pattern})


def _lives(document: Document, view: View, pattern: str) -> bool:
    plain = pattern.removeprefix("./").removeprefix("/")
    if not plain or ".." in plain.split("/"):
        return True
    scope = scope_of_file(document.path)
    places = [plain, join(scope, plain)] if scope else [plain]
    if "/" not in plain.rstrip("/"):
        places.append(f"**/{plain}")
    tries = [form for place in places for form in _forms(place)]
    return any(
        view.tree.exists(form) if not any(c in form for c in "*?[{") else view.tree.matches(form) for form in tries
    )


def _forms(pattern: str) -> tuple[str, ...]:
    """A glob as it stands, and as the directory it may name."""
    bare = pattern.rstrip("/")
    return (bare,) if bare.endswith("**") else (bare, f"{bare}/**")


CHECK = TextCheck("dead-glob", "Glob that matches no file", "warning", run)
