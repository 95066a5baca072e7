"""A click command made from a registry command: options from its parameters, JSON or text from its result."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from waybook.app import App
from waybook.base.actor import operator
from waybook.base.cancel import Progress
from waybook.base.errors import UsageError
from waybook.cli.output import print_json
from waybook.cli.text_input import FILE, given_text, text_file
from waybook.commands.model import Call, Command
from waybook.commands.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waybook.cli.spelling import Leaf

_TYPES: dict[str, Any] = {"str": str, "str | None": str, "int": int, "bool": bool, "tuple[str, ...]": str}

PATIENCE_SECONDS = 0.4
"""Work shorter than this shows no progress."""


def make(name: str, leaf: Leaf) -> click.Command:
    """The click command for one spelling."""
    command = load(leaf.command)

    def callback(*, as_json: bool, store: str, **values: Any) -> int:
        if leaf.text:
            values[leaf.text] = given_text(leaf, values.pop(FILE), values[leaf.text])
        result = call(command, values, store=store)
        if as_json:
            print_json(result)
        else:
            shower(leaf.show)(result)
        return command.exit_code(result)

    return click.Command(
        name,
        callback=callback,
        params=[*parameters(command), *([text_file(leaf)] if leaf.text else []), *common()],
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
    default: dict[str, Any] = {} if required else {"default": item.default}
    many = str(item.type).startswith("tuple")
    metavar = item.metadata["metavar"] or None
    if item.metadata["positional"]:
        return click.Argument([item.name], type=kind, required=required, nargs=-1 if many else 1, **default)
    option = f"--{item.name.replace('_', '-')}"
    return click.Option(
        [option, item.name],
        type=kind,
        required=required,
        **default,
        is_flag=kind is bool,
        multiple=many,
        metavar=None if kind is bool else metavar,
        help=item.metadata["doc"],
    )


def call(
    command: Command, values: dict[str, Any], *, store: str = "", emit: Callable[[Any], None] | None = None
) -> Any:
    """Run a command as the person at this terminal, with progress on a terminal's standard error."""
    options = (("command line", {"store": store} if store else {}),)
    app = App(environ=os.environ, options=options)
    try:
        with terminal_progress() as progress:
            asked = Call(operator(os.environ), progress, emit) if emit else Call(operator(os.environ), progress)
            return command.run(app, command.params(**values), asked)
    except UsageError as error:
        error.hint = error.hint or f"See `{click.get_current_context().command_path} --help`."
        raise
    finally:
        app.close()


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Progress as one line that is overwritten and goes away at the end; silent unless standard error is a terminal."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    began, shown = monotonic(), False

    def report(what: str, done: int, total: int) -> None:
        nonlocal shown
        if monotonic() - began < PATIENCE_SECONDS:
            return
        shown = True
        share = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        sys.stderr.write(f"\r\033[K{what}{share}")
        sys.stderr.flush()

    try:
        yield Progress(report)
    finally:
        if shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def shower(name: str) -> Callable[[Any], None]:
    """The function `module:function` of `cli/show/`."""
    module, _, function = name.partition(":")
    shown: Callable[[Any], None] = getattr(import_module(f"waybook.cli.show.{module}"), function)
    return shown


def examples(lines: tuple[str, ...]) -> str | None:
    """An epilog that keeps its lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines) if lines else None
