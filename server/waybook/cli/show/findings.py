"""Findings as people and programs read them: text, SARIF 2.1.0, GitHub workflow annotations."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from waybook import __version__
from waybook.cli.show.words import plural, safe

if TYPE_CHECKING:
    from waybook.commands.instructions_check import Checked, Placed

_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "cyan"}
_SARIF_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
DOCS = "https://waybook.dev/checks#"


def show_text(result: Checked) -> None:
    """Findings under their file, then one line that sums up."""
    for path, group in groupby(result.findings, key=lambda found: found.path):
        click.secho(safe(path), bold=True)
        for found in group:
            place = f"{found.line}:{found.column}"
            severity = click.style(found.severity, fg=_COLOURS[found.severity])
            click.echo(f"  {place:<8}{severity}  {safe(found.message)}  {click.style(found.code, dim=True)}")
        click.echo()
    for path in result.fixed:
        click.echo(f"fixed {safe(path)}")
    for warning in result.warnings:
        click.secho(f"settings: {safe(warning)}", fg="yellow", err=True)
    checked = f"{plural(result.files, 'instruction file')} checked in {safe(result.workspace)}"
    if not result.findings:
        click.echo(f"{checked} (found by: {result.workspace_found_by}): no findings.")
        return
    counts = ", ".join(plural(count, severity) for severity, count in result.counts.items())
    click.echo(
        f"{checked} (found by: {result.workspace_found_by}): {plural(len(result.findings), 'finding')} ({counts})."
    )
    fixable = sum(found.fixable for found in result.findings)
    if fixable:
        click.echo(
            f"{plural(fixable, 'finding')} can be fixed: in the editor, or the plain ones with `waybook check --fix`."
        )


def show_github(result: Checked) -> None:
    """One workflow command a finding, which GitHub shows beside the changed lines."""
    for found in result.findings:
        where = f"file={_property(found.path)},line={found.line},col={found.column},endLine={found.end_line}"
        message = found.message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        click.echo(f"::{_GITHUB_LEVELS[found.severity]} {where},title=waybook {_property(found.code)}::{message}")


def _property(value: str) -> str:
    for char, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        value = value.replace(char, code)
    return value


def show_sarif(result: Checked) -> None:
    """One SARIF run with the rules that were met."""
    from waybook.checks import CHECKS

    met = {found.code for found in result.findings}
    rules = [
        {
            "id": check.code,
            "shortDescription": {"text": check.title},
            "help": {"text": check.manual, "markdown": check.manual},
            "helpUri": f"{DOCS}{check.code}",
            "defaultConfiguration": {"level": _SARIF_LEVELS[check.severity]},
        }
        for check in CHECKS
        if check.code in met
    ]
    driver = {"name": "waybook", "version": __version__, "informationUri": "https://waybook.dev", "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(found) for found in result.findings],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _sarif_result(found: Placed) -> dict[str, Any]:
    from urllib.parse import quote

    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }
    location = {"artifactLocation": {"uri": quote(found.path)}, "region": region}
    return {
        "ruleId": found.code,
        "level": _SARIF_LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": location}],
    }
