"""`instructions.check`: run every check over a workspace's instruction files; optionally apply the plain fixes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from waybook.analysis.fixing import apply_fixes
from waybook.base.errors import NotFoundError, UsageError
from waybook.base.text import LineIndex, Span
from waybook.checks import CHECKS
from waybook.checks.kept_place import kept_findings
from waybook.checks.run import Selection, disk_findings, text_findings
from waybook.commands.model import Call, Command, param
from waybook.workspace.paths import clean_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import View
    from waybook.checks.kept_findings import KeptFindings
    from waybook.commands.services import Services
    from waybook.workspace.locate import Located


@dataclass(frozen=True, slots=True)
class Params:
    """`paths`: files or directories to report about (all when empty); `select`/`ignore`: check codes."""

    paths: tuple[str, ...] = param(
        "Files or directories to report about; all when none is named.", default=(), positional=True
    )
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    select: tuple[str, ...] = param("Only these checks (comma-separated or repeated).", default=(), metavar="CODES")
    ignore: tuple[str, ...] = param("Not these checks (comma-separated or repeated).", default=(), metavar="CODES")
    fix: bool = param("Apply the fixes that are plain and safe, then report what is left.", default=False)
    no_cache: bool = param("Work everything out anew; neither read nor keep findings.", default=False)


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding with its place: lines and columns count from 1, columns in characters, ends exclusive.

    `fix`: `plain` (`--fix` applies it), `choice` (a person has to choose, in the editor) or empty.
    """

    code: str
    severity: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    fix: Literal["plain", "choice", ""]
    agents: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """Every finding, worst places first by path; `files` counts the instruction files looked at."""

    workspace: str
    workspace_found_by: str
    files: int
    findings: tuple[Placed, ...]
    fixed: tuple[str, ...]
    counts: Mapping[str, int]
    warnings: tuple[str, ...] = ()


def run(services: Services, params: Params, call: Call) -> Checked:
    """Raises `UsageError` for an unknown check code or a path outside the workspace."""
    located, wanted = _aim(services, params)
    settings = services.settings(located.root).settings
    selection = _selection(params, settings.checks_severity)
    keeping = None if params.no_cache or selection.select else kept_findings(located.root, settings, CHECKS)
    analysis = services.analysis(located.root)
    view = analysis.view(progress=call.progress, late=True)
    _require_existing(view, wanted)
    findings = _findings(view, selection, call, keeping)
    fixed: tuple[str, ...] = ()
    if params.fix:
        call.actor.require_operator("change instruction files")
        fixes = [fix for found in findings if _within(found.path, wanted) for fix in found.fixes if fix.preferred]
        fixed = apply_fixes(located.root, fixes, {path: document.text for path, document in view.documents.items()})
        if fixed:
            view = analysis.view(progress=call.progress, late=True)
            findings = _findings(view, selection, call, keeping)
    causes = _causes(view, wanted) if any("error" in found.data for found in findings) else frozenset()
    shown = tuple(_placed(view, found) for found in findings if _concerns(found, wanted, causes))
    files = [path for path in (*view.documents, *view.links) if _within(path, wanted)]
    return Checked(
        located.root,
        located.found_by,
        len(files),
        shown,
        fixed,
        dict(sorted(Counter(found.severity for found in shown).items())),
        services.settings(located.root).warnings,
    )


def _aim(services: Services, params: Params) -> tuple[Located, tuple[str, ...]]:
    if not params.paths:
        return services.locate(params.workspace), ()
    aimed = [services.aim(path, params.workspace) for path in dict.fromkeys(params.paths)]
    roots = {located.root for located, _ in aimed}
    if len(roots) > 1:
        raise UsageError(
            f"The paths lie in {len(roots)} workspaces: {', '.join(sorted(roots))}.",
            hint="Check one workspace at a time, or name it with --workspace.",
        )
    return aimed[0][0], tuple(clean_target(target) for _, target in aimed)


def _require_existing(view: View, wanted: tuple[str, ...]) -> None:
    """A misspelt path must not look like a path without findings."""
    for path in wanted:
        if path != "." and path not in view.links and not view.tree.exists(path):
            raise NotFoundError(
                f"There is no {path} in this workspace.",
                code="no-path",
                path=path,
                hint="Name an existing file or directory, or none to check the whole workspace.",
            )


def _within(path: str, wanted: tuple[str, ...]) -> bool:
    return not wanted or any(top in {"", "."} or path == top or path.startswith(f"{top}/") for top in wanted)


def _causes(view: View, wanted: tuple[str, ...]) -> frozenset[str | None]:
    """The files, wherever they lie, that leave a wanted place without instructions."""
    scopes = {scope for scope in view.refusals if _within(scope or ".", wanted)}
    governing = {view.scope_of(path) for path in wanted}
    scopes |= {scope for scope in view.refusals if scope in governing}
    return frozenset(view.refusals[scope].path for scope in scopes)


def _concerns(found: Finding, wanted: tuple[str, ...], causes: frozenset[str | None]) -> bool:
    return _within(found.path, wanted) or ("error" in found.data and found.data["error"]["path"] in causes)


def _selection(params: Params, severity: Mapping[str, str]) -> Selection:
    known = {check.code for check in CHECKS}
    select, ignore = _codes(params.select, known), _codes(params.ignore, known)
    return Selection(select, ignore, severity)


def _codes(given: Iterable[str], known: set[str]) -> frozenset[str]:
    codes = frozenset(code.strip() for item in given for code in item.split(",") if code.strip())
    unknown = sorted(codes - known)
    if unknown:
        raise UsageError(
            f"There is no check {', '.join(unknown)}.",
            code="unknown-check",
            hint=f"The checks are: {', '.join(sorted(known))}.",
        )
    return codes


def _findings(view: View, selection: Selection, call: Call, keeping: KeptFindings | None) -> list[Finding]:
    """All findings in order; from those kept where they still hold."""
    kept = None if keeping is None else keeping.findings(view, call.progress, selection)
    return sorted(
        _anew(view, selection, call) if kept is None else kept, key=lambda found: (found.path, found.span, found.code)
    )


def _anew(view: View, selection: Selection, call: Call) -> list[Finding]:
    findings = disk_findings(view, CHECKS, selection)
    for done, document in enumerate(view.documents.values()):
        if done % 64 == 0:
            call.progress.step("checking instruction files", done, len(view.documents))
        findings += text_findings(document, view, CHECKS, selection)
    return findings


def _placed(view: View, found: Finding) -> Placed:
    document = view.documents.get(found.path)
    lines = document.lines if document else LineIndex("")
    span = found.span if document else Span(0, 0)
    line, column = lines.position(span.start, "utf-32")
    end_line, end_column = lines.position(span.end, "utf-32")
    return Placed(
        found.code,
        found.severity,
        found.path,
        line + 1,
        column + 1,
        end_line + 1,
        end_column + 1,
        found.message,
        "plain" if any(fix.preferred for fix in found.fixes) else "choice" if found.fixes else "",
        found.agents,
        found.data,
    )


COMMAND = Command(
    id="instructions.check",
    title="Check the instruction files of a workspace",
    params=Params,
    run=run,
    actor="agent",
    exit_code=lambda result: 1 if result.findings else 0,
)
