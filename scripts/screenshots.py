"""`make screenshots`: docs/images from a real VS Code, light and dark, on the bundled workspace."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from e2e.vscode.window import Window, environment, vscode  # noqa: E402 -- found through the line above

if TYPE_CHECKING:
    from collections.abc import Callable

IMAGES = ROOT / "docs/images"
THEMES = {"light": "Light Modern", "dark": "Dark Modern", "contrast": "Default High Contrast"}
KEPT = ("light", "dark")
"""High contrast is looked at, in build/, and not published."""
SIZE = (1320, 800)
WIDER = 110
WAYBOOK = [sys.executable, "-m", "waybook"]
ROUTE = "services/api/src/routes/orders.py"


def main() -> None:
    """Remake every picture."""
    base = Path(tempfile.mkdtemp(prefix="waybook-pictures-")).resolve()
    home, workspace = base / "home", base / "kestrel-shop"
    shutil.copytree(ROOT / "fixtures/workspaces/demo", workspace)
    (home / ".codex").mkdir(parents=True)
    (workspace / "services/worker/CLAUDE.md").unlink()
    fill(home, workspace)
    settings = {
        "waybook.server.command": WAYBOOK,
        "workbench.colorTheme": THEMES["light"],
        "breadcrumbs.enabled": False,
    }
    with vscode(home, workspace, "screenshots", settings=settings, size=SIZE, scale=1.5) as window:
        for name, scene in SCENES.items():
            scene(window, workspace)
            for theme, title in THEMES.items():
                take(window, workspace, f"{name}-{theme}", theme, title)
    shutil.rmtree(base)


def fill(home: Path, workspace: Path) -> None:
    """A few things that somebody kept."""

    def run(*arguments: str) -> str:
        command = [*WAYBOOK, *arguments, "--json"]
        done = subprocess.run(command, cwd=workspace, env=environment(home), check=True, capture_output=True, text=True)
        return done.stdout

    def keep(scope: str, title: str, content: str) -> None:
        run("memory", "create", "--scope", scope, "--title", title, "--content", content)

    run("pin")
    keep("user", "Answers", "Short, with the command to run.")
    keep("project", "Money", "Amounts are integers of cents; never floats.")
    keep("project", "Payments", "The payments tables stay frozen until the migration ends.")
    thread = json.loads(run("thread", "create", "--title", "Payment migration"))["id"]
    run("pins", "add", thread, "--text", "No migration may touch the payments tables.")
    created = json.loads(
        run("run", "create", "--goal", "Review the orders route", "--target", ROUTE, "--thread", thread)
    )
    node = json.loads(run("session", "checkpoint", created["id"], "--title", "Route read"))["id"]
    run("session", "fork", node, "--goal", "Split the route in two", "--title", "Split the route in two")


def chain(window: Window, _workspace: Path) -> None:
    """The chain of a file for two agents."""
    window.open("services/api/AGENTS.override.md")
    window.open(ROUTE)
    window.view("Instructions")
    widen(window)
    expect(window.row("Claude Code: 3 files")).to_be_visible()
    window.page.locator('[aria-label$="not loaded by Claude Code"]').click()
    expect(window.status()).to_contain_text(re.compile(r"tok · pinned"))


def drift(window: Window, workspace: Path) -> None:
    """A change beside its pinned text."""
    guide = workspace / "web/AGENTS.md"
    guide.write_text(guide.read_text().replace("no default exports", "default exports are fine"))
    window.palette("View: Close All Editors")
    window.page.locator('.pane-header[aria-label^="Instructions "]').click()
    window.view("Drift")
    window.row("web/AGENTS.md, changed since it was pinned").click()
    expect(window.page.locator(".monaco-diff-editor .modified .view-lines")).to_contain_text("default exports are fine")


def memory(window: Window, _workspace: Path) -> None:
    """What was kept: memories, pins, sessions, and a memory as a document."""
    window.palette("View: Close All Editors")
    window.page.locator('.pane-header[aria-label^="Drift "]').click()
    for title in ("Pins", "Sessions", "Memory"):
        window.view(title)
    window.row("Money, project memory").click()
    expect(window.text()).to_contain_text("title: Money")


def findings(window: Window, _workspace: Path) -> None:
    """A hover in an instruction file, and the Problems panel."""
    window.palette("View: Close All Editors")
    for title in ("Memory", "Pins", "Sessions"):
        window.page.locator(f'.pane-header[aria-label^="{title} "]').click()
    window.view("Instructions")
    window.open("web/AGENTS.md")
    window.palette("Waybook: Show Findings")
    window.page.locator(".view-line").get_by_text("Front end").first.hover()
    expect(window.page.locator(".monaco-hover", has_text="applies to").first).to_be_visible()


SCENES: dict[str, Callable[[Window, Path], None]] = {
    "vscode-chain": chain,
    "vscode-drift": drift,
    "vscode-memory": memory,
    "vscode-findings": findings,
}


def widen(window: Window) -> None:
    """Draw the sidebar's edge to the right, so that nothing in it is cut."""
    edge = window.page.locator(".part.sidebar").bounding_box()
    if edge is None:
        sys.exit("screenshots: the sidebar is not shown")
    x, y = edge["x"] + edge["width"], edge["y"] + edge["height"] / 2
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x + WIDER, y, steps=5)
    window.page.mouse.up()


def take(window: Window, workspace: Path, name: str, theme: str, title: str) -> None:
    """Change the theme by the workspace's settings, wait until it is drawn, take the picture."""
    path = workspace / ".vscode/settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"workbench.colorTheme": title}))
    shade = {
        "light": ".monaco-workbench.vs",
        "dark": ".monaco-workbench.vs-dark",
        "contrast": ".monaco-workbench.hc-black",
    }
    expect(window.page.locator(shade[theme])).to_be_visible()
    window.page.wait_for_timeout(600)  # decorations and tooltips settle
    folder = IMAGES if theme in KEPT else ROOT / "build/vscode"
    folder.mkdir(parents=True, exist_ok=True)
    window.page.screenshot(path=folder / f"{name}.png")


if __name__ == "__main__":
    main()
