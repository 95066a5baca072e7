"""Leave when the editor is gone: its process id is asked for now and then."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL_SECONDS = 3.0


def alive(process_id: int) -> bool:
    """Whether a process of this id exists; on Windows, where asking would end it, always true."""
    if os.name == "nt":
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def watch_parent(process_id: int, gone: Callable[[], object], interval: float = INTERVAL_SECONDS) -> threading.Thread:
    """Call `gone` once, from a daemon thread, when the process no longer exists.

    A process that cannot be seen to begin with (the editor runs in another container) is not watched; the end of the
    input still ends the server.
    """

    def look() -> None:
        if not alive(process_id):
            return
        while alive(process_id):
            time.sleep(interval)
        gone()

    thread = threading.Thread(target=look, name="waybook-parent", daemon=True)
    thread.start()
    return thread
