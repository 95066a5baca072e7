"""`waybook check`: findings as text, JSON, SARIF or GitHub annotations."""

from __future__ import annotations

import gc

import click

from waybook.cli.leaf import call, common, examples, parameters, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load

_COMMAND = load("instructions.check")
_FORMATS = ("text", "json", "sarif", "github")


def _run(*, output: str, as_json: bool, store: str, **values: object) -> int:
    # The process ends with its answer: looking for cycles among what it still uses takes a seventh of its time.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    result = call(_COMMAND, dict(values.items()), store=store)
    chosen = "json" if as_json else output
    if chosen == "json":
        print_json(result)
    else:
        shower(f"findings:show_{chosen}")(result)
    return _COMMAND.exit_code(result)


command = click.Command(
    "check",
    callback=_run,
    help="Find flaws in the instruction files of a workspace. Exits with 1 when there are findings.",
    epilog=examples(
        (
            "waybook check",
            "waybook check services/api --select dead-path,broken-import",
            "waybook check --format sarif > waybook.sarif",
            "waybook check --fix",
        )
    ),
    params=[
        *parameters(_COMMAND),
        click.Option(
            ["--format", "output"], type=click.Choice(_FORMATS), default="text", show_default=True, help="How to print."
        ),
        *common(),
    ],
)
