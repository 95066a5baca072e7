"""`waybook lsp`: start quickly, serve one client, leave when it does."""

from __future__ import annotations

import gc
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.app import App
    from waybook.lsp.language_server import Server

LOOPBACK = "127.0.0.1"
PATIENCE_SECONDS = 2.0


def main(app: App, *, tcp: int | None = None) -> int:
    """Serve on standard input and output, or once on a loopback port; gives the exit status.

    Status 0 after `shutdown` and `exit` or when the input ends, 1 for an `exit` without `shutdown`.
    """
    gc.disable()  # thousands of classes are made once and stay: collecting in between costs a tenth of the start
    import asyncio

    from waybook.lsp.logs import log_to_stderr

    log_to_stderr()
    from waybook.lsp.quick_start import load_protocol_types

    load_protocol_types()
    from waybook.lsp.features import register
    from waybook.lsp.language_server import Server

    server = Server(app)
    register(server)
    status = 1
    try:
        status = asyncio.run(_on_tcp(server, tcp) if tcp is not None else _on_stdio(server))
    finally:
        _leave(server, status)
    return status


async def _on_stdio(server: Server) -> int:
    from waybook.lsp.transport import Leaving, StreamWriter, claim_stdio, serve

    requests, answers = claim_stdio()
    server.protocol.set_writer(StreamWriter(answers))
    try:
        await serve(requests, server.protocol.receive, server.protocol.refuse_body)
    except Leaving as leaving:
        return leaving.code
    finally:
        server.stop_working()
    return 0


async def _on_tcp(server: Server, port: int) -> int:
    import socket

    from waybook.lsp.transport import Leaving, StreamWriter, serve

    with socket.create_server((LOOPBACK, port)) as listener:
        sys.stderr.write(f"waybook lsp listens on {LOOPBACK}:{listener.getsockname()[1]}\n")
        sys.stderr.flush()
        connection, _ = await server.work(listener.accept)
    with connection, connection.makefile("rwb", buffering=0) as stream:
        server.protocol.set_writer(StreamWriter(stream))
        try:
            await serve(stream, server.protocol.receive, server.protocol.refuse_body)
        except Leaving as leaving:
            return leaving.code
        finally:
            server.stop_working()
    return 0


def _leave(server: Server, status: int) -> None:
    """Wait a moment for workers that were asked to end; a hung one must not keep the process."""
    for pool in (server.pool, server.background):
        pool.shutdown(wait=False, cancel_futures=True)
    workers = [
        thread for thread in threading.enumerate() if thread.name.startswith(("waybook-worker", "waybook-background"))
    ]
    for thread in workers:
        thread.join(PATIENCE_SECONDS / len(workers))
    if any(thread.is_alive() for thread in workers):
        os._exit(status)
    server.app.close()
