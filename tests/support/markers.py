"""Marker fixtures: a workspace written as one text, with the findings it must give under their lines.

`-- path --` starts a file, `-- path -> target --` is a link; `^^^ code: part of the message` under a line marks a finding
that begins under the first caret. Carets of another number than three also mark where it ends. `{U+200B}` stands for a
character and `${FAKE_GITHUB}` for a secret-shaped text, so that neither stands in a test literally.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.fakes import expand
from waybook.analysis.loading import AgentContext
from waybook.analysis.service import Analysis
from waybook.analysis.view import Pinned, View
from waybook.base.clock import SystemClock
from waybook.checks import CHECKS
from waybook.checks.run import Selection, disk_findings, text_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from waybook.analysis.findings import Finding
    from waybook.checks.model import Check

_FILE = re.compile(r"^-- (?P<path>\S.*?)(?: -> (?P<target>\S+))? --\n", re.MULTILINE)
_MARK = re.compile(r"^(?P<indent> *)(?P<carets>\^+) (?P<code>[a-z-]+): ?(?P<message>.*)\n?$")
_CHARACTER = re.compile(r"\{U\+([0-9A-F]{4,6})\}")


@dataclass(frozen=True)
class Mark:
    """A finding that must come: line and columns count from 0; `end` None leaves the end open."""

    path: str
    line: int
    start: int
    end: int | None
    code: str
    message: str


def unpack(text: str, root: Path) -> list[Mark]:
    """Write a marker text's files below `root`; the marks that stood in it."""
    parts = list(_FILE.finditer(text))
    marks: list[Mark] = []
    for number, part in enumerate(parts):
        path = root / part["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if part["target"]:
            path.symlink_to(part["target"])
            continue
        end = parts[number + 1].start() if number + 1 < len(parts) else len(text)
        content, found = _split(part["path"], text[part.end() : end])
        path.write_bytes(_CHARACTER.sub(lambda match: chr(int(match[1], 16)), expand(content)).encode())
        marks += found
    return marks


def _split(path: str, body: str) -> tuple[str, list[Mark]]:
    lines: list[str] = []
    marks: list[Mark] = []
    for line in body.splitlines(keepends=True):
        match = _MARK.match(line)
        if match is None:
            lines.append(line)
            continue
        start, width = len(match["indent"]), len(match["carets"])
        end = None if width == 3 else start + width
        marks.append(Mark(path, len(lines) - 1, start, end, match["code"], match["message"]))
    return "".join(lines), marks


def view_of(root: Path, agents: tuple[str, ...] = ()) -> View:
    """The view of a workspace on the disk, without a pin; `agents` are in use, with a home that is empty."""
    return Analysis(str(root), SystemClock(), lambda: None, agents=AgentContext(chosen=agents)).view()


def all_findings(view: View, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """What some checks say about a whole view."""
    found = disk_findings(view, checks, Selection(), _fail)
    for document in view.documents.values():
        found += text_findings(document, view, checks, Selection(), _fail)
    return found


def _fail(code: str, error: Exception) -> None:
    msg = f"the check {code} failed"
    raise AssertionError(msg) from error


def check_markers(text: str, root: Path, *codes: str, agents: tuple[str, ...] = ()) -> list[Finding]:
    """Hold a marker text against the checks named (all of them without any): the same findings, no more and no less."""
    marks = unpack(text, root)
    view = view_of(root, agents)
    checks = [check for check in CHECKS if not codes or check.code in codes]
    assert len(checks) == (len(codes) or len(CHECKS)), f"unknown code among {codes}"
    found = all_findings(view, checks)
    open_marks = list(marks)
    surplus = []
    for finding in found:
        place = _place(view, finding)
        mark = next((mark for mark in open_marks if _meets(mark, finding, place)), None)
        if mark is None:
            surplus.append((finding.code, finding.path, place, finding.message))
        else:
            open_marks.remove(mark)
    told = "\n".join(["missing:", *map(repr, open_marks), "not expected:", *map(repr, surplus)])
    assert not open_marks, told
    assert not surplus, told
    return found


def _place(view: View, finding: Finding) -> tuple[int, int, int, int]:
    """(line, column) of a finding's begin and end, from 0."""
    document = view.documents.get(finding.path)
    if document is None:
        return 0, 0, 0, 0
    return (
        *document.lines.position(finding.span.start, "utf-32"),
        *document.lines.position(finding.span.end, "utf-32"),
    )


def _meets(mark: Mark, finding: Finding, place: tuple[int, int, int, int]) -> bool:
    line, column, end_line, end_column = place
    return (
        (mark.path, mark.line, mark.start, mark.code) == (finding.path, line, column, finding.code)
        and mark.message in finding.message
        and (mark.end is None or (mark.line, mark.end) == (end_line, end_column))
    )


def pinned_view(root: Path, change: Callable[[Path], object]) -> View:
    """The view after a change, measured against a baseline that was pinned before it."""
    before = view_of(root)
    pinned = Pinned("baseline", "b1", 3, "2026-01-02T03:04:05Z", "dana", dict(before.snapshots))
    change(root)
    return Analysis(str(root), SystemClock(), lambda: pinned).view()
