"""The program's first step: an editor that starts the server is served at once, everything else goes to the command line.

Reading the command line costs more than the server's own start; `waybook lsp` as editors spell it has nothing to read.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the program and leave with its exit code."""
    if sys.argv[1:2] == ["lsp"] and set(sys.argv[2:]) <= {"--stdio"}:
        import os

        from waybook.app import App
        from waybook.lsp.server import main as serve

        sys.exit(serve(App(environ=os.environ), tcp=None))
    from waybook.cli.main import main as command_line

    command_line()
