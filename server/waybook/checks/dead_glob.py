"""A glob in front matter that matches no file.

**What it finds.** Each glob of `paths`, `globs` and `applyTo` that no file of the workspace matches, neither from the root nor
from the directory the rule belongs to. A glob without `/` is tried at any depth. In the rules of an agent that Waybook knows, only the
key that this agent reads counts, case as the agent takes it, and a glob of a form that the agent never matches is told as well
(`./src/**` in Claude Code, `/src/**` in Copilot CLI).

**Why it matters.** The rule never applies, and nothing says so.

**Example.** `src/` was renamed to `app/`:

    .prayu/rules/api.md:2:10: warning: No file matches src/api/**/*.ts.

**Not flagged.** Globs that cannot be read, negated globs, globs for files that builds make, globs in the text itself.

**How to suppress.** `<!-- waybook: allow-file dead-glob -->` in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.analysis.markdown_front import GLOB_KEYS, globs
from waybook.checks.dead_path_words import is_made_by_tools
from waybook.checks.model import TextCheck
from waybook.checks.places import join, scope_of_file
from waybook.checks.rule_dialects import Dialect, cannot_match, dialect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each glob without a file."""
    if not document.text.startswith("---"):
        return
    rules = dialect(document.path)
    for pattern, span in globs(document.text, frozenset({rules.key}) if rules else GLOB_KEYS):
        if pattern.startswith("!") or is_made_by_tools(pattern):
            continue
        flaw = cannot_match(document.path, pattern)
        if flaw or not _lives(document, view, pattern, rules):
            message = f"No file matches {pattern}{f': {flaw}' if flaw else ''}."
            agents = rules.agents if rules else ()
            yield Finding(CHECK.code, document.path, span, message, agents=agents, data={"glob": pattern})


def _lives(document: Document, view: View, pattern: str, rules: Dialect | None) -> bool:
    plain = pattern.removeprefix("./").removeprefix("/")
    if not plain or ".." in plain.split("/"):
        return True
    scope = scope_of_file(document.path)
    places = [plain, join(scope, plain)] if scope else [plain]
    if "/" not in plain.rstrip("/") or (rules and rules.any_depth):
        places.append(f"**/{plain}")
    if rules and rules.owner_only and scope:
        places = [join(scope, place) for place in places[::2]]
    tries = [form for place in places for form in _forms(place)]
    return any(_found(view, form) for form in tries) or (
        rules is not None and rules.folded and any(view.tree.matches(_any_case(form)) for form in tries)
    )


def _found(view: View, form: str) -> bool:
    return view.tree.matches(form) if any(char in form for char in "*?[{") else view.tree.exists(form)


def _any_case(pattern: str) -> str:
    """A glob that takes both cases of every letter outside of sets."""
    out, inside = "", False
    for char in pattern:
        inside = char == "[" or (inside and char != "]")
        pair = char.lower() != char.upper() and char.isascii()
        out += f"[{char.lower()}{char.upper()}]" if pair and not inside else char
    return out


def _forms(pattern: str) -> tuple[str, ...]:
    """A glob as it stands, and as the directory it may name."""
    bare = pattern.rstrip("/")
    return (bare,) if bare.endswith("**") else (bare, f"{bare}/**")


CHECK = TextCheck("dead-glob", "Glob that matches no file", "warning", run)
