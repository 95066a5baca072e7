"""`waybook thread compact`: the operation's key is printed before anything is asked, so that a repeat can name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from waybook.cli.leaf import call, common, examples, parameters, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load

if TYPE_CHECKING:
    from waybook.compaction.model import Started

_COMPACT = load("threads.compact")


def _run(*, as_json: bool, store: str, **values: Any) -> int:
    def tell(started: Started) -> None:
        # On standard error: with --json, standard output is the result alone.
        click.echo(f"operation key: {started.operation_key}", err=True)

    result = call(_COMPACT, values, store=store, emit=tell)
    if as_json:
        print_json(result)
    else:
        shower("compaction:show_compaction")(result)
    return _COMPACT.exit_code(result)


command = click.Command(
    "compact",
    callback=_run,
    params=[*parameters(_COMPACT), *common()],
    help="Put a summary in the place of a thread's older messages; its last four and the whole history stay.",
    epilog=examples(
        (
            'waybook thread compact thr_01kb3v... --focus "Keep lasting limits, decisions and unfinished work" --json',
            "waybook thread compact thr_01kb3v... --operation-key op_01kb3v...",
            "waybook thread compact ses_1f0c... --summariser openai",
        )
    ),
)
