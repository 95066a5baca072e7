"""`waybook explain`: the `.prayu` chain of a target, or with `--agent` what real agents load for it."""

from __future__ import annotations

from typing import Any

import click

from waybook.base.errors import UsageError
from waybook.cli.leaf import call, common, examples, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load

_ONLY_WITH_AGENT = ("cwd", "home", "root", "agent_arg")


def _run(*, target: str, workspace: str, agent: tuple[str, ...], as_json: bool, store: str, **asked: Any) -> int:
    values: dict[str, Any] = {"target": target, "workspace": workspace}
    if agent:
        command, show = load("agents.explain"), "agents:show_explanation"
        values |= {"agent": agent, **asked}
    else:
        given = [name for name in _ONLY_WITH_AGENT if asked[name]]
        if given:
            raise UsageError(
                f"--{given[0].replace('_', '-')} goes with --agent.",
                hint="Name the agents (`--agent codex,claude-code`), or `--agent all`.",
            )
        command, show = load("instructions.explain"), "explain:show"
    result = call(command, values, store=store)
    if as_json:
        print_json(result)
    else:
        shower(show)(result)
        if not agent:
            click.secho("What Codex, Claude Code and others really load for it: add --agent all.", dim=True)
    return command.exit_code(result)


def agent_options() -> list[click.Parameter]:
    """The options that say what an agent was started with."""
    return [
        click.Option(["--agent"], multiple=True, metavar="IDS", help="What these agents load: ids, or `all`."),
        click.Option(
            ["--cwd"], default="", metavar="DIR", help="Where the agent was started [default: the workspace]."
        ),
        click.Option(["--home"], default="", metavar="DIR", help="Home directory instead of your own."),
        click.Option(["--root"], default="", metavar="DIR", help="Directory that stands for the file system's root."),
        click.Option(["--agent-arg"], multiple=True, metavar="ARG", help="An argument the agent got (repeat it)."),
    ]


command = click.Command(
    "explain",
    callback=_run,
    help="Explain which instructions a file receives, and why.",
    epilog=examples(
        (
            "waybook explain src/app.py",
            "waybook explain --workspace ~/code/shop services/api --json",
            "waybook explain src/app.py --agent codex,claude-code",
            "waybook explain src/app.py --agent all --cwd services/api --json",
        )
    ),
    params=[
        click.Argument(["target"], required=False, default="."),
        click.Option(["--workspace"], default="", metavar="DIR", help="Workspace directory or registered name."),
        *agent_options(),
        *common(),
    ],
)
