"""A real VS Code with our .vsix, walked through as a person who has never seen it would."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from e2e.vscode.window import Window

DEMO = Path(__file__).resolve().parents[3] / "fixtures/workspaces/demo"
WAYBOOK = [sys.executable, "-m", "waybook"]


@pytest.mark.real_client("vscode")
@pytest.mark.timeout(240)
def test_the_whole_way_from_a_first_look_to_a_confirmed_drift(tmp_path: Path) -> None:
    """Findings, hover, views, pin, drift from outside, difference, confirmation, memories, forks; in one window."""
    from e2e.vscode.window import vscode

    home, workspace = tmp_path / "home", tmp_path / "kestrel-shop"
    shutil.copytree(DEMO, workspace)
    (home / ".codex").mkdir(parents=True)  # somebody who uses Codex, and by the workspace's traces Claude Code
    with vscode(home, workspace, "walk", settings={"waybook.server.command": WAYBOOK}) as window:
        _first_look(window)
        _instructions(window)
        _every_view(window)
        _pin(window, workspace)
        _drift(window, workspace)
        _memory(window)
        _pins_and_sessions(window)
        window.keep_times()


def _first_look(window: Window) -> None:
    from playwright.sync_api import expect

    with window.step("the status bar says how many instructions apply to the open file"):
        window.open("services/api/src/routes/orders.py")
        expect(window.status()).to_contain_text(re.compile(r"7 instructions · [\d.k]+ (tok|B) · not pinned"))
    with window.step("a finding stands in the Problems panel"):
        window.palette("Waybook: Show Findings")
        expect(window.page.locator(".markers-panel")).to_contain_text("services/worker/CLAUDE.md is empty")
        window.press("Control+j")
    with window.step("hovering over an instruction file says where it applies"):
        window.open("web/AGENTS.md")
        window.page.locator(".view-line").get_by_text("Front end").first.hover()
        hover = window.page.locator(".monaco-hover", has_text="applies to")
        expect(hover.first).to_be_visible()
        window.press("Escape")
    with window.step("a lens says what the file applies to"):
        expect(window.page.locator(".codelens-decoration").first).to_contain_text("applies to web/")


def _instructions(window: Window) -> None:
    from playwright.sync_api import expect

    with window.step("the Instructions view lists each agent's chain for the open file"):
        window.open("services/api/src/routes/orders.py")
        window.view("Instructions")
        expect(window.row("Claude Code: 3 files")).to_be_visible()
        expect(window.row("Codex: 1 file")).to_be_visible()
        expect(window.row("1 of 3: CLAUDE.md, loaded at the start")).to_be_visible()
        expect(window.row("3 of 3: services/api/.claude/CLAUDE.md, loaded when the agent")).to_be_visible()
    with window.step("it follows the open file"):
        window.open("web/src/checkout/Checkout.tsx")
        expect(window.row("Claude Code: 2 files")).to_be_visible()
    with window.step("what is not loaded says why"):
        window.page.locator('[aria-label$="not loaded by Claude Code"]').click()
        expect(window.row("web/AGENTS.md, not loaded: CLAUDE.md displaces it")).to_be_visible()
    with window.step("the instructions of a file open as a document"):
        window.palette("Waybook: Read Instructions of the Active File")
        expect(window.tab("Instructions of web › src › checkout › Checkout.tsx")).to_be_visible()
        expect(window.text()).to_contain_text("Kestrel")
    with window.step("what a model would see for it opens as a document"):
        window.palette("Waybook: Preview Context")
        expect(window.tab("Preview of web › src › checkout › Checkout.tsx")).to_be_visible()
        expect(window.text()).to_contain_text("What a model would see")
        window.palette("View: Close All Editors")


def _every_view(window: Window) -> None:
    from playwright.sync_api import expect

    for title, words in {
        "Drift": "Nothing is pinned yet",
        "Memory": "Nothing is kept yet",
        "Pins": "A thread keeps requirements word for word",
        "Candidates": "No candidate waits",
        "Sessions": "No run yet",
    }.items():
        with window.step(f"the empty {title} view says what to do"):
            expect(window.view(title)).to_contain_text(words)


def _pin(window: Window, workspace: Path) -> None:
    from playwright.sync_api import expect

    with window.step("pinning what cannot be read is refused, and the message names the file"):
        window.view("Drift").get_by_role("button", name="Pin as Reviewed").click()
        window.toast("services/worker/CLAUDE.md is empty")
    with window.step("the mended workspace is pinned"):
        (workspace / "services/worker/CLAUDE.md").unlink()
        window.palette("Waybook: Pin the Instructions of a Workspace as Reviewed")
        window.toast("is pinned: 5 directories, revision 1")
        expect(window.row("Nothing drifted since revision 1, tester")).to_be_visible()
        expect(window.status()).to_contain_text("· pinned")


def _drift(window: Window, workspace: Path) -> None:
    from playwright.sync_api import expect

    guide = workspace / "web/AGENTS.md"
    with window.step("a change made outside the editor is seen"):
        guide.write_text(guide.read_text().replace("no default exports", "default exports are fine"))
        expect(window.row("web/AGENTS.md, changed since it was pinned")).to_be_visible()
        expect(window.status()).to_contain_text("· stale")
    with window.step("its difference opens in the diff editor, the pinned text on the left"):
        window.row("web/AGENTS.md, changed since it was pinned").click()
        expect(window.tab("web/AGENTS.md (pinned ↔ disk)")).to_be_visible()
        sides = window.page.locator(".monaco-diff-editor")
        expect(sides.locator(".original .view-lines")).to_contain_text("no default exports")
        expect(sides.locator(".modified .view-lines")).to_contain_text("default exports are fine")
    with window.step("the drift is confirmed, after the question"):
        window.palette("Waybook: Confirm Drift as Reviewed")
        window.choose("kestrel-shop drifted")
        window.dialog("Confirm", text="changed: web/AGENTS.md")
        window.toast("confirmed as revision 2")
        expect(window.row("Nothing drifted since revision 2")).to_be_visible()
        expect(window.status()).to_contain_text("· pinned")
        window.palette("View: Close All Editors")


def _memory(window: Window) -> None:
    from playwright.sync_api import expect

    with window.step("a memory is created and opens as a document"):
        window.palette("Waybook: New Memory")
        window.choose("kestrel-shop")
        window.answer("New memory (2/3)", "Money")
        window.answer("New memory (3/3)", "Amounts are integers of cents.")
        expect(window.text()).to_contain_text("title: Money")
        expect(window.row("Money, project memory, active")).to_have_count(1)
    with window.step("saving the document writes its next version, and the text follows"):
        window.text().click()
        window.press("Control+End")
        window.page.keyboard.type("Never floats.")
        window.press("Control+s")
        expect(window.text()).to_contain_text("version: 2")
        window.press("Control+End")
        window.page.keyboard.type(" Not even for taxes.")
        window.press("Control+s")
        expect(window.text()).to_contain_text("version: 3")
        window.page.keyboard.type(" One")
        window.press("Control+s")
        window.page.keyboard.type(" more.")  # going on while the save is taken over
        window.press("Control+s")
        expect(window.text()).to_contain_text("One\u00a0more.")
        expect(window.page.locator(".tab.dirty")).to_have_count(0)
        expect(window.page.locator(".tab.dirty")).to_have_count(0)
    with window.step("it is found by a word of its text"):
        window.palette("Waybook: Search Memories")
        window.page.locator(".quick-input-widget input.input").fill("taxes")
        expect(window.page.locator(".quick-input-list .monaco-list-row", has_text="Not even for taxes")).to_be_visible()
        window.press("Escape")
    with window.step("it is disabled and enabled by keyboard"):
        window.view("Memory")
        window.palette("Waybook: Disable Memory")
        window.choose("Money")
        expect(window.row("Money, project memory, disabled")).to_be_visible()
        window.palette("Waybook: Enable Memory")
        window.choose("Money")
        expect(window.row("Money, project memory, active")).to_be_visible()
    with window.step("it is deleted for good, after the question; its tab closes"):
        window.row("Money, project memory").hover()
        window.row("Money, project memory").get_by_role("button", name="Delete Memory").click()
        window.dialog("Delete", text="Delete the memory “Money” for good?")
        expect(window.view("Memory")).to_contain_text("Nothing is kept yet")
        expect(window.page.locator(".tabs-container .tab")).to_have_count(0)


def _pins_and_sessions(window: Window) -> None:
    from playwright.sync_api import expect

    with window.step("a thread keeps a pin"):
        window.palette("Waybook: New Thread")
        window.answer("New thread", "Payment migration")
        window.view("Pins")
        expect(window.row("Thread Payment migration: 0 pins")).to_be_visible()
        window.palette("Waybook: Add a Pin")
        window.answer("New pin", "The payments tables stay frozen.")
        expect(window.row("Pin 1 of 1: The payments tables stay frozen.")).to_be_visible()
    with window.step("a run is pinned to the open file's instructions"):
        window.open("services/api/src/routes/orders.py")
        window.palette("Waybook: New Run for the Active File")
        window.answer("New run", "Review the orders route")
        window.view("Sessions")
        expect(window.row("Run Review the orders route, created")).to_be_visible()
    with window.step("a checkpoint is kept of the run"):
        window.palette("Waybook: New Checkpoint")
        window.choose("Review the orders route")
        window.answer("New checkpoint (1/2)", "Routes read")
        window.answer("New checkpoint (2/2)", "The orders route is read; the tests come next.")
        expect(window.row("checkpoint Routes read")).to_be_visible()
    with window.step("another run forks from it"):
        window.row("checkpoint Routes read").hover()
        window.row("checkpoint Routes read").get_by_role("button", name="Fork from a Checkpoint").click()
        window.answer("New fork", "Rewrite the orders route")
        window.toast("forked from “Routes read”")
        expect(window.row("Run (fork) Rewrite the orders route")).to_be_visible()
    with window.step("the two are compared in the diff editor"):
        window.palette("Waybook: Compare Two Checkpoints")
        window.choose("Routes read", asked="Compare which point")
        window.choose("Rewrite the orders route", asked="with which")
        sides = window.page.locator(".monaco-diff-editor")
        expect(sides.locator(".original .view-lines")).to_contain_text("Routes read")
        expect(sides.locator(".modified .view-lines")).to_contain_text("Rewrite the orders route")
        window.palette("View: Close All Editors")
    with window.step("when the server dies it is started again, and the views follow"):
        (before,) = window.servers()
        os.kill(before, signal.SIGKILL)
        window.open("web/src/checkout/Checkout.tsx")
        expect(window.status()).to_contain_text("7 instructions")
        assert window.servers() not in ([], [before])
    with window.step("the versions report names the server"):
        window.palette("Waybook: Report Versions and Problems")
        expect(window.text()).to_contain_text("(setting)")


@pytest.mark.real_client("vscode")
@pytest.mark.timeout(180)
def test_an_untrusted_workspace_is_only_read_and_runs_nothing_of_its_own(tmp_path: Path) -> None:
    """Its .venv/bin/waybook is not started; what is missing is said with buttons; nothing can be pinned."""
    from playwright.sync_api import expect

    from e2e.vscode.window import vscode

    home, workspace = tmp_path / "home", tmp_path / "shop"
    shutil.copytree(DEMO, workspace)
    trap, ran = workspace / ".venv/bin/waybook", tmp_path / "ran"
    trap.parent.mkdir(parents=True)
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n")
    trap.chmod(0o755)
    with vscode(home, workspace, "untrusted", settings={}, trusted=False, environ={"PATH": "/usr/bin:/bin"}) as window:
        with window.step("the workspace is opened in restricted mode"):
            expect(window.page.locator(".statusbar")).to_contain_text("Restricted Mode")
        with window.step("no server is found, and the message says what to do"):
            window.toast("a .venv of a workspace that is not trusted is never used")
            pane = window.view("Instructions")
            expect(pane).to_contain_text("Waybook's language server was not found.")
            expect(pane.get_by_role("button", name="Set Its Path")).to_be_visible()
        settings = home / "user/Machine/settings.json"

        def use(command: list[str]) -> None:
            settings.write_text(json.dumps({**json.loads(settings.read_text()), "waybook.server.command": command}))

        with window.step("a server that does not start is said as well"):
            use([str(tmp_path / "missing")])
            window.toast("Waybook's server is not running")
            expect(pane).to_contain_text("Waybook's language server did not start.")
        with window.step("with a server from the settings, everything is read"):
            use(WAYBOOK)
            expect(window.row("Claude Code: ")).to_be_visible()
        with window.step("nothing can be pinned"):
            expect(window.view("Drift")).to_contain_text("This workspace is not trusted, so nothing can be pinned.")
            window.press("F1")
            window.page.locator(".quick-input-widget input.input").fill(">Waybook: Pin the Instructions")
            expect(
                window.page.locator(".quick-input-list .monaco-list-row", has_text="Pin the Instructions of")
            ).to_have_count(0)
            window.press("Escape")
    assert not ran.exists()
