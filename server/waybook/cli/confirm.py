"""`waybook confirm`: show the drift, ask, confirm exactly what was shown; or do it unattended, naming fingerprints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from waybook.base.errors import RefusedError, UsageError
from waybook.cli.leaf import call, common, examples, parameters, shower
from waybook.cli.output import print_json
from waybook.commands.instructions_confirm import scope_named
from waybook.commands.registry import load

if TYPE_CHECKING:
    from waybook.commands.instructions_drift import Drift

_CONFIRM = load("instructions.confirm")


def _run(*, as_json: bool, store: str, **values: str | bool) -> int:
    if not values["expected_live_fingerprint"]:
        if as_json or not sys.stdin.isatty():
            raise UsageError(
                "A confirmation names what was reviewed.",
                code="confirm-missing",
                hint="Pass --expected-fingerprint and --expected-live-fingerprint from `waybook drift --json`, and --confirm.",
            )
        reviewed = _review(values, store)
        if reviewed is None:
            return 0
        values.update(reviewed)
    result = call(_CONFIRM, values, store=store)
    if as_json:
        print_json(result)
    else:
        shower("pin:show_confirmed")(result)
    return 0


def _review(values: dict[str, str | bool], store: str) -> dict[str, str | bool] | None:
    """Show the drift and ask; the fingerprints to confirm, None when there is nothing to confirm."""
    drift: Drift = call(
        load("instructions.drift"), {"workspace": values["workspace"], "run": values["run"]}, store=store
    )
    shower("pin:show_changes")(drift)
    if not drift.stale:
        return None
    pinned, live = drift.expected_fingerprint, drift.expected_live_fingerprint
    if values["scope"]:
        scope = scope_named(str(values["scope"]))
        found = [item for item in drift.scopes if item.scope == scope]
        if not found:
            raise UsageError(
                f"The directory {values['scope']} did not drift.", hint="`waybook drift` lists those that did."
            )
        pinned, live = found[0].fingerprint, found[0].live_fingerprint
    if not live and not values["scope"]:
        raise RefusedError(
            "Nothing can be confirmed while a directory is refused.",
            code="refused-scope",
            hint="Mend what is named above, then review again; or confirm one directory with --scope.",
        )
    click.confirm("Confirm this as reviewed?", abort=True)
    return {"expected_fingerprint": pinned, "expected_live_fingerprint": live, "confirm": True}


command = click.Command(
    "confirm",
    callback=_run,
    help="Accept drift after reviewing it. On a terminal the change is shown and you are asked.",
    epilog=examples(
        (
            "waybook confirm",
            "waybook confirm --run run_01kb3v...",
            "waybook confirm --confirm --expected-fingerprint SHA --expected-live-fingerprint SHA --json",
        )
    ),
    params=[*parameters(_CONFIRM), *common()],
)
