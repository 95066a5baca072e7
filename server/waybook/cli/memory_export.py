"""`waybook memory export`: the document itself, with or without `--json`."""

from __future__ import annotations

import click

from waybook.cli.leaf import call, common, examples, parameters
from waybook.cli.output import print_json
from waybook.commands.registry import load

_COMMAND = load("memory.export")


def _run(*, as_json: bool, store: str, **values: object) -> int:  # noqa: ARG001 - it is JSON either way
    print_json(call(_COMMAND, dict(values), store=store))
    return 0


command = click.Command(
    "export",
    callback=_run,
    help="Print memories as one JSON document that `import` takes back.",
    epilog=examples(
        ("waybook memory export --all > memories.json", "waybook memory export --scope project --workspace demo --all")
    ),
    params=[*parameters(_COMMAND), *common()],
)
