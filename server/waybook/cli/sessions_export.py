"""`waybook sessions export`: conversations on standard output, each as it is read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from waybook.base.errors import UsageError
from waybook.base.records import to_json
from waybook.cli.leaf import call, common, examples, parameters
from waybook.commands.registry import load
from waybook.sessions.messages.rendering.html import to_html
from waybook.sessions.messages.rendering.markdown import to_markdown

if TYPE_CHECKING:
    from waybook.sessions.messages.model import Conversation

_HEAD = '{"sessions": ['
FORMATS = ("jsonl", "markdown", "html")


def _run(*, form: str, as_json: bool, store: str, **values: Any) -> int:
    if as_json and form != "jsonl":
        raise UsageError("--json and --format go different ways.", hint="Leave one of them out.")
    if form == "html" and len(values["session"]) != 1:
        raise UsageError("An HTML page holds one session.", hint="Name one: waybook sessions export ID --format html")
    first = True

    def emit(conversation: Conversation) -> None:
        nonlocal first
        if form == "markdown":
            text = ("" if first else "\n---\n\n") + to_markdown(conversation)
        elif form == "html":
            text = to_html(conversation)
        else:
            # One document with --json, written as it grows: a whole history does not fit into memory.
            before = (_HEAD if first else ",") if as_json else ""
            text = before + _one_line(json.dumps(to_json(conversation), ensure_ascii=False)) + "\n"
        first = False
        click.echo(text.encode("utf-8", "replace"), nl=False)

    done = call(load("sessions.export"), values, store=store, emit=emit)
    if as_json:
        click.echo(f'{_HEAD if first else ""}], "protocol": {json.dumps(done.protocol)}}}')
    return 0


def _one_line(text: str) -> str:
    """JSON in which nothing ends a line for anybody: some programs split at U+2028, U+2029 and U+0085, too."""
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


command = click.Command(
    "export",
    callback=_run,
    params=[
        *parameters(load("sessions.export")),
        click.Option(["--format", "form"], type=click.Choice(FORMATS), default="jsonl", help="What is written."),
        *common(),
    ],
    help="Write sessions to standard output: JSON Lines, Markdown or HTML.",
    epilog=examples(
        ("waybook sessions export > all.jsonl", "waybook sessions export ses_1f0c... --format html > talk.html")
    ),
)
