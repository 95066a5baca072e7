"""Findings as people and programs read them: text, SARIF 2.1.0, GitHub workflow annotations."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from waybook import __version__
from waybook.cli.show.words import paragraph, plural, safe, workspace_line

if TYPE_CHECKING:
    from waybook.commands.instructions_check import Checked, Placed

_COLOURS = {"error": "red", "warning": "yellow", "information": "blue", "hint": "cyan"}
_SARIF_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def show_text(result: Checked) -> None:
    """Findings under their file, then one line that sums up."""
    for path, group in groupby(result.findings, key=lambda found: found.path):
        click.secho(safe(path), bold=True)
        for found in group:
            place = f"{found.line}:{found.column}"
            severity = click.style(found.severity, fg=_COLOURS[found.severity])
            click.echo(f"  {place:<7} {severity}  {click.style(found.code, bold=True)}")
            click.echo(paragraph(safe(found.message), " " * 10))
        click.echo()
    for path in result.fixed:
        click.secho(f"fixed {safe(path)}", fg="green")
    for warning in result.warnings:
        click.secho(f"settings: {safe(warning)}", fg="yellow", err=True)
    _sum_up(result)


def _sum_up(result: Checked) -> None:
    """How much was looked at and found, and which fixes there are."""
    total = "no findings"
    if result.findings:
        counts = [_count(result.counts[severity], severity) for severity in _COLOURS if severity in result.counts]
        total = f"{plural(len(result.findings), 'finding')} ({', '.join(counts)})"
    click.echo(f"{plural(result.files, 'instruction file')} checked: {total}.")
    click.echo(f"  {workspace_line(result)}")
    plain = sum(found.fix == "plain" for found in result.findings)
    choice = sum(found.fix == "choice" for found in result.findings)
    if plain:
        click.echo(f"  {plural(plain, 'finding')} can be fixed now: `waybook check --fix`")
    if choice:
        click.echo(f"  {plural(choice, 'finding')} can be fixed in more than one way: choose in the editor.")


def _count(count: int, severity: str) -> str:
    return f"{count} information" if severity == "information" else plural(count, severity)


def show_github(result: Checked) -> None:
    """One workflow command a finding, which GitHub shows beside the changed lines."""
    for found in result.findings:
        where = f"file={_property(found.path)},line={found.line},endLine={found.end_line}"
        if found.line == found.end_line:  # GitHub passes over columns of a range of lines
            where += f",col={found.column},endColumn={found.end_column}"
        message = found.message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        click.echo(f"::{_GITHUB_LEVELS[found.severity]} {where},title=waybook {_property(found.code)}::{message}")


def _property(value: str) -> str:
    for char, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        value = value.replace(char, code)
    return value


def show_sarif(result: Checked) -> None:
    """One SARIF run with the rules that were met."""
    from waybook.base.uris import path_to_uri
    from waybook.checks import CHECKS
    from waybook.cli.output import print_json

    met = {found.code for found in result.findings}
    rules = [
        {
            "id": check.code,
            "shortDescription": {"text": check.title},
            "help": {"text": check.manual, "markdown": check.manual},
            "defaultConfiguration": {"level": _SARIF_LEVELS[check.severity]},
        }
        for check in CHECKS
        if check.code in met
    ]
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    driver = {"name": "waybook", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"SRCROOT": {"uri": f"{path_to_uri(result.workspace)}/"}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(found, places[found.code]) for found in result.findings],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    print_json(document)


def _sarif_result(found: Placed, rule: int) -> dict[str, Any]:
    from urllib.parse import quote

    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }
    location = {"artifactLocation": {"uri": quote(os.fsencode(found.path)), "uriBaseId": "SRCROOT"}, "region": region}
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _SARIF_LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": location}],
    }
