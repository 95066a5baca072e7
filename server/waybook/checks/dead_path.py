"""A path in the text that the repository does not have.

**What it finds.** Destinations of Markdown links, and code spans that are nothing but a path with a directory the
repository has, when no such file exists relative to the instruction file, to a directory above it, or to any package.

**Why it matters.** An agent that is sent to a file that was moved or deleted searches for it, or makes it up.

**Example.** `src/config/load.ts` became `src/settings/load.ts`:

    AGENTS.md:12:9: warning: docs/setup.md is not in the repository.

A fix points to the one file of the same name, where there is exactly one.

**Not flagged.** Everything that is no plain path: globs, placeholders (`<name>`, `{id}`, `path/to/x`, `foo/bar.py`), URLs,
routes, package names, media types, branch names, commands, code blocks, bare words. Also paths of what builds and tools
make (`dist/`, `node_modules/`, `coverage/`, logs, local settings), and paths in a sentence that speaks of making, moving,
removing or illustrating a file.

**How to suppress.** `<!-- waybook: allow dead-path -->` above the line, `allow-file` for the file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.analysis.markdown import parse
from waybook.analysis.prose_paths import Mention, candidates, clean, mentions
from waybook.analysis.view import Document, View
from waybook.checks.dead_path_words import is_example, is_made_by_tools
from waybook.checks.model import TextCheck
from waybook.checks.moved import moved_to
from waybook.checks.places import base_name, is_within, join, parent, scope_of_file

_FILE = re.compile(r"[^/]*[\w\])]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_SHARED = frozenset({".", "..", ".github", ".gitlab", ".vscode", ".claude", ".cursor", ".agents", ".codex", ".prayu", ".husky"})
"""Directories with a dot that people commit; any other one is a tool's, made on each machine."""
_SIBLINGS = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each path that leads nowhere."""
    if "/" not in document.text and "](" not in document.text:
        return
    dead = {word for word in candidates(document.text) if _is_dead(document, view, *word)}
    for mention in mentions(parse(document.text)) if dead else ():
        if (mention.path, mention.kind == "link") in dead and not is_example(mention):
            yield _finding(document, view, mention)


def _is_dead(document: Document, view: View, path: str, link: bool) -> bool:  # noqa: FBT001 -- spread from a pair
    return _is_dead_link(document, view, path) if link else _is_dead_code(document, view, path)


def _is_dead_link(document: Document, view: View, path: str) -> bool:
    """A link is relative to its own file; many people write it relative to the root, so that counts as well."""
    if not _FILE.search(path):
        return False
    bases = {parent(document.path), scope_of_file(document.path), ""}
    inside = [target for base in bases if (target := clean(base, path)) is not None]
    return bool(inside) and not any(_lives(view, target) for target in inside) and not is_made_by_tools(path)


def _is_dead_code(document: Document, view: View, path: str) -> bool:
    """A code span is a path of this repository only when it begins at a directory that is here."""
    if path.startswith("../") or not (_FILE.search(path) or path.endswith("/")):
        return False
    if "..." in path or any(part.startswith(".") and part not in _SHARED for part in path.split("/")[:-1]):
        return False
    bases = _bases(document)
    if view.tree.exists(path):
        return False
    targets = [target for base in bases if (target := clean(base, path.rstrip("/"))) is not None]
    if not targets or any(_lives(view, target) for target in targets):
        return False
    rooted = any(_is_rooted(view, base, path) for base in bases)
    return rooted and not is_made_by_tools(path) and not _lives_elsewhere(view, path.removeprefix("./").rstrip("/"))


def _bases(document: Document) -> list[str]:
    """The directories a path may be relative to: the file's own, and each above."""
    directory = scope_of_file(document.path)
    bases = [directory]
    while directory:
        directory = parent(directory)
        bases.append(directory)
    return bases


def _is_rooted(view: View, base: str, path: str) -> bool:
    first = posixpath.normpath(path).partition("/")[0]
    return first not in {".", ".."} and view.tree.is_dir(join(base, first))


def _lives(view: View, target: str) -> bool:
    """Whether a path exists as it stands, as the TypeScript source of a JavaScript name, or with a suffix left out."""
    if not target or view.tree.exists(target):
        return True
    stem, suffix = posixpath.splitext(target)
    return any(view.tree.exists(stem + other) for other in _SIBLINGS.get(suffix, ()))


def _lives_elsewhere(view: View, path: str) -> bool:
    """Whether some package has the path: a file whose path ends so, or a directory that holds one."""
    name = base_name(path)
    if any(found == path or found.endswith(f"/{path}") for found in view.tree.find(name)):
        return True
    return "." not in name and view.tree.matches(f"**/{path}/**")


def _finding(document: Document, view: View, mention: Mention) -> Finding:
    path = mention.path.rstrip("/")
    fixes: tuple[Fix, ...] = ()
    found = moved_to(view, path)
    if found is not None:
        base = parent(document.path) if mention.kind == "link" else _written_from(document, view, path)
        new = posixpath.relpath(found, base or ".") if is_within(found, base) or mention.kind == "link" else found
        edit = TextEdit(document.path, mention.span, new)
        fixes = (Fix(f"Change to {new}", (edit,)),)
    message = f"{mention.path} is not in the repository." + (f" {found} is." if found else "")
    return Finding(CHECK.code, document.path, mention.span, message, fixes=fixes, data={"moved_to": found})


def _written_from(document: Document, view: View, path: str) -> str:
    """The directory that a code span's path was evidently written from."""
    return next((base for base in _bases(document) if _is_rooted(view, base, path)), "")


CHECK = TextCheck("dead-path", "Path that is not in the repository", "warning", run)
