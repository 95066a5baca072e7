"""A path in the text that the repository does not have.

**What it finds.** Destinations of Markdown links, and code spans that are nothing but a path with a directory the
repository has, when no such file exists relative to the instruction file, to a directory above it, or to any package.

**Why it matters.** An agent that is sent to a file that was moved or deleted searches for it, or makes it up.

**Example.** `src/config/load.ts` became `src/settings/load.ts`:

    AGENTS.md:12:9: warning: src/config/load.ts is not in the repository. src/settings/load.ts is.

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
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.analysis.markdown import parse
from waybook.analysis.prose_paths import Mention, candidates, clean, mentions
from waybook.checks.dead_path_words import is_example, is_made_by_tools
from waybook.checks.listing import listing
from waybook.checks.model import TextCheck
from waybook.checks.moved import moved_to
from waybook.checks.places import base_name, is_within, join, parent, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

_FILE = re.compile(r"[^/]*[\w\])]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_SHARED = frozenset(
    {".", "..", ".github", ".gitlab", ".vscode", ".claude", ".cursor", ".agents", ".codex", ".prayu", ".husky"}
)
"""Directories with a dot that people commit; any other one is a tool's, made on each machine."""
_SIBLINGS = {".js": (".ts", ".tsx", ".jsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each path that leads nowhere."""
    if "/" not in document.text and "](" not in document.text:
        return
    here = _Here(document, view)
    dead = {
        (path, link)
        for path, link in candidates(document.text)
        if (here.is_dead_link(path) if link else here.is_dead_code(path))
    }
    found = (
        [item for item in mentions(parse(document.text)) if (item.path, item.kind == "link") in dead] if dead else []
    )
    promised = [item.path for item in found if is_example(item)]
    stems = {_stem(path) for path in promised}
    directories = tuple(f"{parent(path)}/" for path in promised if not here.files.has(parent(path)))
    for item in found:
        known = item.path in promised or item.path.startswith(directories) or not stems.isdisjoint(item.path.split("/"))
        if not known and _stem(item.path) not in stems:
            yield _finding(here, item)


def _stem(path: str) -> str:
    """A file's name without suffixes: the steps of a guide name one file to make in several ways."""
    return base_name(path.rstrip("/")).partition(".")[0]


@lru_cache(maxsize=4_096)
def _is_file(path: str) -> bool:
    """Whether a path ends like a file's name."""
    return _FILE.search(path) is not None


class _Here:
    """Answers about paths as one document writes them."""

    def __init__(self, document: Document, view: View) -> None:
        self.document = document
        self.view = view
        self.files = listing(view)
        scope = scope_of_file(document.path)
        self.bases = [scope]
        """The directories a path may be relative to: the file's own, and each above."""
        while scope:
            scope = parent(scope)
            self.bases.append(scope)

    def is_dead_link(self, path: str) -> bool:
        """A link is relative to its own file; many people write it relative to the root, so that counts as well."""
        if not _is_file(path):
            return False
        bases = {parent(self.document.path), self.bases[0], ""}
        inside = [target for base in bases if (target := clean(base, path)) is not None]
        return bool(inside) and not any(self._lives(target) for target in inside) and not is_made_by_tools(path)

    def is_dead_code(self, path: str) -> bool:
        """A code span is a path of this repository only when it begins at a directory that is here."""
        if not (path.endswith("/") or _is_file(path)):
            return False
        plain = posixpath.normpath(path) if "./" in path or "//" in path or path.endswith("/") else path
        targets = [join(base, plain) for base in self.bases]
        if any(map(self.files.has, targets)) or plain.startswith("..") or "..." in path:
            return False
        if any(part.startswith(".") and part not in _SHARED for part in plain.split("/")[:-1]):
            return False
        if any(map(self._lives, targets)) or self.written_from(plain) is None:
            return False
        return not (is_made_by_tools(path) or self._lives_elsewhere(plain) or any(map(self._is_in_empty, targets)))

    def written_from(self, path: str) -> str | None:
        """The directory that a code span's path was evidently written from; None when it begins nowhere here."""
        first = path.partition("/")[0]
        return next((base for base in self.bases if self.files.is_dir(join(base, first))), None)

    def _lives(self, target: str) -> bool:
        """Whether a path exists as it stands, or as the TypeScript source of a JavaScript name."""
        if self.files.has(target):
            return True
        stem, suffix = posixpath.splitext(target)
        return any(self.files.has(stem + other) for other in _SIBLINGS.get(suffix, ()))

    def _is_in_empty(self, target: str) -> bool:
        """Whether a path lies in an empty directory, as those of a submodule that is not checked out."""
        above = parent(target)
        while above and not self.files.has(above):
            above = parent(above)
        return bool(above) and not self.view.tree.names(above) and self.files.is_dir(above)

    def _lives_elsewhere(self, path: str) -> bool:
        """Whether some package has the path: a file whose path ends so, or a directory that holds one."""
        name = base_name(path)
        if any(found == path or found.endswith(f"/{path}") for found in self.view.tree.find(name)):
            return True
        return "." not in name and self.view.tree.matches(f"**/{path}/**")


def _finding(here: _Here, mention: Mention) -> Finding:
    path = mention.path.rstrip("/")
    fixes: tuple[Fix, ...] = ()
    document = here.document
    found = moved_to(here.view, path)
    if found is not None:
        link = mention.kind == "link"
        base = parent(document.path) if link else here.written_from(posixpath.normpath(path)) or ""
        new = posixpath.relpath(found, base or ".") if link or is_within(found, base) else found
        fixes = (Fix(f"Change to {new}", (TextEdit(document.path, mention.span, new),)),)
    message = f"{mention.path} is not in the repository." + (f" {found} is." if found else "")
    return Finding(CHECK.code, document.path, mention.span, message, fixes=fixes, data={"moved_to": found})


CHECK = TextCheck("dead-path", "Path that is not in the repository", "warning", run)
