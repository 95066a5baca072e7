"""The memory of an analysis never answers stale: its view always equals the one of a fresh analysis."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from support.workspaces import SteppingClock
from waybook.analysis.service import Analysis
from waybook.base.errors import DiscoveryError
from waybook.workspace.marks import Mark, file_marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.analysis.view import View

DIRECTORIES = ("", "a", "a/b", "c")
NAMES = ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md", ".claude/CLAUDE.md", ".prayu/rules/r.md", "agents.md")
PATHS = [f"{directory}/{name}".lstrip("/") for directory in DIRECTORIES for name in NAMES]
TEXTS = ("aaaa\n", "bbbb\n", "cccc\n", "", " \n", "longer text\n", "\ufeffaaaa\n")
IGNORES = ("", "AGENTS.md\n", "a/\n", "CLAUDE.md\n", "*.md\n", "!bad\n")


def facts(view: View) -> dict[str, Any]:
    """Everything a view says that the disk decides; times and revisions left out."""
    scopes = {
        scope: answer.to_json()["code"] if isinstance(answer, DiscoveryError) else _timeless(answer.to_json())
        for scope, answer in view.scopes.items()
    }
    return {
        "scopes": scopes,
        "documents": {path: document.text for path, document in view.documents.items()},
        "links": dict(view.links),
        "near_misses": view.near_misses,
    }


def _timeless(snapshot: dict[str, Any]) -> dict[str, Any]:
    sources = [{key: value for key, value in source.items() if key != "loaded_at"} for source in snapshot["sources"]]
    return {key: value for key, value in snapshot.items() if key not in {"loaded_at", "sources"}} | {"sources": sources}


TICK_NANOSECONDS = 10_000_000


def coarse_marks(root: str, paths: Iterable[str]) -> dict[str, Mark]:
    """Marks as a kernel gives them that stamps files once in 10 ms; newer ones hide the problem by finer stamps."""
    return {
        path: Mark(
            (*mark.identity[:-2], *(stamp // TICK_NANOSECONDS for stamp in mark.identity[-2:])), settled=mark.settled
        )
        for path, mark in file_marks(root, paths).items()
    }


class NeverStale(RuleBasedStateMachine):
    """Random edits between views. No pause between them: many rewrites share size and time stamp."""

    @initialize()
    def begin(self) -> None:
        """An empty workspace and the analysis that lives through everything."""
        self.kernel = mock.patch("waybook.analysis.memory.file_marks", coarse_marks)
        self.kernel.start()
        self.base = Path(tempfile.mkdtemp(prefix="waybook-memory-"))
        self.root = self.base / "ws"
        for directory in DIRECTORIES:
            (self.root / directory).mkdir(exist_ok=True)
        self.clock = SteppingClock()
        self.living = Analysis(str(self.root), self.clock, lambda: None)

    def teardown(self) -> None:
        """Leave nothing."""
        if hasattr(self, "base"):
            self.kernel.stop()
            shutil.rmtree(self.base)

    def _ready(self, path: str) -> Path | None:
        """A place where a file can be put; None where a link stands in the way."""
        full = self.root / path
        if any(parent.is_symlink() for parent in full.parents if self.root in parent.parents):
            return None
        full.parent.mkdir(parents=True, exist_ok=True)
        return full

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from(TEXTS))
    def write(self, path: str, text: str) -> None:
        """Write in place; through no link."""
        full = self._ready(path)
        if full is not None and not full.is_symlink():
            full.write_bytes(text.encode())

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from(TEXTS[:3]))
    def rewrite_under_the_same_time(self, path: str, text: str) -> None:
        """Another text of the same size, and the old modification time put back."""
        full = self.root / path
        if full.is_file() and not full.is_symlink():
            before = full.stat()
            full.write_bytes(text.encode())
            os.utime(full, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from(TEXTS))
    def replace(self, path: str, text: str) -> None:
        """As editors save: a new file renamed over the old one."""
        full = self._ready(path)
        if full is not None:
            temporary = self.base / "new"
            temporary.write_bytes(text.encode())
            os.replace(temporary, full)

    @rule(path=st.sampled_from(PATHS), to=st.sampled_from(PATHS))
    def rename(self, path: str, to: str) -> None:
        """One instruction file becomes another; its times stay."""
        full, target = self.root / path, self._ready(to)
        if target is not None and full.is_file():
            os.replace(full, target)

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path: str) -> None:
        """Gone."""
        (self.root / path).unlink(missing_ok=True)

    @rule(path=st.sampled_from(PATHS), leads_to=st.sampled_from(["AGENTS.md", "nowhere", "../c/CLAUDE.md"]))
    def link(self, path: str, leads_to: str) -> None:
        """A link takes a file's place."""
        full = self._ready(path)
        if full is not None:
            full.unlink(missing_ok=True)
            full.symlink_to(leads_to)

    @rule(text=st.sampled_from(IGNORES))
    def ignore(self, text: str) -> None:
        """Another ignore file."""
        full = self._ready(".prayu/instructions.ignore")
        assert full is not None
        full.write_text(text)

    @rule(directory=st.sampled_from(DIRECTORIES[1:]))
    def swap_directory(self, directory: str) -> None:
        """A directory becomes a link to a copy of itself, or a real one again."""
        full, away = self.root / directory, self.base / f"away-{directory.replace('/', '-')}"
        if full.is_symlink():
            full.unlink()
            os.replace(away, full)
        elif full.is_dir() and not any(parent.is_symlink() for parent in full.parents):
            os.replace(full, away)
            full.symlink_to(away)

    @rule()
    def look(self) -> None:
        """Let the living analysis remember the state between two edits."""
        self.living.view()

    @invariant()
    def the_view_is_fresh(self) -> None:
        """Whatever was remembered, the view says what a fresh analysis says; so do views of a few scopes."""
        if not hasattr(self, "living"):
            return
        fresh = Analysis(str(self.root), self.clock, lambda: None)
        living = facts(self.living.view())
        assert living == facts(fresh.view())
        assert facts_of_fresh_scopes(self.living) == living["scopes"]
        some = facts(self.living.view(scopes=["a/b"]))["scopes"]
        assert (
            some == {scope: answer for scope, answer in living["scopes"].items() if scope in {"", "a", "a/b"}}
            or (self.root / "a").is_symlink()
            or (self.root / "a/b").is_symlink()
        )


def facts_of_fresh_scopes(analysis: Analysis) -> dict[str, Any]:
    """What a confirmation would be bound to."""
    return {
        scope: answer.to_json()["code"] if isinstance(answer, DiscoveryError) else _timeless(answer.to_json())
        for scope, answer in analysis.fresh_scopes().items()
    }


NeverStale.TestCase.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestNeverStale = NeverStale.TestCase
