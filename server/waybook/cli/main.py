"""The program `waybook`: the click tree made of `tree.py`, and the one place that turns errors into exit codes.

Exit codes: 0 fine, 1 findings or stale, 2 usage or refused (also cancelled). With `--json` an error is one JSON object
on standard output: `{"error": {"code", "message", "path", "limit", "hint"}}`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from waybook import __version__
from waybook.base.errors import DiscoveryError, WaybookError
from waybook.cli.output import print_json
from waybook.cli.show.words import safe
from waybook.cli.tree import TREE, Branch, Leaf

EXIT_REFUSED = 2


class LazyGroup(click.Group):
    """A group whose commands are made when they are called or asked for help."""

    def __init__(self, children: dict[str, Leaf | Branch], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._children = children

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of the tree."""
        return list(self._children)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of this name, made now."""
        node = self._children.get(cmd_name)
        if node is None:
            return None
        if isinstance(node, Branch):
            return LazyGroup(node.children, name=cmd_name, help=node.help, no_args_is_help=True)
        if node.custom:
            module, _, name = node.custom.partition(":")
            made: click.Command = getattr(import_module(f"waybook.cli.{module}"), name)
            return made
        from waybook.cli.leaf import make

        return make(cmd_name, node)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """List the commands from the tree, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, node.help) for name, node in self._children.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Names for shell completion, without importing any command."""
        from click.shell_completion import CompletionItem

        return [
            *(
                CompletionItem(name, help=node.help)
                for name, node in self._children.items()
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


def _colours() -> bool | None:
    """False where a person set NO_COLOR (https://no-color.org); None leaves it to the stream."""
    return False if os.environ.get("NO_COLOR") else None


def _root() -> click.Group:
    root = LazyGroup(
        TREE,
        name="waybook",
        no_args_is_help=True,
        help="Which instructions AI coding agents really get for a file, why, and whether they drifted.",
        epilog="Try: waybook explain FILE, waybook check, waybook pin, then waybook drift. Exit codes: 0 fine, "
        "1 findings or stale, 2 usage or refused.",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "color": _colours()},
    )
    return click.version_option(__version__, "-V", "--version", message="waybook %(version)s")(root)


def main(argv: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What the terminal's encoding cannot show is escaped; it must not end the program.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(arguments))


def _run(arguments: list[str]) -> int:
    try:
        return _answer(arguments)
    except BrokenPipeError:
        # The reader of our output went away; keep the interpreter from complaining about it at exit.
        sys.stdout = None
        return EXIT_REFUSED
    except Exception as error:  # noqa: BLE001 - the last resort: Python's own exit code 1 would read as "findings"
        return _defect(error, as_json=_wants_json(arguments))


def _answer(arguments: list[str]) -> int:
    try:
        code = _root().main(arguments, prog_name="waybook", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except WaybookError as error:
        return report(error, as_json=_wants_json(arguments))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_REFUSED
    except click.UsageError as error:
        return _usage(error, as_json=_wants_json(arguments))
    except click.Abort:
        click.echo("Stopped. Nothing was changed.", err=True)
        return EXIT_REFUSED
    except SystemExit as leaving:
        # click leaves with 1 when the reader of our output went away, and with 1 we would claim findings
        return EXIT_REFUSED if leaving.code == 1 else int(leaving.code or 0)


def _wants_json(arguments: list[str]) -> bool:
    return "--json" in arguments or "--format=json" in arguments or "--format json" in " ".join(arguments)


def _defect(error: Exception, *, as_json: bool) -> int:
    """A failure that nobody foresaw: the traceback for a report, and our own exit code."""
    import traceback

    traceback.print_exception(error)
    message = f"Waybook met an unexpected {type(error).__name__}: {error}"
    return report(
        WaybookError(
            message, code="internal", hint="This is a defect of Waybook; please report it with the lines above."
        ),
        as_json=as_json,
    )


def _usage(error: click.UsageError, *, as_json: bool) -> int:
    command = error.ctx.command_path if error.ctx else "waybook"
    hint = f"See `{command} --help`."
    if as_json:
        return report(WaybookError(error.format_message(), code="usage", hint=hint), as_json=True)
    if error.ctx:
        click.echo(error.ctx.get_usage(), err=True)
    click.echo(f"waybook: {error.format_message()}\n  {hint}", err=True)
    return EXIT_REFUSED


def report(error: WaybookError, *, as_json: bool) -> int:
    """Print an expected failure for a program or for a person; answers the exit code."""
    if as_json:
        print_json({"error": error.to_json()})
        return EXIT_REFUSED
    click.echo(click.style("waybook: ", fg="red", bold=True) + safe(error.message), err=True, color=_colours())
    if error.path and error.path not in error.message and repr(error.path) not in error.message:
        click.echo(f"  where: {safe(error.path)}", err=True)
    if error.hint:
        click.echo(f"  next:  {safe(error.hint)}", err=True)
    if isinstance(error, DiscoveryError) and error.code == "symlink":
        click.echo("  more:  `waybook check` lists every link; `waybook check --fix` replaces the plain ones", err=True)
    return EXIT_REFUSED
