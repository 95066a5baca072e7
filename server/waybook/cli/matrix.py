"""`waybook matrix`: files x agents, row by row as the answers come."""

from __future__ import annotations

from typing import Any

import click

from waybook.cli.explain import agent_options
from waybook.cli.leaf import call, common, examples
from waybook.cli.output import print_json
from waybook.commands.registry import load


def _run(*, as_json: bool, store: str, **values: Any) -> int:
    command = load("agents.matrix")
    if as_json:
        print_json(call(command, values, store=store))
        return 0
    from waybook.cli.show.matrix import Printer

    printer = Printer()
    printer.finish(call(command, values, store=store, emit=printer.emit))
    return 0


command = click.Command(
    "matrix",
    callback=_run,
    help="Show which agents load which instruction files: at start, when a file is touched, cut, or not at all.",
    epilog=examples(
        ("waybook matrix", "waybook matrix services/api --agent codex,claude-code,copilot-cli", "waybook matrix --json")
    ),
    params=[
        click.Argument(["targets"], required=False, nargs=-1),
        click.Option(["--workspace"], default="", metavar="DIR", help="Workspace directory."),
        *agent_options(),
        *common(),
    ],
)
