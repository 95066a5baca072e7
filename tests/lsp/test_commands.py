"""Commands: JSON in and out, typed errors, progress, cancel, and what everybody learns after a write."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from support.lsp import Editor, editor, write

CLAUDE = Path(__file__).parents[2] / "fixtures/transcripts/invented/claude/projects/-home-ana-shop-api"


async def refused(found: Editor, name: str, argument: Any = None) -> JsonRpcException:
    with pytest.raises(JsonRpcException) as caught:
        await found.command(name, argument)
    return caught.value


async def test_every_command_is_a_command_of_the_editor(root: Path, data: Path, profile: str) -> None:
    """The result is the record's JSON; the only open folder is the workspace; a folder's URI is taken as well."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data, profile) as found:
        explained = await found.command("instructions.explain", {"target": "x.py"})
        assert [source["path"] for source in explained["sources"]] == ["AGENTS.md"]
        assert explained["workspace"] == str(root)
        by_uri = await found.command("instructions.explain", {"target": "x.py", "workspace": root.as_uri()})
        assert by_uri["fingerprint"] == explained["fingerprint"]
        assert (await found.command("instructions.check", {}))["findings"] == []


async def test_a_bad_call_is_an_error_with_a_code(root: Path, data: Path) -> None:
    """Unknown names, wrong types, missing values, several arguments, unknown commands: `data.code` tells which."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data) as found:
        for argument in ({"tarjet": "x"}, {"target": 7}, {"target": None}):
            error = await refused(found, "instructions.explain", argument)
            assert (error.code, error.data["code"]) == (-32602, "invalid-params")
        assert "tarjet" in (await refused(found, "instructions.explain", {"tarjet": "x"})).message
        missing = await refused(found, "runs.show", {})
        assert missing.data["code"] == "invalid-params"
        assert (await refused(found, "no.such")).data["code"] == "unknown-command"
        params = types.ExecuteCommandParams("waybook.doctor", [{}, {}])
        with pytest.raises(JsonRpcException):
            await found.within(found.client.workspace_execute_command_async(params))


async def test_an_expected_failure_carries_its_whole_body(root: Path, data: Path) -> None:
    """Code, message, path, limit and hint, as every face gives them."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data) as found:
        error = await refused(found, "instructions.explain", {"target": "../outside"})
        assert error.data["code"] == "escapes-workspace"
        assert set(error.data) >= {"code", "message", "path", "limit", "hint"}
        assert (await refused(found, "instructions.drift")).data["code"] == "no-baseline"
        assert await found.hover("x.py")


async def test_two_folders_need_a_name(root: Path, data: Path) -> None:
    """Which workspace is meant is never guessed."""
    write(root, "a/AGENTS.md", "a\n")
    write(root, "b/AGENTS.md", "b\n")
    async with editor(root, data, folders=[root / "a", root / "b"]) as found:
        assert (await refused(found, "instructions.explain", {})).data["code"] == "workspace-needed"
        named = await found.command("instructions.explain", {"workspace": str(root / "b")})
        assert named["workspace"] == str(root / "b")


async def test_a_filter_that_is_not_set_covers_every_workspace(root: Path, data: Path) -> None:
    """With one folder open too: runs, threads and notes of another workspace are listed unless one is named."""
    write(root, "a/AGENTS.md", "a\n")
    write(root, "b/AGENTS.md", "b\n")
    async with editor(root, data, folders=[root / "a"]) as found:
        for name in ("a", "b"):
            await found.command("threads.create", {"title": name, "workspace": str(root / name)})
            await found.command("runs.create", {"goal": name, "workspace": str(root / name)})
            await found.command("notes.add", {"title": name, "content": name, "workspace": str(root / name)})
        for command, field in (("threads.list", "threads"), ("runs.list", "runs"), ("notes.list", "notes")):
            assert len((await found.command(command))[field]) == 2, command
            assert len((await found.command(command, {"workspace": str(root / "a")}))[field]) == 1, command


