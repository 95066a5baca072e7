"""`waybook lsp`: the language server."""

from __future__ import annotations

import os

import click

from waybook.cli.leaf import examples


@click.command(
    "lsp",
    help="Run the language server on standard input and output.",
    epilog=examples(("waybook lsp", "waybook lsp --tcp 7007")),
)
@click.option("--stdio", is_flag=True, help="Accepted and ignored: standard input and output are the default.")
@click.option(
    "--tcp", type=click.IntRange(0, 65535), metavar="PORT", help="Listen on this loopback port instead, to debug."
)
@click.option("--store", default="", metavar="URL", help="Database URL instead of the user's own.")
def command(*, stdio: bool, tcp: int | None, store: str) -> int:
    """Serve until the client says exit or standard input ends."""
    del stdio
    from waybook.app import App
    from waybook.lsp.server import main

    return main(App(environ=os.environ, options=(("command line", {"store": store} if store else {}),)), tcp=tcp)
