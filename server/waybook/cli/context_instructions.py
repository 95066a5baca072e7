"""`waybook context instructions`: a snapshot; a run's pin beside the disk; or the confirmation of a run's drift.

Without `--json` people get the same pages as from `explain` and `drift`.
"""

from __future__ import annotations

import click

from waybook.base.errors import UsageError
from waybook.cli.leaf import call, common, examples, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load


def _run(  # noqa: PLR0913 - one keyword for each option
    *,
    workspace: str,
    target: str,
    run: str,
    confirm: bool,
    expected_fingerprint: str,
    expected_live_fingerprint: str,
    as_json: bool,
    store: str,
) -> int:
    if confirm and not run:
        raise UsageError("--confirm goes with --run.", hint="`waybook confirm` confirms a workspace's baseline.")
    if (expected_fingerprint or expected_live_fingerprint) and not confirm:
        raise UsageError("Fingerprints were given without --confirm; nothing was confirmed.", hint="Add --confirm.")
    if confirm:
        command = load("instructions.confirm")
        values = {
            "run": run,
            "expected_fingerprint": expected_fingerprint,
            "expected_live_fingerprint": expected_live_fingerprint,
            "confirm": True,
        }
        show = "pin:show_inspection"
    elif run:
        command, values, show = load("instructions.inspect"), {"run": run}, "pin:show_inspection"
    elif as_json:
        command, values, show = load("instructions.inspect"), {"workspace": workspace, "target": target}, ""
    else:
        command, values = load("instructions.explain"), {"workspace": workspace, "target": target or "."}
        show = "explain:show"
    result = call(command, values, store=store)
    if as_json:
        print_json(result)
    else:
        shower(show)(result)
    return command.exit_code(result)


command = click.Command(
    "instructions",
    callback=_run,
    help="Print the instruction snapshot of a target; with --run inspect a run's pin, with --confirm accept its drift.",
    epilog=examples(
        (
            "waybook context instructions --workspace demo --target internal/parser/input.go --json",
            "waybook context instructions --run run_01kb3v... --json",
            "waybook context instructions --run run_01kb3v... --confirm \\",
            "    --expected-fingerprint PINNED --expected-live-fingerprint REVIEWED --json",
        )
    ),
    params=[
        click.Option(["--workspace"], default="", metavar="DIR", help="Workspace directory or registered name."),
        click.Option(
            ["--target"],
            default="",
            metavar="PATH",
            help="File or directory; by default the current one, or the root of --workspace.",
        ),
        click.Option(["--run"], default="", metavar="ID", help="Run to inspect or to confirm for."),
        click.Option(["--confirm"], is_flag=True, help="Accept the run's drift as reviewed."),
        click.Option(["--expected-fingerprint"], default="", metavar="SHA256", help="The pinned fingerprint you saw."),
        click.Option(
            ["--expected-live-fingerprint"], default="", metavar="SHA256", help="The live fingerprint you reviewed."
        ),
        *common(),
    ],
)