async def test_sessions_of_every_project_are_listed_and_searched(root: Path, data: Path) -> None:
    """Those of a project that is not open too, unless a workspace is named; a session's context is its own project's."""
    name = "1f0c2a7e-0000-4000-8000-000000000001"
    write(root, "a/AGENTS.md", "a\n")
    write(root, "b/AGENTS.md", "b\n")
    text = (CLAUDE / f"{name}.jsonl").read_text(encoding="utf-8")
    write(data, f".claude/projects/-b/{name}.jsonl", text.replace("/home/ana/shop.api", str(root / "b")))
    here = {"workspace": str(root / "a")}
    async with editor(root, data, folders=[root / "a"]) as found:
        (session,) = (await found.command("sessions.list"))["sessions"]
        assert (await found.command("sessions.list", here))["sessions"] == []
        await found.command("sessions.import")
        asked = {"query": "price filter"}
        assert (await found.command("sessions.search", asked))["found"]
        assert (await found.command("sessions.search", asked | here))["found"] == []
        point = await found.command("sessions.checkpoint", {"name": session["id"], "title": "Here"})
        assert point["title"] == "Here"


async def test_what_is_yours_needs_no_workspace(root: Path, data: Path) -> None:
    """Several folders are open: memories of the user's scope are kept, listed, searched, exported and imported."""
    write(root, "a/AGENTS.md", "a\n")
    write(root, "b/AGENTS.md", "b\n")
    async with editor(root, data, folders=[root / "a", root / "b"]) as found:
        yours = {"scope": "user"}
        await found.command("memory.create", {"title": "Tabs", "content": "Use tabs.", **yours})
        assert len((await found.command("memory.list", yours))["memories"]) == 1
        assert (await found.command("memory.search", {"words": ["tabs"], **yours}))["hits"]
        exported = await found.command("memory.export", yours)
        assert (await found.command("memory.import", {"document": json.dumps(exported)}))["already_there"] == 1
        for asked in ({"title": "x", "content": "x"}, {"title": "x", "content": "x", "scope": "project"}):
            assert (await refused(found, "memory.create", asked)).data["code"] == "workspace-needed"
        exported["memories"][0]["scope"] = "project"
        project = {"document": json.dumps(exported)}
        assert (await refused(found, "memory.import", project)).data["code"] == "workspace-needed"


async def test_a_run_or_a_thread_brings_its_own_workspace(root: Path, data: Path) -> None:
    """Several folders are open, and nothing has to be named again for what is bound to one already."""
    write(root, "a/AGENTS.md", "a\n")
    write(root, "b/AGENTS.md", "b\n")
    async with editor(root, data, folders=[root / "a", root / "b"]) as found:
        thread = await found.command("threads.create", {"title": "T", "workspace": str(root / "b")})
        asked = {"goal": "G", "workspace": str(root / "b"), "thread": thread["id"]}
        run = await found.command("runs.create", asked)
        for owner in ({"run": run["id"]}, {"thread": thread["id"]}):
            shown = await found.command("context.preview", {**owner, "markdown": True})
            assert "AGENTS.md" in shown["text"]
            await found.command("notes.add", {"title": "N", "content": "N", **owner})
        assert not (await found.command("instructions.drift", {"run": run["id"]}))["stale"]
        assert (await refused(found, "context.preview", {})).data["code"] == "workspace-needed"


async def test_a_write_is_told_to_everybody(root: Path, data: Path, profile: str) -> None:
    """`waybook/contextChanged` names workspace and reason, and lenses are asked for again."""
    write(root, "AGENTS.md", "one\n")
    async with editor(root, data, profile) as found:
        await found.until(lambda: found.changed)
        await found.command("instructions.pin")
        await found.until(lambda: any(item.reason == "instructions.pin" for item in found.changed))
        assert {item.workspace for item in found.changed} == {str(root)}
        if profile == "visual_studio_code":
            await found.until(lambda: found.refreshes)


