"""`waybook memory import`: an export from a file or standard input."""

from __future__ import annotations

from typing import IO

import click

from waybook.base.errors import RefusedError
from waybook.cli.leaf import call, common, examples, parameters, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load
from waybook.memory.export import MAX_BYTES

_COMMAND = load("memory.import")


def _run(*, file: IO[bytes], as_json: bool, store: str, **values: object) -> int:
    result = call(_COMMAND, {"document": _text(file), **values}, store=store)
    if as_json:
        print_json(result)
    else:
        shower("memory:show_imported")(result)
    return 0


def _text(file: IO[bytes]) -> str:
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise RefusedError(f"An export has at most {MAX_BYTES:,} bytes.", code="text-too-long", limit=MAX_BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"The file is not UTF-8: byte {error.start} cannot be read."
        raise RefusedError(msg, code="not-utf8", hint="Give the file that `waybook memory export` wrote.") from error


command = click.Command(
    "import",
    callback=_run,
    help="Take an export back, as a whole or not at all; what is there already is passed over.",
    epilog=examples(
        ("waybook memory import memories.json", "waybook memory import - --workspace demo < memories.json")
    ),
    params=[click.Argument(["file"], type=click.File("rb")), *parameters(_COMMAND), *common()],
)
