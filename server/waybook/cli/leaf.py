"""A click command made from a registry command: options from its parameters, JSON or text from its result."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import MISSING, Field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from waybook.app import App, operator
from waybook.base.cancel import Progress
from waybook.base.records import to_json
from waybook.commands.model import Call, Command
from waybook.commands.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.cli.tree import Leaf

_TYPES: dict[str, Any] = {"str": str, "int": int, "bool": bool, "tuple[str, ...]": str}


def make(name: str, leaf: Leaf) -> click.Command:
    """The click command for one spelling."""
    command = load(leaf.command)

    def callback(*, as_json: bool, store: str, **values: Any) -> int:
        result = call(command, values, store=store)
        if as_json:
            print_json(result)
        else:
            shower(leaf.show)(result)
        return command.exit_code(result)

    return click.Command(
        name,
        callback=callback,
        params=[*parameters(command), *common()],
        help=f"{leaf.help}",
        epilog=examples(leaf.examples),
    )


def common() -> list[click.Parameter]:
    """The options every command has."""
    return [
        click.Option(["--store"], default="", metavar="URL", help="Database URL instead of the user's own."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the complete result as JSON."),
    ]


def parameters(command: Command) -> list[click.Parameter]:
    """Arguments and options from the fields of a command's parameters."""
    return [_parameter(item) for item in fields(command.params) if item.metadata["cli"]]


def _parameter(item: Field[Any]) -> click.Parameter:
    kind = _TYPES[str(item.type)]
    required = item.default is MISSING
    default = None if required else item.default
    many = str(item.type).startswith("tuple")
    metavar = item.metadata["metavar"] or None
    if item.metadata["positional"]:
        return click.Argument([item.name], type=kind, required=required, default=default, nargs=-1 if many else 1)
    option = f"--{item.name.replace('_', '-')}"
    return click.Option(
        [option, item.name],
        type=kind,
        required=required,
        default=default,
        is_flag=kind is bool,
        multiple=many,
        metavar=None if kind is bool else metavar,
        help=item.metadata["doc"],
    )


def call(command: Command, values: dict[str, Any], *, store: str = "") -> Any:
    """Run a command as the person at this terminal, with progress on a terminal's standard error."""
    options = (("command line", {"store": store} if store else {}),)
    app = App(environ=os.environ, options=options)
    try:
        actor = operator(os.environ)
        return command.run(app, command.params(**values), Call(actor, terminal_progress()))
    finally:
        app.close()


def terminal_progress() -> Progress:
    """Progress as one line that is overwritten; silent unless standard error is a terminal."""
    if not sys.stderr.isatty():
        return Progress()

    def report(what: str, done: int, total: int) -> None:
        share = f" {done}/{total}" if total else f" {done}" if done else ""
        sys.stderr.write(f"\r\033[K{what}{share}\r")

    return Progress(report)


def print_json(result: Any) -> None:
    """The complete result as indented JSON."""
    text = json.dumps(to_json(result), indent=2, ensure_ascii=False)
    click.echo(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def shower(name: str) -> Callable[[Any], None]:
    """The function `module:function` of `cli/show/`."""
    module, _, function = name.partition(":")
    shown: Callable[[Any], None] = getattr(import_module(f"waybook.cli.show.{module}"), function)
    return shown


def examples(lines: tuple[str, ...]) -> str | None:
    """An epilog that keeps its lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines) if lines else None
