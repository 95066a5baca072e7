"""Where the server's log goes: standard error and a rotating file in the data directory. Never standard output."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE_BYTES = 1_000_000
FILES_KEPT = 3
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"


def log_to_stderr() -> None:
    """Warnings on standard error at once; the file follows when the data directory is known."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("pygls").setLevel(logging.WARNING)


def log_to_file(directory: str, level: str) -> str | None:
    """Log into `lsp.log` of this directory too; gives its path, None when it cannot be written.

    The directory and the file are the user's alone (0700, 0600).
    """
    folder = Path(directory)
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "lsp.log"
        path.touch(mode=0o600)
        handler = RotatingFileHandler(path, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter(_FORMAT))
        root = logging.getLogger()
        root.addHandler(handler)
        root.setLevel(level.upper())
        return str(path)
    return None
