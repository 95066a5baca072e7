"""`make screenshots`: docs/images/neovim-*.svg from a real Neovim in a real terminal (tmux), on the bundled workspace."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"
WIDTH, HEIGHT = 124, 32
SECONDS = 20.0
SCENES = {
    "explain": ("services/api/src/routes/orders.py", ("Waybook explain",), "of other agents"),
    "drift": ("services/api/src/routes/orders.py", ("silent Waybook drift", ""), "Money is an integer"),
}
"""Name -> the file that is open, what is typed, and what must be on the screen then."""


def main() -> None:
    """Remake every picture; without tmux nothing is done, and said."""
    if shutil.which("tmux") is None:
        print("no tmux here: the pictures of Neovim stay as they are (Debian: apt-get install tmux)")
        return
    base = Path(tempfile.mkdtemp(prefix="waybook-pictures-")).resolve()
    workspace = base / "kestrel-shop"
    shutil.copytree(ROOT / "fixtures/workspaces/demo", workspace)
    (workspace / "services/worker/CLAUDE.md").unlink()
    env = {
        **{key: value for key, value in os.environ.items() if key != "TMUX"},
        "HOME": str(base),
        "LANG": "C.UTF-8",
        "WAYBOOK_DATA_DIR": str(base / "data"),
        "WAYBOOK_PLUGIN": str(ROOT / "client-nvim"),
        "WAYBOOK_PYTHON": sys.executable,
        "WAYBOOK_OPERATOR": "dana",
    }
    waybook = [sys.executable, "-m", "waybook"]
    subprocess.run([*waybook, "pin", "--workspace", str(workspace)], env=env, check=True, stdout=subprocess.DEVNULL)
    with (workspace / "services/api/AGENTS.override.md").open("a", encoding="utf-8") as file:
        file.write("\nMoney is an integer number of cents, never a float.\n")
    try:
        for name, scene in SCENES.items():
            picture(name, screen(env, base, workspace, *scene))
    finally:
        shutil.rmtree(base, ignore_errors=True)


def screen(env: dict[str, str], base: Path, workspace: Path, file: str, typed: tuple[str, ...], wanted: str) -> str:
    """What the terminal shows once it holds the wanted text, with its colours as escape sequences."""
    tmux = ["tmux", "-S", str(base / "tmux"), "-f", "/dev/null"]
    nvim = str(Path(sys.executable).with_name("nvim"))
    init = str(ROOT / "tests/e2e/neovim_init.lua")
    command = [nvim, "-u", init, "-i", "NONE", "-n", "-c", "set termguicolors noruler shortmess+=F", file]
    size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
    subprocess.run([*tmux, "new-session", "-d", *size, "-c", str(workspace), *command], env=env, check=True)
    try:
        shown(tmux, env, r"\d instructions · .* ·")
        for line in typed:
            subprocess.run([*tmux, "send-keys", f":{line}" if line else "", "Enter"], env=env, check=True)
        return shown(tmux, env, wanted)
    finally:
        subprocess.run([*tmux, "kill-server"], env=env, check=False)


def shown(tmux: list[str], env: dict[str, str], wanted: str) -> str:
    """The screen, as soon as it matches; ends the program when it never does."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done = subprocess.run([*tmux, "capture-pane", "-e", "-p"], env=env, capture_output=True, text=True, check=True)
        if re.search(wanted, Text.from_ansi(done.stdout).plain):
            return done.stdout
        time.sleep(0.2)
    sys.exit(f"Neovim never showed {wanted!r}:\n{done.stdout}")


def picture(name: str, ansi: str) -> None:
    """An SVG that fetches nothing from elsewhere."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(ansi.rstrip("\n")), no_wrap=True)
    svg = console.export_svg(title="nvim", theme=MONOKAI, unique_id=f"neovim-{name}")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    (IMAGES / f"neovim-{name}.svg").write_text(svg, encoding="utf-8")
    print(f"wrote docs/images/neovim-{name}.svg")


if __name__ == "__main__":
    main()
