"""Which program this is: what a kept answer depends on besides the workspace."""

from __future__ import annotations

import os
import sys
from hashlib import sha256


def program_digest(package: str) -> str:
    """A digest of the Python version, of how every source file of a package looks, and of the installed packages' versions."""
    lines = [sys.version, sys.platform]
    for directory, folders, files in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(directory, name))
            lines.append(f"{directory}/{name} {status.st_size} {status.st_mtime_ns}")
    for place in sys.path:
        try:
            lines += sorted(name for name in os.listdir(place or ".") if name.endswith((".dist-info", ".egg-info")))
        except OSError:
            continue
    return sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