async def test_progress_is_reported_under_the_clients_token(root: Path, data: Path) -> None:
    """It begins and ends, whatever lies between."""
    for number in range(40):
        write(root, f"d{number}/AGENTS.md", "one\n")
    async with editor(root, data) as found:
        found.client.progress_reports["mine"] = []
        await found.command("instructions.check", {}, work_done_token="mine")
        await found.until(lambda: len(found.client.progress_reports["mine"]) >= 2)
        reports = found.client.progress_reports["mine"]
        assert isinstance(reports[0], types.WorkDoneProgressBegin)
        assert reports[0].cancellable
        assert isinstance(reports[-1], types.WorkDoneProgressEnd)


async def test_a_long_command_is_cancelled(root: Path, data: Path) -> None:
    """By the request's cancel and by the progress's; both end in one error answer, and the server goes on."""
    text = "".join(
        f"- Use `make target{number}` and see docs/file{number}.md before you go on.\n" for number in range(300)
    )
    for number in range(300):
        write(root, f"d{number}/AGENTS.md", f"{number}\n{text}")
    async with editor(root, data) as found:
        params = types.ExecuteCommandParams("waybook.instructions.check", [{}])
        future = found.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="slow")
        await asyncio.sleep(0.2)
        found.client.cancel_request(types.CancelParams("slow"))
        with pytest.raises(JsonRpcException) as caught:
            await found.within(asyncio.wrap_future(future))
        assert caught.value.code == -32800
        found.client.progress_reports["mine"] = []
        params = types.ExecuteCommandParams("waybook.instructions.check", [{}], work_done_token="mine")
        running = asyncio.ensure_future(found.client.workspace_execute_command_async(params))
        await found.until(lambda: found.client.progress_reports["mine"])
        found.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("mine"))
        with pytest.raises(JsonRpcException) as caught:
            await found.within(running)
        assert (caught.value.code, caught.value.data["code"]) == (-32800, "cancelled")
        assert await found.hover("d1/x.py")


async def test_drift_is_shown_before_it_is_confirmed(root: Path, data: Path, profile: str) -> None:
    """The differences are opened, then a question is asked; only Confirm writes, and then the findings go."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data, profile) as found:
        await found.command("instructions.pin")
        found.write("AGENTS.md", "v2\n")
        found.open("AGENTS.md")
        found.save("AGENTS.md")
        await found.until(lambda: "fingerprint-stale" in found.codes("AGENTS.md"))
        found.answer = "Cancel"
        assert await found.command("confirmDrift") == {"confirmed": False, "stale": True}
        assert "fingerprint-stale" in found.codes("AGENTS.md")
        shown = await asyncio.to_thread(Path(found.client.shown_documents[-1].uri.removeprefix("file://")).read_text)
        assert "-v1" in shown
        assert "+v2" in shown
        assert "changed AGENTS.md" in found.questions[-1].message
        found.answer = "Confirm"
        assert (await found.command("confirmDrift"))["revision"] == 2
        await found.until(lambda: found.codes("AGENTS.md") == [])
        assert await found.command("confirmDrift") == {"confirmed": False, "stale": False}


async def test_what_changed_after_it_was_shown_is_not_confirmed(root: Path, data: Path) -> None:
    """The confirmation is bound to the text that was shown."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data) as found:
        await found.command("instructions.pin")
        found.write("AGENTS.md", "v2\n")
        original = found.client.protocol.fm.features[types.WINDOW_SHOW_MESSAGE_REQUEST]

        def late(params: types.ShowMessageRequestParams) -> Any:
            found.write("AGENTS.md", "v3 is longer\n")
            return original(params)

        found.client.protocol.fm.features[types.WINDOW_SHOW_MESSAGE_REQUEST] = late
        error = await refused(found, "confirmDrift")
        assert error.data["code"] in {"live-changed", "conflict", "stale-live"}
        assert (await found.command("instructions.drift"))["stale"]


async def test_reviewing_gives_the_differences_as_data(root: Path, data: Path) -> None:
    """For clients with a difference editor of their own."""
    write(root, "AGENTS.md", "v1\n")
    async with editor(root, data) as found:
        await found.command("instructions.pin")
        found.write("AGENTS.md", "v2\n")
        body = await found.command("reviewDrift", {})
        assert "-v1\n+v2" in body["diff"]
        assert body["shown"]
        assert len(body["expected_live_fingerprint"]) == 64
