"""One file for each group of requests: convert, call, convert. `register` is the explicit list."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server


def register(server: Server) -> None:
    """Tell pygls which handler answers which method."""
    from waybook.lsp.features import table

    for method, name in table.HANDLERS.items():
        server.feature(method)(table.at_once(name) if method in table.AT_ONCE else table.when_asked(name))
